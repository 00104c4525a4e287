import { connectDatabase, waitForDatabase } from '@talpa/service-kit/database/connect';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { listening } from '@talpa/service-kit/process/listening';
import { startResealing } from '@talpa/service-kit/reseal';
import { buildApp } from './app.ts';
import { startCertificates } from './certificates/start.ts';
import { settingNames } from './settings.ts';

/** Starts the embedded provider's API. @returns the port it listens on */
export async function startProvider(lifecycle: Lifecycle): Promise<{ readonly port: number }> {
  const settings = lifecycle.settings(settingNames);
  const sql = connectDatabase(settings, lifecycle);
  await waitForDatabase(sql, lifecycle);
  const certificateKeys = openKeyRing(settings.CERTIFICATE_KEYS);
  const keys = openKeyRing(settings.TOKEN_KEYS);
  const keeper = await startCertificates(settings, { sql, accountKeys: keys, certificateKeys }, lifecycle);
  const context = {
    sql,
    keys,
    keeper,
    accountId: settings.CLOUDFLARE_ACCOUNT_ID,
    zoneId: settings.CLOUDFLARE_ZONE_ID,
  };
  const app = buildApp(context, {
    token: settings.CLOUDFLARE_API_TOKEN,
    faultInjection: settings.FAULT_INJECTION,
    log: lifecycle.log,
  });
  for (const [table, owner] of [
    ['tunnels', 'id'],
    ['acme_accounts', 'directory'],
  ] as const)
    startResealing({ sql, keys, setting: 'TOKEN_KEYS', table, owner }, lifecycle);
  startResealing(
    { sql, keys: certificateKeys, setting: 'CERTIFICATE_KEYS', table: 'certificates', owner: 'name' },
    lifecycle,
  );
  lifecycle.onStop('api', () => app.close());
  const at = { host: settings.HOST, port: settings.PORT };
  await listening('PORT', at, () => app.listen(at));
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return { port: address.port };
}
