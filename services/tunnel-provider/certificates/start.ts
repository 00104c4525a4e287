import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { AccountSettings } from './account.ts';
import { createHttpSolver } from './http-solver.ts';
import { createKeeper } from './keep.ts';

export interface CertificateSettings extends Omit<AccountSettings, 'ACME_EMAIL'> {
  readonly ACME_EMAIL?: string | undefined;
  readonly ACME_WEEKLY_LIMIT: number;
  readonly PUBLIC_URL?: string | undefined;
  readonly ACME_CLOUDFLARE_TOKEN?: string | undefined;
  readonly ACME_RFC2136_URL?: string | undefined;
}

interface Parts {
  readonly sql: Sql;
  readonly accountKeys: KeyRing;
  readonly certificateKeys: KeyRing;
}

const intervalMs = 5_000;

/** Orders certificates where ACME_EMAIL is set; without it nothing happens. */
export async function startCertificates(
  settings: CertificateSettings,
  parts: Parts,
  lifecycle: Lifecycle,
): Promise<void> {
  const { ACME_EMAIL, PUBLIC_URL } = settings;
  if (!ACME_EMAIL) return;
  if (!PUBLIC_URL?.startsWith('https:')) throw new Error('ACME_EMAIL needs a PUBLIC_URL with https');
  if (settings.ACME_CLOUDFLARE_TOKEN || settings.ACME_RFC2136_URL)
    throw new Error(
      'this version orders no wildcard certificate: leave ACME_CLOUDFLARE_TOKEN and ACME_RFC2136_URL out',
    );
  const http = createHttpSolver(parts.sql);
  const keeper = createKeeper({
    ...parts,
    settings: { ...settings, ACME_EMAIL },
    wanted: { panel: new URL(PUBLIC_URL).hostname, wildcard: null },
    solverFor: () => http,
    log: lifecycle.log,
  });
  lifecycle.onStop('certificates', keeper.stop);
  lifecycle.every(intervalMs, keeper.look, { failed: 'certificates could not be looked at, retrying' });
  // Every role may notify: it is a hint to look earlier, no more.
  await parts.sql.listen('certificates', keeper.hint, keeper.hint);
}
