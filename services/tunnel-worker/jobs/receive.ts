import type { JsMsg } from '@nats-io/jetstream';
import { commands, type ServerReport, tunnelProviders } from '@talpa/contracts';
import { busHeaders } from '@talpa/service-kit/bus/message';
import { readMessage } from '@talpa/service-kit/bus/read-message';
import { callInternal, systemCall } from '@talpa/service-kit/bus/request';
import { commandSource } from '@talpa/service-kit/bus/subjects';
import { startBatchConsumer } from '@talpa/service-kit/events/consume';
import type { Log } from '@talpa/service-kit/log';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { Budget } from '../budget/budget.ts';
import { areManyMissing, isHeldBack } from '../problems/held-back.ts';
import type { ProviderProblems } from '../problems/problems.ts';
import type { WorkerSettings } from '../settings.ts';
import type { JobContext } from './context.ts';
import { runJob } from './run.ts';
import { type JobRunner, startJobRunner } from './runner.ts';
import { enqueue, type JobRequest } from './sql.ts';

const command = 'tunnel-worker.enqueue';
/** How long running provider calls may go on when the process stops. */
const graceMs = 3_000;

/** Stores a job for every server that the proxies service says may differ from its desired state. */
export function receiveJobs(
  base: ServiceBase,
  settings: WorkerSettings,
  budget: Budget,
  problems: ProviderProblems,
  lifecycle: Lifecycle,
): JobRunner {
  const { nc, sql } = base;
  const stopping = new AbortController();
  const context = {
    sql,
    log: lifecycle.log,
    provider: settings,
    budget,
    problems,
    installationId: settings.INSTALLATION_ID,
    suspendsSingly: tunnelProviders[settings.TUNNEL_PROVIDER].suspendsSingly,
    attempts: settings.PROVISION_ATTEMPTS,
    stopping: stopping.signal,
    getDesired: (serverId: string) =>
      callInternal(nc, 'proxies.getDesiredServer', { serverId }, systemCall('proxies.getDesiredServer')),
    report: async (report: ServerReport) =>
      (await callInternal(nc, 'proxies.reportServer', report, systemCall('proxies.reportServer'))).counted,
    mayBelieveGone: async () => !(await areManyMissing(sql)),
    mayRemoveUnknown: async () => !(await isHeldBack(sql)),
  } satisfies JobContext;
  const work = startJobRunner(sql, lifecycle, (job) => runJob(context, job));
  lifecycle.onStop('runs', async () => {
    const timer = setTimeout(() => stopping.abort(new Error('the process stops')), graceMs);
    await work.stop();
    clearTimeout(timer);
  });
  startBatchConsumer(
    nc,
    {
      ...commandSource(command),
      // Stored in our own table they are not lost, and need not wait on the bus for the provider.
      handle: async (messages) => {
        await enqueue(
          sql,
          messages.flatMap((message) => jobRequestOf(message, lifecycle.log)),
        );
        work.kick();
      },
    },
    lifecycle,
  );
  return work;
}

/** Whatever one that cannot be read was about lags, and is found by the sweep. */
function jobRequestOf(message: JsMsg, log: Log): JobRequest[] {
  const order = readMessage(message, commands[command].schema, log);
  if (!order) return [];
  const { serverId, proxyId, urgent } = order;
  return [
    {
      serverId: serverId ?? proxyId,
      urgent,
      requestId: message.headers?.get(busHeaders.requestId) || undefined,
      traceparent: message.headers?.get(busHeaders.traceparent) || undefined,
    },
  ];
}
