import { connectBus } from '@talpa/service-kit/bus/connect';
import { publishStored } from '@talpa/service-kit/bus/publish';
import { liveRequestsSubject, loggedRequestsSubject, measuredSubject } from '@talpa/service-kit/bus/subjects';
import { connectDatabase, waitForDatabase } from '@talpa/service-kit/database/connect';
import { runProcess } from '@talpa/service-kit/process/lifecycle';
import { startEdge } from './app.ts';
import { createAnnouncer } from './connectors/announce.ts';
import { refusePortsBesideCookies, refuseServerPorts } from './game-ports/range.ts';
import { settingNames } from './settings.ts';
import { startPublishing } from './traffic/publish-measurements.ts';
import { createFront } from './visitors/front.ts';

await runProcess('edge', async (lifecycle) => {
  const { log } = lifecycle;
  const settings = lifecycle.settings(settingNames);
  refuseServerPorts({ ...settings, ...lifecycle.settings(['HEALTH_PORT', 'METRICS_PORT']) });
  refusePortsBesideCookies(settings);
  const sql = connectDatabase(settings, lifecycle);
  await waitForDatabase(sql, lifecycle);
  const nc = await connectBus(settings.NATS_URL, 'edge', lifecycle);
  const announcer = createAnnouncer(nc);
  const publishing = startPublishing(sql, (what) => publishStored(nc, measuredSubject('edge'), what), log);
  lifecycle.onStop('measurements', publishing.stop);
  const edge = await startEdge(settings, {
    sql,
    log,
    changed: announcer.changed,
    onMeasured: publishing.kick,
    requestsOut:
      settings.REQUEST_LOG_DAYS === 0
        ? undefined
        : {
            store: (requests) => publishStored(nc, loggedRequestsSubject, requests),
            show: (requests) => nc.publish(liveRequestsSubject, JSON.stringify(requests)),
          },
    front: createFront(settings, sql, log),
  });
  const stop = async () => {
    await edge.stop();
    announcer.flush();
  };
  lifecycle.onStop('edge', stop, settings.EDGE_DRAIN_MS);
  return {
    ports: {
      EDGE_CONNECTOR_PORT: edge.connectors.port,
      EDGE_HTTP_PORT: edge.visitors.httpPort,
      ...(edge.visitors.httpsPort === undefined ? {} : { EDGE_HTTPS_PORT: edge.visitors.httpsPort }),
    },
  };
});
