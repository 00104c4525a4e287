import { tunnelProviders } from '@talpa/contracts';
import type { Member } from '@talpa/service-kit/process/lifecycle';
import { memberOf } from '@talpa/service-kit/service/service';
import { readSettings } from '@talpa/service-kit/settings';
import { settingIn } from '@talpa/service-kit/settings-of-service';
import { wire as auth } from './auth/app.ts';
import { settingNames as authSettings } from './auth/settings.ts';
import { wire as billing } from './billing/app.ts';
import { settingNames as billingSettings } from './billing/settings.ts';
import { wire as notifications } from './notifications/app.ts';
import { settingNames as notificationsSettings } from './notifications/settings.ts';
import { wire as proxies } from './proxies/app.ts';
import { settingNames as proxiesSettings } from './proxies/settings.ts';
import { wire as stats } from './stats/app.ts';
import { settingNames as statsSettings } from './stats/settings.ts';
import { wire as worker } from './tunnel-worker/app.ts';
import { settingNames as workerSettings } from './tunnel-worker/settings.ts';

const workersProvider = settingIn('tunnel-worker', 'CLOUDFLARE_BASE_URL');

/** Nobody but the worker calls it, which learns here where it listens. */
const provider: Member = {
  name: 'tunnel-provider',
  start: async (lifecycle) => {
    for (const [setting, value] of Object.entries({ HOST: '127.0.0.1', PORT: '0' }))
      process.env[settingIn('tunnel-provider', setting)] ??= value;
    const { startProvider } = await import('./tunnel-provider/start.ts');
    const started = await startProvider(lifecycle);
    process.env[workersProvider] = `http://127.0.0.1:${started.port}/client/v4`;
    return started;
  },
};

/** The services that share a process, a row after the services that it calls when it stops. */
export function rowsOfMembers(): readonly (readonly Member[])[] {
  const { TUNNEL_PROVIDER } = readSettings(['TUNNEL_PROVIDER']);
  return [
    ...(tunnelProviders[TUNNEL_PROVIDER].runsHere ? [[provider]] : []),
    [memberOf('tunnel-worker', workerSettings, worker)],
    [
      memberOf('auth', authSettings, auth),
      memberOf('billing', billingSettings, billing),
      memberOf('proxies', proxiesSettings, proxies),
      memberOf('stats', statsSettings, stats),
      memberOf('notifications', notificationsSettings, notifications),
    ],
  ];
}
