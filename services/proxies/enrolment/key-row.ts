import { createHash, randomBytes } from 'node:crypto';
import type { EnrolmentKey, PanelKind } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** A key as it is stored, with the id of its proxy or server. */
export interface KeyRow {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly proxyUuid: string | null;
  readonly proxyId: number | null;
  readonly serverUuid: string | null;
  readonly serverId: number | null;
  readonly panel: PanelKind | null;
  readonly asAdmin: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly uses: number;
  readonly used: number;
  /** Ids of proxies. */
  readonly connected: readonly number[];
}

/** Keys that have not expired and whose proxy or server is there. */
export const selectKeys = (sql: AnySql) => sql`
  select enrolment_keys.*, proxies.id as proxy_id, servers.id as server_id,
    array(
      select made.id from enrolments
        join machines on machines.user_id = enrolment_keys.user_id and machines.machine_hash = enrolments.machine_hash
        join proxies as made on made.server_uuid = machines.server_uuid
      where enrolment_key_id = enrolment_keys.id and made.removed_at is null
      order by made.id
    ) as connected
  from enrolment_keys
    left join proxies on proxies.uuid = proxy_uuid
    left join servers on servers.uuid = enrolment_keys.server_uuid
  where expires_at > now() and (proxy_uuid is null or proxies.removed_at is null)
    and (enrolment_keys.server_uuid is null or servers.removed_at is null)`;

/** Made up, and its hash. */
export function newKey(): { readonly key: string; readonly hash: Buffer } {
  const key = `talpa_ek_${randomBytes(24).toString('base64url')}`;
  return { key, hash: hashOf(key) };
}

/** What is stored of a key, and of what a machine has made up. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A key as the API shows it. */
export const publicKey = (row: KeyRow): EnrolmentKey => ({
  id: row.id,
  name: row.name,
  proxyId: row.proxyId,
  serverId: row.serverId,
  panel: row.panel,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  uses: row.uses,
  used: row.used,
  connected: [...row.connected],
});
