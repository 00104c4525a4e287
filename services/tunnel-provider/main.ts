import { connectDatabase } from '@talpa/service-kit/database/connect';
import { readKeyRing } from '@talpa/service-kit/key-ring';
import { runProcess } from '@talpa/service-kit/process/lifecycle';
import { buildApp } from './app.ts';
import { edgeSettings, startEdge } from './edge/start.ts';

await runProcess('tunnel-provider', async (lifecycle) => {
  const settings = lifecycle.settings([
    'DATABASE_URL',
    'DATABASE_CONNECTIONS',
    'HOST',
    'PORT',
    'TOKEN_KEYS',
    'CLOUDFLARE_API_TOKEN',
    'CLOUDFLARE_ACCOUNT_ID',
    'CLOUDFLARE_ZONE_ID',
    'TALPA_TEST_SWITCHES',
    ...edgeSettings,
  ]);
  const sql = connectDatabase(settings, lifecycle);
  await sql`select 1`;
  const keys = readKeyRing(settings.TOKEN_KEYS);
  const app = buildApp(
    {
      sql,
      keys,
      accountId: settings.CLOUDFLARE_ACCOUNT_ID,
      zoneId: settings.CLOUDFLARE_ZONE_ID,
    },
    {
      token: settings.CLOUDFLARE_API_TOKEN,
      testSwitches: settings.TALPA_TEST_SWITCHES,
      log: lifecycle.log,
    },
  );
  const edge = await startEdge(settings, { sql, keys, log: lifecycle.log });
  lifecycle.onStop('edge', () => edge.stop());
  lifecycle.onStop('api', () => app.close());
  await app.listen({ host: settings.HOST, port: settings.PORT });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return { port: address.port };
});
