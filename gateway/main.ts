import { connectBus } from '@talpa/service-kit/bus/connect';
import { createCacheVersions } from '@talpa/service-kit/cache-versions';
import { runProcess } from '@talpa/service-kit/process/lifecycle';
import { listening } from '@talpa/service-kit/process/listening';
import { connectRedis } from '@talpa/service-kit/redis/connect';
import { openVerifyingKeys } from '@talpa/service-kit/session/keys';
import { isTracing } from '@talpa/service-kit/telemetry/tracing';
import { trustProxyOf } from '@talpa/service-kit/trust-proxy';
import { createGateway } from './app.ts';
import { connectionLimitsOf } from './connections.ts';
import { createLimits } from './limits/limits.ts';
import { liveDefaults } from './live/live.ts';
import { panelConfigOf, settingNames } from './settings.ts';
import { cookieWarning } from './shared-domain.ts';
import { exposeProvider } from './telemetry/provider.ts';

await runProcess('gateway', async (lifecycle) => {
  const settings = lifecycle.settings(settingNames);
  const warning = cookieWarning(settings.PUBLIC_URL, settings.TUNNEL_DOMAIN);
  if (warning) lifecycle.log.warn(warning);
  exposeProvider(settings.TUNNEL_PROVIDER);
  const redis = connectRedis(settings.REDIS_URL, lifecycle);
  const nc = await connectBus(settings.NATS_URL, 'gateway', lifecycle);
  const app = await createGateway({
    nc,
    cacheVersions: createCacheVersions(redis, lifecycle),
    limits: createLimits(settings, redis),
    connections: connectionLimitsOf(settings),
    sessionKeys: openVerifyingKeys(settings.SESSION_PUBLIC_KEYS),
    panel: { shell: settings.PANEL_SHELL, user: settings.PANEL_USER, admin: settings.PANEL_ADMIN },
    panelConfig: panelConfigOf(settings, isTracing()),
    edgeAuthorityFile: settings.EDGE_CA_FILE,
    connectorMirror: settings.CONNECTOR_MIRROR,
    publicUrl: settings.PUBLIC_URL,
    trustProxy: trustProxyOf(settings.TRUST_PROXY),
    ready: lifecycle.ready,
    live: {
      ...liveDefaults,
      perUser: settings.LIVE_USER_STREAM_LIMIT,
      inAll: settings.LIVE_STREAM_LIMIT,
    },
    log: lifecycle.log,
    logSample: settings.LOG_SAMPLE,
  });
  lifecycle.onStop('http', () => app.close());
  const at = { host: settings.HOST, port: settings.PORT };
  await listening('PORT', at, () => app.listen(at));
  const address = app.server.address();
  return typeof address === 'object' && address ? { port: address.port } : {};
});
