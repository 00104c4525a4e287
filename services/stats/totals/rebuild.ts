import type { InternalCalls, Verb } from '@talpa/contracts';
import { callInternal, systemCall } from '@talpa/service-kit/bus/request';
import { watchStream } from '@talpa/service-kit/events/stream-seen';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { StatsContext } from '../context.ts';
import { type Counted, countedProxy, countedUser } from './count.ts';
import { readTotals } from './get.ts';
import { beginRun, endRun, takePage } from './run.ts';

/** Rebuilds the totals; an operator asks. */
export const rebuild: Verb<InternalCalls['stats.rebuild'], StatsContext> = async (context) => {
  await context.whileWaiting(rebuildTotals(context));
  return readTotals(context.sql);
};

/**
 * Asks the owners for all their rows and counts anew. It needs nothing of what the bus stores; events go on
 * being counted meanwhile. Until it has ended the totals are not known.
 * @throws AppError when an owner cannot be asked; Overtaken
 */
async function rebuildTotals({ transaction, nc }: ServiceBase): Promise<void> {
  const run = await transaction(beginRun);
  const take = (rows: Counted[]) => transaction((tx) => takePage(tx, run, rows));
  await eachPage(async (after) => {
    const page = await callInternal(nc, 'auth.readUsers', { after }, systemCall('auth.readUsers'));
    await take(page.snapshots.map(countedUser));
    return page.next;
  });
  await eachPage(async (after) => {
    const page = await callInternal(nc, 'proxies.readProxies', { after }, systemCall('proxies.readProxies'));
    await take(page.snapshots.map(countedProxy));
    return page.next;
  });
  await transaction((tx) => endRun(tx, run));
}

async function eachPage(turn: (after: number) => Promise<number | null>): Promise<void> {
  for (let after: number | null = 0; after !== null; ) after = await turn(after);
}

/** A rebuild that has done nothing for so long has died. */
const silence = '30 seconds';
const retryMs = 1_000;

/** Rebuilds by itself when events were lost with their stream, and whenever the totals are left unknown. */
export function keepTotalsKnown(base: ServiceBase, intervalMs: number, lifecycle: Lifecycle): void {
  watchStream(
    base,
    intervalMs,
    async (hadOne) => {
      if (hadOne) await rebuildTotals(base);
    },
    lifecycle,
  );
  const repair = async () => {
    const [unknown] = await base.sql`
      select 1 from totals_state
      where not known and (alive_at is null or alive_at < now() - ${silence}::interval)`;
    if (unknown) await rebuildTotals(base);
  };
  lifecycle.every(retryMs, repair, { failed: 'totals could not be rebuilt, retrying', delayed: true });
}
