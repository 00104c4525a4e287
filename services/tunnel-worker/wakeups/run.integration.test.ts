import { randomUUID } from 'node:crypto';
import type { DesiredTunnel, Outcome } from '@talpa/contracts';
import { openDatabase, type Sql } from '@talpa/service-kit/database/connect';
import { RetryLater } from '@talpa/service-kit/events/consume';
import { createLog } from '@talpa/service-kit/log';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSchemas, useProvider } from '../../../tests/kit/embedded-provider.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { until } from '../../../tests/kit/wait.ts';
import type { RunEntry } from '../runs/sql.ts';
import { type RunContext, runWakeup } from './run.ts';

const stores = useStores();
const embedded = useProvider(stores);
let sql: Sql;

beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'worker');
  sql = openDatabase(urlOf('worker'), 8);
});
beforeEach(async () => {
  await sql`delete from leases`;
  await sql`delete from runs`;
});
afterAll(() => sql?.end({ timeout: 5 }));

const want = { incarnation: 1, hostname: 'srv.example.com', origin: 'http://127.0.0.1:40120' };

/** One proxy and the two calls that concern it, answered as the service proxies does. */
class OneProxy {
  readonly proxyId = randomUUID();
  state: DesiredTunnel | null;
  readonly reports: Outcome[] = [];
  readonly parked: object[] = [];
  /** Set to be unreachable. */
  down = false;

  constructor() {
    this.state = { proxyId: this.proxyId, generation: 1, want, applied: null, settled: false };
  }

  context(changes: Partial<RunContext> = {}): RunContext {
    return {
      sql,
      log: createLog('worker', 'silent'),
      provider: embedded.settings,
      installationId: 'test1',
      attempts: 3,
      stopping: new AbortController().signal,
      getDesired: async () => this.reachable(),
      report: async (_proxyId, generation, outcome) => {
        const state = this.reachable();
        if (state?.generation !== generation) return false;
        this.reports.push(outcome);
        if (outcome.kind === 'applied') this.state = { ...state, applied: outcome.applied, settled: true };
        if (outcome.kind === 'removed') this.state = null;
        if (outcome.kind === 'refused') this.state = { ...state, settled: true };
        return true;
      },
      park: async (note) => {
        this.parked.push(note);
      },
      ...changes,
    };
  }

  run(messageId = 1, changes: Partial<RunContext> = {}): Promise<void> {
    return runWakeup(this.context(changes), this.proxyId, messageId);
  }

  /** Raises the generation, as every change does. */
  change(wanted: DesiredTunnel['want']): void {
    if (this.state)
      this.state = { ...this.state, want: wanted, settled: false, generation: this.state.generation + 1 };
  }

  private reachable(): DesiredTunnel | null {
    if (this.down) throw new Error('nobody serves proxies');
    return this.state;
  }
}

const leases = () => sql`select * from leases`;
const runs = () => sql<RunEntry[]>`select * from runs order by id`;
const counts = () =>
  embedded.sql<{ tunnels: number; records: number }[]>`
    select (select count(*)::integer from tunnels where deleted_at is null) as tunnels,
      (select count(*)::integer from dns_records) as records`;
/** Time passes for what has been put off. */
const letRetryCome = () => sql`update leases set retry_at = now()`;

describe('a wake-up', () => {
  it('brings a proxy up to date, reports it, and leaves nothing but a line in the log', async () => {
    const proxy = new OneProxy();
    await proxy.run();
    expect(proxy.reports).toMatchObject([{ kind: 'applied', applied: want }]);
    expect(await runs()).toMatchObject([
      { proxyId: proxy.proxyId, generation: 1, calls: 3, outcome: 'applied', reason: null },
    ]);
    expect(await leases()).toEqual([]);
  });

  it('asks the provider nothing when all is settled or nobody knows the proxy', async () => {
    const proxy = new OneProxy();
    await proxy.run();
    await embedded.send('DELETE', '/switches/calls');
    await proxy.run(2);
    proxy.state = null;
    await proxy.run(3);
    expect(await embedded.calls()).toEqual({});
    expect(await leases()).toEqual([]);
  });

  it('that comes to two workers at once is worked on by one', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'delay', ms: 300 });
    const results = await Promise.allSettled([proxy.run(), proxy.run(), proxy.run()]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(RetryLater);
    expect(await embedded.calls()).toMatchObject({ createTunnel: 1, createRecord: 1 });
    await proxy.run();
    expect(await counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('finds what a worker that died has left', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ match: { operation: 'createRecord' }, fault: 'lose_answer', times: 1 });
    await expect(proxy.run()).rejects.toThrow();
    // The dead worker's lease has run out; it never gave it back.
    await sql`update leases set holder = ${randomUUID()}, expires_at = now() - interval '1 second'`;
    await proxy.run(1);
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('stops asking the provider when the process stops, and reports nothing', async () => {
    const proxy = new OneProxy();
    const stopping = new AbortController();
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'delay', ms: 60_000 });
    const running = proxy.run(1, { stopping: stopping.signal });
    await until('the create is under way', async () => (await embedded.calls()).createTunnel === 1);
    stopping.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(Object.keys(await embedded.calls())).toEqual(['createTunnel']);
    expect(proxy.reports).toEqual([]);
    await until('the provider has done the work', async () => (await counts())[0]?.tunnels === 1);
  });

  it('is not lost while proxies cannot be reached, and does nothing twice', async () => {
    const proxy = new OneProxy();
    proxy.down = true;
    await expect(proxy.run()).rejects.toThrow('nobody serves proxies');
    expect(await embedded.calls()).toEqual({});
    proxy.down = false;
    await expect(
      proxy.run(1, { report: () => Promise.reject(new Error('nobody serves proxies')) }),
    ).rejects.toThrow('nobody serves proxies');
    await proxy.run();
    expect(proxy.reports).toMatchObject([{ kind: 'applied' }]);
    expect(await counts()).toEqual([{ tunnels: 1, records: 1 }]);
  });

  it('that was overtaken by a change leaves the change to its own wake-up', async () => {
    const proxy = new OneProxy();
    await proxy.run(1, {
      report: async (_id, generation) => {
        proxy.change(null);
        return generation !== 1;
      },
    });
    await proxy.run(2);
    expect(proxy.state).toBeNull();
    expect(await counts()).toEqual([{ tunnels: 0, records: 0 }]);
    expect(await leases()).toEqual([]);
  });
});

describe('a run whose report did not count', () => {
  it('may have changed more than is known: the next one looks at what there is', async () => {
    const proxy = new OneProxy();
    await proxy.run(1);
    proxy.change({ ...want, hostname: 'new.example.com' });
    // The owner changes it back while the worker has just moved it.
    await proxy.run(2, {
      report: async () => {
        proxy.change(want);
        return false;
      },
    });
    await proxy.run(3);
    expect(proxy.reports.at(-1)).toMatchObject({ kind: 'applied', applied: want });
    const names = await embedded.sql<{ name: string }[]>`select name from dns_records`;
    expect(names.map(({ name }) => name)).toEqual([want.hostname]);
  });
});

describe('a passing failure', () => {
  it('is reported at once and tried again after what the provider asks for', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ fault: '429', retryAfter: 9, times: 1 });
    const error = await proxy.run().catch((reason) => reason);
    expect(error).toBeInstanceOf(RetryLater);
    expect(error.delayMs).toBe(9_000);
    expect(proxy.reports).toEqual([{ kind: 'failing', reason: 'provider_unavailable' }]);
    await proxy.run();
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
  });

  it('is not hurried by other wake-ups, but by a change', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ fault: '429', retryAfter: 600, times: 1 });
    await expect(proxy.run(1)).rejects.toBeInstanceOf(RetryLater);
    await embedded.send('DELETE', '/switches/calls');
    await proxy.run(2);
    expect(await embedded.calls()).toEqual({});
    proxy.change({ ...want, origin: 'http://127.0.0.1:1' });
    await proxy.run(3);
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
  });

  it('is parked once after the last attempt, tried on when woken, and forgotten when it works', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ fault: '500' });
    await expect(proxy.run()).rejects.toBeInstanceOf(RetryLater);
    await expect(proxy.run()).rejects.toBeInstanceOf(RetryLater);
    await proxy.run();
    expect(proxy.parked).toMatchObject([
      { proxyId: proxy.proxyId, generation: 1, failures: 3, reason: 'provider_unavailable' },
    ]);
    expect(proxy.reports.at(-1)).toEqual({ kind: 'failing', reason: 'provider_unavailable' });
    await proxy.run(2);
    expect(proxy.parked).toHaveLength(1);

    await embedded.send('DELETE', '/switches/faults');
    await proxy.run(3);
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await leases()).toEqual([]);
  });

  it('is not given up when it cannot be parked', async () => {
    const proxy = new OneProxy();
    const park = () => Promise.reject(new Error('NATS is gone'));
    await embedded.fault({ fault: '500' });
    await expect(proxy.run(1, { attempts: 1, park })).rejects.toThrow('NATS is gone');
    await expect(proxy.run(1, { attempts: 1, park })).rejects.toThrow('NATS is gone');
    await proxy.run(1, { attempts: 1 });
    expect(proxy.parked).toHaveLength(1);
  });

  it('counts anew for a new generation', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ fault: '500' });
    await expect(proxy.run()).rejects.toBeInstanceOf(RetryLater);
    await expect(proxy.run()).rejects.toBeInstanceOf(RetryLater);
    proxy.change(null);
    await expect(proxy.run(2)).rejects.toBeInstanceOf(RetryLater);
    await letRetryCome();
    await expect(proxy.run(2)).rejects.toBeInstanceOf(RetryLater);
    expect(proxy.parked).toEqual([]);
  });
});

describe('a definitive refusal', () => {
  it('is reported at once and not tried again', async () => {
    const proxy = new OneProxy();
    await embedded.fault({ match: { operation: 'createTunnel' }, fault: 'refuse', status: 400, code: 1 });
    await proxy.run();
    expect(proxy.reports).toEqual([{ kind: 'refused', reason: 'tunnel_refused' }]);
    await proxy.run(2);
    expect(await embedded.calls()).toEqual({ createTunnel: 1 });
  });

  it('that left half a change is cleaned up by the next run', async () => {
    const proxy = new OneProxy();
    await embedded.send('POST', '/client/v4/zones/zone1/dns_records', {
      type: 'CNAME',
      name: want.hostname,
      content: 'elsewhere.example',
    });
    await proxy.run();
    expect(proxy.reports).toEqual([{ kind: 'refused', reason: 'hostname_in_use' }]);
    proxy.change({ ...want, hostname: 'free.example.com' });
    await proxy.run(2);
    expect(proxy.reports.at(-1)?.kind).toBe('applied');
    expect(await counts()).toEqual([{ tunnels: 1, records: 2 }]);
  });
});
