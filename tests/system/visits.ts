import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Client } from '@talpa/test-kit/client';
import type { TestSystem } from '@talpa/test-kit/system';

/** Begins a visit of a proxy, as the edge does when a visitor has passed the wall. */
export async function beginVisit({ talpa }: TestSystem, proxyId: number | string) {
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  await sql`set search_path to proxies`;
  const policy = { kind: 'wall', rules: [], methods: ['member'], require: 'any', days: 7 };
  const [row] = await sql<{ proxyUuid: string }[]>`
    insert into access_policies (proxy_uuid, policy)
    select uuid, ${sql.json(policy)} from proxies where id = ${Number(proxyId)} returning proxy_uuid`;
  const [visit] = await sql<{ id: string }[]>`
    insert into visits (proxy_uuid, token_hash, policy_version, methods, address, user_agent, expires_at)
    values (${row?.proxyUuid ?? ''}, ${Buffer.from(randomUUID())}, 1, '{member}', '192.0.2.1', 'test',
      now() + interval '1 day')
    returning id`;
  await sql.end();
  return { visitId: visit?.id ?? '' };
}

interface TokenOf {
  readonly subject: { readonly client: Client };
  /** Of the proxy. */
  readonly id: number | string;
}

/** Makes a service token of a proxy. */
export async function makeToken({ subject: { client }, id }: TokenOf) {
  const input = { id: Number(id), name: 'Backup', days: null };
  const { token } = await client.call('POST /api/tunnel-configs/:id/service-tokens', input);
  return { tokenId: token.id };
}
