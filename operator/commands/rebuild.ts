import { counted } from '@talpa/instance/counted';
import { command } from './command.ts';

/** Counts users and proxies anew, from those who own them. */
export const statsRebuild = command({
  usage: 'stats rebuild',
  summary: 'recount users and proxies; until it is done, the panel marks the totals as out of date',
  run: async ({ instance, log }) => {
    const totals = await instance.ask('stats.rebuild', {});
    const users = counted(totals.totalUsers, 'user');
    const proxies = counted(totals.totalProxies, 'proxy', 'proxies');
    log(`${users}, ${proxies} (${totals.activeProxies} active)`);
  },
});

/** Publishes every row again for the projections of it. */
export const eventsRepublish = command({
  usage: 'events republish',
  summary: 'publish the current rows of every service again, for projections that missed something',
  run: async ({ instance, log }) => {
    for (const call of ['auth.republish', 'billing.republish', 'proxies.republish'] as const) {
      const { count } = await instance.ask(call, {});
      log(`${call.split('.')[0]}: ${counted(count, 'row')}`);
    }
  },
});
