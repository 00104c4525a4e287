import { type AccessPolicy, accessPolicy, openPolicy } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** A policy as it is stored, with the hashes of its secrets. */
export interface StoredPolicy {
  readonly policy: AccessPolicy;
  readonly pinHash: string | null;
  readonly passwordHash: string | null;
}

interface PolicyRow {
  proxyUuid: string;
  policy: object;
  emails: string[];
  pinHash: string | null;
  passwordHash: string | null;
}

/** Who may visit a proxy. */
export async function readPolicy(sql: AnySql, uuid: string): Promise<StoredPolicy> {
  const [row] = await sql<PolicyRow[]>`select * from access_policies where proxy_uuid = ${uuid}`;
  if (!row) return { policy: openPolicy, pinHash: null, passwordHash: null };
  const { pinHash, passwordHash } = row;
  return { policy: parsePolicy(row), pinHash, passwordHash };
}

/** The addresses of a wall have a column of their own, which the edge does not read. */
const parsePolicy = ({ policy, emails }: Pick<PolicyRow, 'policy' | 'emails'>) =>
  accessPolicy.parse({ ...policy, emails });

/** Stores who may visit a proxy; every edge follows when the transaction is committed. Visits of before end. */
export async function savePolicy(tx: Tx, uuid: string, stored: StoredPolicy): Promise<void> {
  const { pinHash, passwordHash } = stored;
  const { emails = [], ...policy } = { emails: undefined, ...stored.policy };
  // Without a row the edge has nothing to ask.
  if (policy.kind === 'open') await tx.sql`delete from access_policies where proxy_uuid = ${uuid}`;
  else
    await tx.sql`
      insert into access_policies (proxy_uuid, policy, emails, pin_hash, password_hash)
      values (${uuid}, ${tx.sql.json(policy)}, ${emails}, ${pinHash}, ${passwordHash})
      on conflict (proxy_uuid) do update set policy = excluded.policy, emails = excluded.emails,
        pin_hash = excluded.pin_hash, password_hash = excluded.password_hash, version = access_policies.version + 1`;
}

/** The policies of these proxies, by their UUIDs; of those that are open to everyone none. */
export async function policiesOf(
  sql: AnySql,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, AccessPolicy>> {
  if (uuids.length === 0) return new Map();
  const rows = await sql<PolicyRow[]>`
    select proxy_uuid, policy, emails from access_policies where proxy_uuid in ${sql([...uuids])}`;
  return new Map(rows.map((row) => [row.proxyUuid, parsePolicy(row)]));
}
