import { randomUUID } from 'node:crypto';
import { commands, type InternalName } from '@talpa/contracts';
import { callInternal, deadlineOf } from '@talpa/service-kit/bus/request';
import { commandConsumer, streams } from '@talpa/service-kit/bus/subjects';
import { startConsumer } from '@talpa/service-kit/events/consume';
import { park } from '@talpa/service-kit/events/park';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import type { WorkerSettings } from '../settings.ts';
import type { RunContext } from './run.ts';
import { runWakeup } from './run.ts';

const command = 'worker.wake';
/** Proxies this process works on at once. */
const concurrency = 8;
/** How long running provider calls may go on when the process stops. */
const graceMs = 3_000;

/** Looks at every proxy that proxies says may differ from what is wanted. */
export function receiveWakeups(base: ServiceBase, settings: WorkerSettings, lifecycle: Lifecycle): void {
  const { nc, sql } = base;
  const stopping = new AbortController();
  const callInfo = (call: InternalName) =>
    ({ requestId: randomUUID(), language: 'de', deadlineAt: Date.now() + deadlineOf(call) }) as const;
  const context: RunContext = {
    sql,
    log: lifecycle.log,
    provider: settings,
    installationId: settings.INSTALLATION_ID,
    attempts: settings.PROVISION_ATTEMPTS,
    stopping: stopping.signal,
    getDesired: (proxyId) =>
      callInternal(nc, 'proxies.getDesired', { proxyId }, callInfo('proxies.getDesired')),
    report: async (proxyId, generation, outcome) => {
      const input = { proxyId, generation, outcome };
      return (await callInternal(nc, 'proxies.report', input, callInfo('proxies.report'))).counted;
    },
    park: (note) => park(nc, command, note),
  };
  startConsumer(
    nc,
    {
      stream: streams.commands,
      durable: commandConsumer(command),
      concurrency,
      handle: async (message) => {
        const order = commands[command].schema.safeParse(message.json());
        // It would never become readable.
        if (!order.success) return park(nc, command, { unreadable: message.string() });
        await runWakeup(context, order.data.proxyId, message.seq);
      },
    },
    lifecycle,
  );
  lifecycle.onStop('provider calls', () => {
    setTimeout(() => stopping.abort(new Error('the process stops')), graceMs).unref();
  });
}
