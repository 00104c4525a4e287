import { connectBus } from '@talpa/service-kit/bus/connect';
import { publishStored } from '@talpa/service-kit/bus/publish';
import { measuredSubject } from '@talpa/service-kit/bus/subjects';
import { connectDatabase } from '@talpa/service-kit/database/connect';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import { runProcess } from '@talpa/service-kit/process/lifecycle';
import { listening } from '@talpa/service-kit/process/listening';
import { buildApp } from './app.ts';
import { createAnnouncer } from './edge/announce.ts';
import { startEdge } from './edge/start.ts';
import { startTelling } from './edge/traffic/tell.ts';
import { ownSettings } from './settings.ts';
import { startResealing } from './tunnels/reseal.ts';

await runProcess('tunnel-provider', async (lifecycle) => {
  const settings = lifecycle.settings(ownSettings);
  const sql = connectDatabase(settings, lifecycle);
  await sql`select 1`;
  const context = {
    sql,
    keys: openKeyRing(settings.TOKEN_KEYS),
    accountId: settings.CLOUDFLARE_ACCOUNT_ID,
    zoneId: settings.CLOUDFLARE_ZONE_ID,
  };
  const app = buildApp(context, {
    token: settings.CLOUDFLARE_API_TOKEN,
    faultInjection: settings.FAULT_INJECTION,
    log: lifecycle.log,
  });
  startResealing(context, lifecycle);
  const nc = await connectBus(settings.NATS_URL, 'provider', lifecycle);
  const announcer = createAnnouncer(nc);
  const { changed } = announcer;
  const telling = startTelling(
    sql,
    (what) => publishStored(nc, measuredSubject('provider'), what),
    lifecycle.log,
  );
  lifecycle.onStop('measurements', telling.stop);
  const edge = await startEdge(settings, {
    sql,
    keys: context.keys,
    log: lifecycle.log,
    changed,
    onMeasured: telling.kick,
  });
  const stopEdge = async () => {
    await edge.stop();
    announcer.flush();
  };
  lifecycle.onStop('edge', stopEdge, settings.EDGE_DRAIN_MS);
  lifecycle.onStop('api', () => app.close());
  const at = { host: settings.HOST, port: settings.PORT };
  await listening('PORT', at, () => app.listen(at));
  announcer.begin();
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return {
    port: address.port,
    ports: { EDGE_CONNECTOR_PORT: edge.connectors.port, EDGE_HTTP_PORT: edge.visitors.httpPort },
  };
});
