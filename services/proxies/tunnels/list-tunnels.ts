import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { lags, type ProxyRow } from '../proxy/row.ts';

/** Below the bus's reply limit. */
const pageSize = 2_000;

type Compared = Pick<ProxyRow, 'uuid' | 'applied' | 'tunnelHealth' | 'generation' | 'appliedGeneration'>;

/** What is believed to be at the provider, by UUID: a page of it, from after the given one. */
export const listTunnels: Verb<InternalCalls['proxies.listTunnels'], ProxiesContext> = async (
  { sql },
  input,
) => {
  // All of them are read again and again: nothing but what is compared.
  const rows = await sql<Compared[]>`
    select uuid, applied, tunnel_health, generation, applied_generation from proxies
    where uuid > ${input.after} order by uuid limit ${pageSize}`;
  const tunnels = rows.map((row) => ({
    proxyId: row.uuid,
    tunnelId: row.applied?.tunnelId ?? null,
    dnsRecordId: row.applied?.dnsRecordId ?? null,
    health: row.tunnelHealth,
    ...(row.applied?.domains ? { domains: row.applied.domains } : {}),
    settled: !lags(row),
  }));
  return { tunnels, next: rows.length === pageSize ? (rows.at(-1)?.uuid ?? null) : null };
};
