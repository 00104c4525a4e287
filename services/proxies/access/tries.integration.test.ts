import { randomBytes, randomUUID } from 'node:crypto';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import { deleteEndedVisits } from './end-visits.ts';

const verbs = useVerbs(useStores(), 'proxies', { withEdge: true });

/** A proxy behind a wall. */
async function newProxy(): Promise<string> {
  const uuid = randomUUID();
  const { sql } = verbs;
  await sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, 1, 'Server', '203.0.113.7', 1, ${`${uuid}.tunnel.localhost`}, 443, 'active')`;
  const wall = { kind: 'wall', rules: [], require: 'any', methods: ['pin'], days: 7 };
  await sql`insert into access_policies (proxy_uuid, policy) values (${uuid}, ${sql.json(wall)})`;
  return uuid;
}

it('counted tries are deleted as soon as they count no longer: of a visitor after 15 minutes, of all together after an hour', async () => {
  const uuid = await newProxy();
  for (const [visitor, minutes] of [
    ['192.0.2.1', 14],
    ['192.0.2.2', 16],
    ['token 192.0.2.1', 14],
    ['token 192.0.2.2', 16],
    ['', 59],
  ] as const)
    await verbs.sql`
      insert into access_tries (proxy_uuid, visitor, since)
      values (${uuid}, ${visitor}, now() - make_interval(mins => ${minutes}))`;
  const visitors = async () => {
    await deleteEndedVisits(verbs.sql);
    const rows = await verbs.sql<{ visitor: string }[]>`
      select visitor from access_tries where proxy_uuid = ${uuid} order by visitor`;
    return rows.map(({ visitor }) => visitor);
  };
  expect(await visitors()).toEqual(['', '192.0.2.1', 'token 192.0.2.1']);
  await verbs.sql`update access_tries set since = since - interval '2 minutes' where proxy_uuid = ${uuid}`;
  expect(await visitors()).toEqual([]);
});

it('requests of codes by email are deleted when they have expired, and what is known of sent ones after an hour', async () => {
  const uuid = await newProxy();
  const { sql } = verbs;
  for (const [address, seconds] of [
    ['mara@example.com', 60],
    ['ben@example.com', -1],
  ] as const)
    await sql`
      insert into access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash, expires_at)
      values (${uuid}, 1, ${address}, 'p.tunnel.localhost', 'de', ${randomBytes(32)}, now() + make_interval(secs => ${seconds}))`;
  for (const minutes of [59, 61])
    await sql`
      insert into access_code_mails (code_id, owner_id, address_hash, sent_at)
      values (${randomUUID()}, ${minutes}, ${randomBytes(32)}, now() - make_interval(mins => ${minutes}))`;
  await deleteEndedVisits(sql);
  expect(await sql`select address from access_email_codes`).toEqual([{ address: 'mara@example.com' }]);
  expect(await sql`select owner_id from access_code_mails`).toEqual([{ ownerId: 59 }]);
});
