import type { Readiness } from '@talpa/service-kit/process/readiness';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../kit/ports.ts';
import { useTalpa } from '../kit/system.ts';
import { until } from '../kit/wait.ts';

const system = useTalpa({ METRICS_PORT: String(await freePorts(7)) });

const processes = ['gateway', 'auth', 'billing', 'proxies', 'stats', 'worker', 'provider'];

async function readinessOf(process: string) {
  const response = await fetch(new URL('/readyz', system.talpa.metrics[process]));
  return { status: response.status, body: (await response.json()) as Readiness };
}

function kill(part: string): void {
  const pid = system.pid(part);
  if (pid === null) throw new Error(`${part} does not run`);
  process.kill(pid, 'SIGKILL');
}

describe('readiness', () => {
  it('is told by every process on a port of its own, with all it stands on', async () => {
    for (const name of processes) {
      const { status, body } = await readinessOf(name);
      expect([name, status, body.ready, body.state]).toEqual([name, 200, true, 'running']);
      expect(body.dependencies.map((one) => one.name)).toContain('nats');
      expect(body.dependencies.every((one) => one.works)).toBe(true);
    }
  });

  it('says which store is away and since when, and that it is back', async () => {
    const before = new Date().toISOString();
    kill('postgres');
    const away = await until('auth says that Postgres is away', async () => {
      const { status, body } = await readinessOf('auth');
      return status === 503 && body.dependencies.find(({ name, works }) => name === 'postgres' && !works);
    });
    expect(away.reason).toBeTruthy();
    expect(away.since >= before).toBe(true);
    const back = await until('auth is ready again', async () => {
      const { status, body } = await readinessOf('auth');
      return status === 200 && body.dependencies.find(({ name }) => name === 'postgres');
    });
    expect(back.since >= away.since).toBe(true);
  });

  it('is not lost with a store that the work goes on without', async () => {
    kill('redis');
    await until('the gateway says that Redis is away', async () => {
      const { status, body } = await readinessOf('gateway');
      const redis = body.dependencies.find(({ name }) => name === 'redis');
      return status === 200 && redis && !redis.works && !redis.needed;
    });
    await until('Redis is back', async () =>
      (await readinessOf('gateway')).body.dependencies.every(({ works }) => works),
    );
  });
});

describe('the public door', () => {
  it('leads to no metrics', async () => {
    for (const path of ['/metrics', '/api/metrics']) {
      const answer = await fetch(system.url + path);
      expect(await answer.text(), path).not.toContain('talpa_');
    }
  });
});
