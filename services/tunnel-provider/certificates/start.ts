import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { AccountSettings } from './account.ts';
import { createDnsSolver, type DnsWriter } from './dns-solver.ts';
import { createEdgeSolver } from './edge-solver.ts';
import type { Keeper } from './keep.ts';
import { measureCertificates } from './metrics.ts';
import { createUpdateWriter } from './rfc2136.ts';

export interface CertificateSettings extends Omit<AccountSettings, 'ACME_EMAIL'> {
  readonly ACME_EMAIL?: string | undefined;
  readonly ACME_WEEKLY_LIMIT: number;
  readonly ACME_CLOUDFLARE_TOKEN?: string | undefined;
  readonly ACME_RFC2136_URL?: string | undefined;
  readonly CLOUDFLARE_BASE_URL: string;
  readonly PUBLIC_URL?: string | undefined;
  readonly TUNNEL_DOMAIN: string;
}

interface Parts {
  readonly sql: Sql;
  /** TOKEN_KEYS */
  readonly accountKeys: KeyRing;
  /** CERTIFICATE_KEYS */
  readonly certificateKeys: KeyRing;
  /** How long a DNS record may take to reach all of a zone's name servers; shorter in tests. */
  readonly spreadMs?: number;
}

const intervalMs = 5_000;

/** Orders certificates where ACME_EMAIL is set. @returns null without it */
export async function startCertificates(
  settings: CertificateSettings,
  parts: Parts,
  lifecycle: Pick<Lifecycle, 'every' | 'log' | 'onStop'>,
): Promise<Keeper | null> {
  const { ACME_EMAIL, PUBLIC_URL, TUNNEL_DOMAIN } = settings;
  if (!ACME_EMAIL) return null;
  if (!PUBLIC_URL?.startsWith('https:')) throw new Error('ACME_EMAIL needs a PUBLIC_URL with https');
  // Most installations order none, and these load much.
  const { createKeeper } = await import('./keep.ts');
  const writer = await dnsWriter(settings);
  const dns = writer && createDnsSolver(writer, parts.spreadMs);
  const wildcard = dns && `*.${TUNNEL_DOMAIN}`;
  const wanted = { panel: new URL(PUBLIC_URL).hostname, wildcard };
  const keeper = createKeeper({
    ...parts,
    settings: { ...settings, ACME_EMAIL },
    wanted,
    solverOf: (challenge) => {
      if (challenge !== 'dns-01') return createEdgeSolver(parts.sql, challenge);
      if (!dns) throw new Error('a wildcard was ordered without a DNS provider');
      return dns;
    },
    log: lifecycle.log,
  });
  measureCertificates(parts.sql, wanted);
  await retryFailed(parts.sql);
  lifecycle.onStop('certificates', keeper.stop);
  lifecycle.every(intervalMs, keeper.look, { failed: 'certificates could not be looked at, retrying' });
  // Every role may notify: it is a hint to look earlier, no more.
  await parts.sql.listen('certificates', keeper.hint, keeper.hint);
  return keeper;
}

/** Who repairs a setting starts again, and must not wait for the pause of a failure before. The limits still count. */
const retryFailed = (sql: Sql) => sql`
  update certificates set attempt_at = now() where failures > 0 and attempt_at > now() and problem <> 'rate_limited'`;

async function dnsWriter(settings: CertificateSettings): Promise<DnsWriter | null> {
  const { ACME_CLOUDFLARE_TOKEN: token, ACME_RFC2136_URL: url } = settings;
  if (token) {
    const { createCloudflareWriter } = await import('./cloudflare-dns.ts');
    return createCloudflareWriter(token, settings.CLOUDFLARE_BASE_URL);
  }
  return url ? createUpdateWriter(url) : null;
}
