import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { scrape } from '@talpa/service-kit/telemetry/metrics';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { useRuns, want } from '@talpa/test-kit/worker-runs';
import { describe, expect, it } from 'vitest';
import { BudgetExhausted } from '../budget/budget.ts';
import { claimDueJobs } from './claim.ts';
import { runJob } from './run.ts';
import { enqueue } from './sql.ts';

const stores = useStores();
const embedded = useProvider(stores);
const worker = useRuns(stores, embedded);
const { newProxy } = worker;

describe('an enqueue command', () => {
  it('brings a proxy up to date, reports it, and leaves nothing but a line in the log', async () => {
    const proxy = newProxy();
    const measured = async () =>
      Number(/^talpa_run_duration_seconds_count\{outcome="applied"\} (\d+)$/m.exec(await scrape())?.[1] ?? 0);
    const [count, startedAt] = [await measured(), performance.now()];
    await proxy.run();
    expect(proxy.reports).toMatchObject([{ kind: 'applied', applied: want }]);
    const runs = await worker.runs();
    expect(runs).toMatchObject([
      { serverId: proxy.proxyId, generation: 1, calls: 3, outcome: 'applied', reason: null },
    ]);
    expect(runs[0]?.durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAt));
    expect(await measured()).toBe(count + 1);
    expect(await worker.jobs()).toEqual([]);
  });

  it('asks the provider nothing when all is settled or nobody knows the proxy', async () => {
    const proxy = newProxy();
    await proxy.run();
    await embedded.send('DELETE', '/fault-injection/calls');
    await proxy.run();
    proxy.state = null;
    await proxy.run();
    expect(await embedded.calls()).toEqual({});
    expect(await worker.jobs()).toEqual([]);
  });

  it('finds what a worker that died has left', async () => {
    const proxy = newProxy();
    await embedded.fault({ match: { operation: 'createRecord' }, fault: 'lose_response', times: 1 });
    await proxy.run();
    // The dead worker's lease has run out; it never gave it back.
    await worker.sql`
      update jobs set holder = ${randomUUID()}, expires_at = now() - interval '1 second', due_at = null,
        retry_at = null, generation = null`;
    expect(await proxy.runDue()).toBe(true);
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('stops asking the provider when the process stops, reports nothing, and is due for the next', async () => {
    const proxy = newProxy();
    const stopping = new AbortController();
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'delay', ms: 60_000, times: 1 });
    const running = proxy.run({ stopping: stopping.signal });
    await until('the create is under way', async () => (await embedded.calls()).createTunnel === 1);
    stopping.abort(new Error('stopped'));
    await running;
    expect(Object.keys(await embedded.calls())).toEqual(['createTunnel']);
    expect(proxy.reports).toEqual([]);
    await until('the provider has done the work', async () => (await worker.counts())[0]?.tunnels === 1);
    expect(await proxy.runDue()).toBe(true);
    expect(proxy.reports).toMatchObject([{ kind: 'applied' }]);
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('reports nothing that it has reached when the process stops, and is due for the next at once', async () => {
    const proxy = newProxy();
    const stopping = new AbortController();
    const worked = async (operation: string) => {
      if (operation === 'create record') stopping.abort(new Error('stopped'));
    };
    await proxy.run({ stopping: stopping.signal, problems: { worked, failed: async () => {} } });
    expect([proxy.reports, await worker.runs()]).toEqual([[], []]);
    const [job] = await worker.jobs();
    expect(job).toMatchObject({ failures: 0, unverified: true });
    expect(job?.dueInMs).toBeLessThanOrEqual(0);
  });

  it('breaks off its call when another worker has its job, and leaves it to that one', async () => {
    const proxy = newProxy();
    // As long as a call waits by itself, and begun before it.
    const limit = once(AbortSignal.timeout(10_000), 'abort').then(() => 'given up');
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'delay', ms: 60_000, times: 1 });
    await enqueue(worker.sql, [{ serverId: proxy.proxyId }]);
    const [job] = await claimDueJobs(worker.sql, 1, { renewEveryMs: 20 });
    if (!job) throw new Error('there is no job');
    const running = runJob(proxy.context(), job);
    await until('the create is under way', async () => (await embedded.calls()).createTunnel === 1);
    const holder = randomUUID();
    await worker.sql`update jobs set holder = ${holder}, expires_at = now() + interval '1 minute'`;
    expect(await Promise.race([running.then(() => 'broken off'), limit])).toBe('broken off');
    expect(Object.keys(await embedded.calls())).toEqual(['createTunnel']);
    expect(proxy.reports).toEqual([]);
    expect(await worker.jobs()).toMatchObject([{ holder }]);
  });

  it('of a settled proxy in doubt keeps the doubt, and is not looked at again by itself', async () => {
    const proxy = newProxy();
    await proxy.run();
    await enqueue(worker.sql, [{ serverId: proxy.proxyId }]);
    await worker.sql`update jobs set unverified = true, generation = 1, failures = 2`;
    await embedded.send('DELETE', '/fault-injection/calls');
    expect(await proxy.runDue()).toBe(true);
    expect(await embedded.calls()).toEqual({});
    expect(await worker.jobs()).toMatchObject([
      { unverified: true, generation: 1, failures: 0, dueInMs: null, holder: null },
    ]);
    // Nobody's doubt is kept.
    proxy.state = null;
    await proxy.run();
    expect(await worker.jobs()).toEqual([]);
  });

  it('is not lost while proxies cannot be reached, and does nothing twice', async () => {
    const proxy = newProxy();
    proxy.down = true;
    await proxy.run();
    expect(await embedded.calls()).toEqual({});
    const [job] = await worker.jobs();
    expect(job).toMatchObject({ failures: 0, unverified: false });
    expect(job?.dueInMs).toBeGreaterThan(500);
    expect(job?.dueInMs).toBeLessThanOrEqual(1_000);
    proxy.down = false;
    await worker.letRetryCome();
    await proxy.runDue({ report: () => Promise.reject(new Error('nobody serves proxies')) });
    await worker.letRetryCome();
    await proxy.runDue();
    expect(proxy.reports).toMatchObject([{ kind: 'applied' }]);
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 1 }]);
    expect(await worker.jobs()).toEqual([]);
  });

  it('that was overtaken by a change leaves the change to its own enqueue command', async () => {
    const proxy = newProxy();
    await proxy.run({
      report: async ({ generation }) => {
        proxy.change(null);
        return generation !== 1;
      },
    });
    await proxy.run();
    expect(proxy.state).toBeNull();
    expect(await worker.counts()).toEqual([{ tunnels: 0, records: 0 }]);
    expect(await worker.jobs()).toEqual([]);
  });
});

describe('a run without budget', () => {
  const exhausted = new BudgetExhausted(5_000);

  it('waits without having touched anything, and does not count as failed', async () => {
    const proxy = newProxy();
    await proxy.run({ budget: { acquire: () => Promise.reject(exhausted), pause: async () => {} } });
    expect(await embedded.calls()).toEqual({});
    const [job] = await worker.jobs();
    expect(job).toMatchObject({ failures: 0, unverified: false });
    expect(job?.dueInMs).toBeGreaterThan(4_000);
    expect(await worker.runs()).toEqual([]);
    await worker.letRetryCome();
    await proxy.runDue();
    expect(await embedded.calls()).toEqual({ createTunnel: 1, putConfiguration: 1, createRecord: 1 });
  });

  it('in the middle goes on later from what there is', async () => {
    const proxy = newProxy();
    let left = 2;
    const acquire = async () => {
      if (left === 0) throw exhausted;
      left -= 1;
    };
    await proxy.run({ budget: { acquire, pause: async () => {} } });
    expect(await embedded.calls()).toEqual({ createTunnel: 1, putConfiguration: 1 });
    expect(proxy.reports).toEqual([]);
    expect(await worker.jobs()).toMatchObject([{ failures: 0, unverified: true }]);
    await worker.letRetryCome();
    await proxy.runDue();
    expect(proxy.reports).toMatchObject([{ kind: 'applied' }]);
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('asks for them in the lane of people only while somebody waits', async () => {
    const lanes: string[] = [];
    const patience: number[] = [];
    const budget = {
      acquire: async (lane: string, ms: number) => {
        lanes.push(lane);
        patience.push(ms);
      },
      pause: async () => {},
    };
    await newProxy().run({ budget }, { urgent: true });
    await newProxy().run({ budget });
    expect(new Set(lanes.slice(0, 3))).toEqual(new Set(['interactive']));
    expect(new Set(lanes.slice(3))).toEqual(new Set(['background']));
    // Before the first one nothing is lost by coming back later.
    expect(patience.slice(0, 4)).toEqual([0, 10_000, 10_000, 0]);
    expect(new Set(patience.slice(4))).toEqual(new Set([10_000]));
  });
});

describe('a run whose report did not count', () => {
  it('may have changed more than is known: the next one looks at what there is', async () => {
    const proxy = newProxy();
    await proxy.run();
    proxy.change({ ...want, hostname: 'new.example.com' });
    // The owner changes it back while the worker has just moved it.
    await proxy.run({
      report: async () => {
        proxy.change(want);
        return false;
      },
    });
    await proxy.run();
    expect(proxy.reports.at(-1)).toMatchObject({ kind: 'applied', applied: want });
    const names = await embedded.sql<{ name: string }[]>`select name from dns_records`;
    expect(names.map(({ name }) => name)).toEqual([want.hostname]);
  });
});

describe('a definitive refusal', () => {
  it('is reported at once and not tried again', async () => {
    const proxy = newProxy();
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'refuse', status: 400, code: 1 });
    await proxy.run();
    expect(proxy.reports).toEqual([{ kind: 'refused', reason: 'tunnel_refused' }]);
    expect(await worker.runs()).toMatchObject([
      { outcome: 'refused', reason: 'tunnel_refused', detail: null, calls: 1, generation: 1 },
    ]);
    // The next run has to look at what this one has left.
    expect(await worker.jobs()).toMatchObject([
      { generation: 1, failures: 0, unverified: true, dueInMs: null, deadLetterReason: null },
    ]);
    await proxy.run();
    expect(await embedded.calls()).toEqual({ createTunnel: 1 });
  });

  it('because its tunnel is missing is not believed while many others are', async () => {
    const proxy = worker.newProxy();
    await proxy.run();
    const before = proxy.state?.applied;
    await embedded.sql`delete from configurations`;
    await embedded.sql`delete from tunnels`;
    proxy.change({ ...want, origin: 'http://10.0.0.1:80' });
    await proxy.run({ mayBelieveGone: async () => false });
    expect(proxy.reports.at(-1)).toEqual({ kind: 'failing', reason: 'provider_unavailable' });
    expect((await worker.runs()).at(-1)?.detail).toBe('its tunnel is missing, as are many others');
    expect(proxy.state?.applied).toEqual(before);
    await worker.letRetryCome();
    await proxy.run();
    expect(proxy.reports.at(-1)).toEqual({ kind: 'refused', reason: 'tunnel_gone' });
  });

  it('for another reason, and a success, is believed while many tunnels are missing', async () => {
    const [good, bad] = [newProxy(), newProxy()];
    const many = { mayBelieveGone: async () => false };
    await good.run(many);
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'refuse', status: 400, code: 1 });
    await bad.run(many);
    expect([good, bad].map(({ reports }) => reports.map(({ kind }) => kind))).toEqual([
      ['applied'],
      ['refused'],
    ]);
  });

  it('that left half a change is cleaned up by the next run', async () => {
    const proxy = newProxy();
    await embedded.send('POST', '/client/v4/zones/zone1/dns_records', {
      type: 'CNAME',
      name: want.hostname,
      content: 'elsewhere.example',
    });
    await proxy.run();
    expect(proxy.reports).toEqual([{ kind: 'refused', reason: 'hostname_in_use' }]);
    proxy.change({ ...want, hostname: 'free.example.com' });
    await proxy.run();
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 2 }]);
  });
});
