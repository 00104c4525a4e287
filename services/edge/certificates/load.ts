import { createSecureContext, type SecureContext } from 'node:tls';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { unseal } from '@talpa/service-kit/sealed-secret';

/** What there is for a host name. */
export type Found =
  | { readonly state: 'ready'; readonly context: SecureContext }
  /** It is ordered, or will be at once. */
  | { readonly state: 'pending' }
  /** It could not be ordered, and is tried again later. */
  | { readonly state: 'failed' }
  /** The name leads nowhere. */
  | { readonly state: 'none' };

interface Row {
  readonly name: string;
  readonly chain: string | null;
  readonly secret: Buffer | null;
  readonly keyId: string | null;
  readonly notAfter: Date | null;
  readonly isPaused: boolean;
  /** No edge has asked for it. */
  readonly isUnasked: boolean;
}

/** Makes contexts of rows, and keeps them for as long as the certificates are the same. */
export type ContextOf = (row: Row) => SecureContext;

/** The wildcard that covers a name. */
const wildcardOf = (host: string) => `*${host.slice(host.indexOf('.'))}`;

/**
 * Loads what there is for some host names, with one query for all of them. Names that lead to a tunnel and have no
 * certificate get one ordered.
 */
export async function loadCertificates(
  sql: Sql,
  contextOf: ContextOf,
  hosts: readonly string[],
): Promise<Map<string, Found>> {
  const names = [...new Set(hosts.flatMap((host) => [host, wildcardOf(host)]))];
  const read = () => sql<Row[]>`
    select name, chain, secret, key_id, not_after, failures > 0 and attempt_at > now() as is_paused,
      attempt_at = 'infinity' as is_unasked
    from tunnel_provider.certificates where name = any(${sql.array(names, 25)})`;
  const rowsOf = (rows: readonly Row[], host: string) =>
    rows.filter(({ name }) => name === host || name === wildcardOf(host));
  let rows = await read();
  const missing = hosts.filter((host) => rowsOf(rows, host).every(({ isUnasked }) => isUnasked));
  if (missing.length > 0) {
    await sql`select tunnel_provider.request_certificates(${sql.array(missing, 25)})`;
    rows = await read();
  }
  return new Map(hosts.map((host) => [host, foundIn(contextOf, rowsOf(rows, host))]));
}

function foundIn(contextOf: ContextOf, rows: readonly Row[]): Found {
  const issued = rows.filter(({ chain }) => chain !== null);
  const [best] = issued.sort((a, b) => Number(b.notAfter) - Number(a.notAfter));
  if (best) return { state: 'ready', context: contextOf(best) };
  if (rows.length === 0) return { state: 'none' };
  return { state: rows.some(({ isPaused }) => isPaused) ? 'failed' : 'pending' };
}

/** A context costs a millisecond and some memory: every role of the database can have certificates loaded again. */
export function createContexts(keys: KeyRing, max: number): ContextOf {
  const made = boundedCache<string, { readonly chain: string; readonly context: SecureContext }>(max);
  return ({ name, chain, secret, keyId }) => {
    if (!chain || !secret || !keyId) throw new Error('the certificate has no key');
    const before = made.get(name);
    if (before?.chain === chain) return before.context;
    const key = unseal(keys, 'CERTIFICATE_KEYS', name, { secret, keyId });
    const context = createSecureContext({ cert: chain, key });
    made.set(name, { chain, context });
    return context;
  };
}
