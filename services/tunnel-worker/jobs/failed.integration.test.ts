import { createLog } from '@talpa/service-kit/log';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { useRuns, want } from '@talpa/test-kit/worker-runs';
import { describe, expect, it, vi } from 'vitest';
import { BudgetExhausted } from '../budget/budget.ts';

const stores = useStores();
const embedded = useProvider(stores);
const worker = useRuns(stores, embedded);
const { newProxy } = worker;

describe('a passing failure', () => {
  it('is reported at once and tried again soon, by itself', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '500', times: 1 });
    await proxy.run();
    expect(proxy.reports).toEqual([{ kind: 'failing', reason: 'provider_unavailable' }]);
    expect(await worker.runs()).toMatchObject([
      {
        ...{ outcome: 'failing', reason: 'provider_unavailable', calls: 1 },
        detail: expect.stringMatching(/^create tunnel: 500/),
      },
    ]);
    const [job] = await worker.jobs();
    expect(job).toMatchObject({ generation: 1, failures: 1, deadLetterDetail: null });
    expect(job?.dueInMs).toBeLessThanOrEqual(250);
    await until('it is due', () => proxy.runDue());
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await worker.jobs()).toEqual([]);
  });

  it('that is a refusal of all calls pauses every worker, and is none of the proxy’s failures', async () => {
    const proxy = newProxy();
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
    };
    await embedded.fault({ fault: '429', retryAfter: 9 });
    for (let count = 0; count < 4; count += 1) {
      await proxy.run({ budget: { acquire: async () => {}, pause } });
      const [job] = await worker.jobs();
      expect(job).toMatchObject({ failures: 0, deadLetterReason: null });
      expect(job?.dueInMs).toBeGreaterThan(8_000);
      await worker.letRetryCome();
    }
    expect(pauses).toEqual([9_000, 9_000, 9_000, 9_000]);
  });

  it('is not hurried by other enqueue commands, but by a change', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '429', retryAfter: 600, times: 1 });
    await proxy.run();
    await embedded.send('DELETE', '/fault-injection/calls');
    await proxy.run();
    expect(await embedded.calls()).toEqual({});
    expect(await proxy.runDue()).toBe(false);
    proxy.change({ ...want, origin: 'http://127.0.0.1:1' });
    await proxy.run();
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
  });

  it('becomes a dead letter after the last attempt, tried on now and then, and forgotten when it works', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '500' });
    for (let count = 0; count < 3; count += 1) {
      expect(await worker.jobs()).not.toMatchObject([{ deadLetterReason: 'provider_unavailable' }]);
      await proxy.run();
      await worker.letRetryCome();
    }
    expect(await worker.jobs()).toMatchObject([
      {
        ...{ proxyId: proxy.proxyId, generation: 1, failures: 3, deadLetterReason: 'provider_unavailable' },
        deadLetterDetail: expect.stringMatching(/^list tunnels: 500/),
      },
    ]);
    expect(proxy.reports.map(({ kind }) => kind)).toEqual(['failing', 'failing', 'dead_letter']);
    await proxy.runDue();
    const [job] = await worker.jobs();
    expect(job?.dueInMs).toBeGreaterThan(50_000);
    expect(job?.dueInMs).toBeLessThanOrEqual(60_000);

    await embedded.send('DELETE', '/fault-injection/faults');
    await worker.letRetryCome();
    await proxy.runDue();
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await worker.jobs()).toEqual([]);
  });

  it('waits the longer the more often it has failed', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '500', times: 2 });
    await proxy.run({ attempts: 100 });
    await worker.letRetryCome();
    await worker.sql`update jobs set failures = 8`;
    await proxy.runDue({ attempts: 100 });
    const [job] = await worker.jobs();
    expect(job).toMatchObject({ failures: 9, deadLetterReason: null });
    expect(job?.dueInMs).toBeGreaterThan(10_000);
  });

  it('counts anew for a new generation', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '500' });
    for (let count = 0; count < 4; count += 1) {
      await proxy.run();
      await worker.letRetryCome();
      if (count === 1) proxy.change(null);
    }
    expect(await worker.jobs()).toMatchObject([{ failures: 2, deadLetterReason: null }]);
  });
});

describe('a dead letter', () => {
  it('stays one when the provider only asks for patience, and is none for the next generation', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '500', times: 3 });
    for (let count = 0; count < 3; count += 1) {
      await proxy.run();
      await worker.letRetryCome();
    }
    await worker.sql`update jobs set failures = 1`;
    await embedded.fault({ fault: '500' });
    await proxy.runDue();
    expect(proxy.reports.at(-1)?.kind).toBe('dead_letter');
    expect(await worker.jobs()).toMatchObject([{ failures: 2, deadLetterReason: 'provider_unavailable' }]);
    proxy.change({ ...want, origin: 'http://127.0.0.1:1' });
    await proxy.run();
    expect(proxy.reports.at(-1)?.kind).toBe('failing');
    expect(await worker.jobs()).toMatchObject([{ generation: 2, failures: 1, deadLetterReason: null }]);
  });

  it('is one though the report of it cannot be sent', async () => {
    const proxy = newProxy();
    await embedded.fault({ fault: '500' });
    const report = () => Promise.reject(new Error('nobody serves proxies'));
    for (let count = 0; count < 3; count += 1) {
      await proxy.run({ report });
      expect(await worker.jobs()).toMatchObject([{ failures: count + 1 }]);
      await worker.letRetryCome();
    }
    expect(await worker.jobs()).toMatchObject([{ deadLetterReason: 'provider_unavailable' }]);
  });
});

describe('the log', () => {
  /** What a run says, by level: with which fields, and in words. */
  function listen() {
    const log = createLog('tunnel-worker', 'silent');
    const said: [string, unknown, string][] = [];
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      vi.spyOn(log, level).mockImplementation((fields: unknown, text?: string) => {
        said.push([level, fields, text ?? '']);
      });
    return { log, said };
  }
  const words = expect.stringMatching(/./);

  it('names the server, what it failed of and how often, and once what to do about a dead letter', async () => {
    const { log, said } = listen();
    const proxy = newProxy();
    const { proxyId: serverId } = proxy;
    const failure = new Error('nobody serves proxies');
    await embedded.fault({ fault: '500' });
    for (let count = 0; count < 4; count += 1) {
      await proxy.run({ log, attempts: 2, ...(count === 3 && { report: () => Promise.reject(failure) }) });
      await worker.letRetryCome();
    }
    const failed = (failures: number) => {
      const detail = expect.stringContaining('500');
      return ['warn', { serverId, generation: 1, failures, detail }, words];
    };
    const deadLetter = { serverId, generation: 1, failures: 2, detail: expect.stringContaining('500') };
    expect(said).toEqual([
      failed(1),
      failed(2),
      ['error', deadLetter, expect.stringContaining('npm run talpa -- dead-letters list')],
      failed(3),
      failed(4),
      ['warn', { err: failure, serverId }, words],
    ]);
  });

  it('names the outcome of each run, and why it was refused', async () => {
    const { log, said } = listen();
    const [good, bad] = [newProxy(), newProxy()];
    await good.run({ log });
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'refuse', status: 400, code: 1 });
    await bad.run({ log });
    const of = ({ proxyId }: { proxyId: string }) => ({ serverId: proxyId, generation: 1 });
    expect(said).toEqual([
      ['info', { ...of(good), calls: 3, outcome: 'applied' }, words],
      ['info', { ...of(bad), calls: 1, outcome: 'refused', reason: 'tunnel_refused' }, words],
    ]);
  });

  it('distinguishes a run that failed without budget, or because of ourselves', async () => {
    const { log, said } = listen();
    const proxy = newProxy();
    const { proxyId: serverId } = proxy;
    const acquire = () => Promise.reject(new BudgetExhausted(5_000));
    await proxy.run({ log, budget: { acquire, pause: async () => {} } });
    await worker.letRetryCome();
    proxy.down = true;
    await proxy.runDue({ log });
    expect(said).toEqual([
      ['debug', { serverId, lane: 'background', waitMs: 5_000 }, words],
      ['warn', { err: new Error('nobody serves proxies'), serverId }, words],
    ]);
  });
});

describe('what was seen left over', () => {
  const left = async (proxyId: string) => {
    for (const incarnation of [7, 8])
      await embedded.send('POST', '/client/v4/accounts/account1/cfd_tunnel', {
        name: `talpa-test1-${proxyId}-g${incarnation}`,
      });
  };

  it('of a settled proxy is removed, and the proxy made whole', async () => {
    const proxy = newProxy();
    await proxy.run();
    await left(proxy.proxyId);
    await embedded.sql`delete from dns_records`;
    await proxy.run({}, { fullScan: true });
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 1 }]);
    expect(proxy.reports.at(-1)).toMatchObject({
      kind: 'applied',
      applied: { tunnelId: proxy.state?.applied?.tunnelId },
    });
    expect(await worker.jobs()).toEqual([]);
  });

  it('of a known proxy stays while the database may be too old; what is wanted anew is done', async () => {
    const proxy = newProxy();
    await proxy.run();
    await left(proxy.proxyId);
    const restored = { mayRemoveUnknown: async () => false };
    await proxy.run(restored, { fullScan: true });
    expect(await worker.counts()).toEqual([{ tunnels: 3, records: 1 }]);
    proxy.change({ ...want, origin: 'http://127.0.0.1:1' });
    await proxy.run(restored, { fullScan: true });
    expect(proxy.reports.at(-1)).toMatchObject({
      kind: 'applied',
      applied: { origin: 'http://127.0.0.1:1' },
    });
    expect(await worker.counts()).toEqual([{ tunnels: 3, records: 1 }]);
    await proxy.run({}, { fullScan: true });
    expect(await worker.counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('of a proxy nobody knows is removed, but not while the database may be too old', async () => {
    const proxy = newProxy();
    proxy.state = null;
    await left(proxy.proxyId);
    await proxy.run({ mayRemoveUnknown: async () => false }, { fullScan: true });
    expect(await worker.counts()).toEqual([{ tunnels: 2, records: 0 }]);
    await proxy.run({}, { fullScan: true });
    expect(await worker.counts()).toEqual([{ tunnels: 0, records: 0 }]);
    expect(proxy.reports).toEqual([]);
  });

  it('of a refused proxy is removed without trying it again', async () => {
    const proxy = newProxy();
    if (proxy.state) proxy.state = { ...proxy.state, settled: true };
    await left(proxy.proxyId);
    await proxy.run({}, { fullScan: true });
    expect(await worker.counts()).toEqual([{ tunnels: 0, records: 0 }]);
    expect(proxy.reports).toEqual([]);
  });

  it('and cannot be removed now is not held against the proxy', async () => {
    const proxy = newProxy();
    await proxy.run();
    await left(proxy.proxyId);
    await embedded.fault({ match: { operation: 'deleteTunnel' }, fault: '500' });
    for (let count = 0; count < 4; count += 1) await proxy.run({}, { fullScan: true });
    expect(proxy.reports.map(({ kind }) => kind)).toEqual(['applied']);
    expect(await worker.jobs()).toMatchObject([{ deadLetterReason: null, dueInMs: null }]);
  });
});
