import { randomUUID } from 'node:crypto';
import { commands, type InternalName } from '@talpa/contracts';
import { callInternal, deadlineOf } from '@talpa/service-kit/bus/request';
import { commandConsumer, streams } from '@talpa/service-kit/bus/subjects';
import { startConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { currentScope } from '@talpa/service-kit/telemetry/scope';
import type { Budget } from '../budget/budget.ts';
import { wake } from '../leases/sql.ts';
import { isHeldBack } from '../reconcile/sql.ts';
import type { WorkerSettings } from '../settings.ts';
import { type RunContext, runLease } from './run.ts';
import { startWork, type Work } from './work.ts';

const command = 'worker.wake';
/** Wake-ups that are noted at once. */
const concurrency = 32;
/** How long running provider calls may go on when the process stops. */
const graceMs = 3_000;

/** Looks at every proxy that proxies says may differ from what is wanted. */
export function receiveWakeups(
  base: ServiceBase,
  settings: WorkerSettings,
  budget: Budget,
  lifecycle: Lifecycle,
): Work {
  const { nc, sql } = base;
  const stopping = new AbortController();
  const callInfo = (call: InternalName) =>
    ({
      requestId: currentScope()?.requestId ?? randomUUID(),
      language: 'de',
      deadlineAt: Date.now() + deadlineOf(call),
    }) as const;
  const context = {
    sql,
    log: lifecycle.log,
    provider: settings,
    budget,
    installationId: settings.INSTALLATION_ID,
    attempts: settings.PROVISION_ATTEMPTS,
    stopping: stopping.signal,
    getDesired: (proxyId: string) =>
      callInternal(nc, 'proxies.getDesired', { proxyId }, callInfo('proxies.getDesired')),
    report: async (...[proxyId, generation, outcome]: Parameters<RunContext['report']>) => {
      const input = { proxyId, generation, outcome };
      return (await callInternal(nc, 'proxies.report', input, callInfo('proxies.report'))).counted;
    },
    mayRemoveUnknown: async () => !(await isHeldBack(sql)),
  } satisfies RunContext;
  const work = startWork(sql, lifecycle.log, (lease) => runLease(context, lease));
  lifecycle.onStop('runs', async () => {
    const timer = setTimeout(() => stopping.abort(new Error('the process stops')), graceMs);
    await work.stop();
    clearTimeout(timer);
  });
  startConsumer(
    nc,
    {
      stream: streams.commands,
      durable: commandConsumer(command),
      concurrency,
      // Noted in our own table it is not lost, and need not wait on the bus for the provider.
      handle: async (message) => {
        const order = commands[command].schema.safeParse(message.json());
        // Whatever it was about lags, and is found by the sweep.
        if (!order.success) return lifecycle.log.error({ seq: message.seq }, 'a wake-up cannot be read');
        await wake(sql, order.data.proxyId, order.data);
        work.kick();
      },
    },
    lifecycle,
  );
  return work;
}
