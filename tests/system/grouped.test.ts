import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processNames } from '@talpa/instance/ports.mjs';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { allSamples } from '@talpa/test-kit/metrics';
import { freePorts } from '@talpa/test-kit/ports';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const settings = {
  METRICS_PORT: String(await freePorts(2 * processNames.length)),
  SWEEP_INTERVAL_MS: '1000',
};
const grouped = useTalpa({ ...settings, PROCESSES: 'grouped' });
const separate = useTalpa({
  ...settings,
  METRICS_PORT: String(Number(settings.METRICS_PORT) + processNames.length),
});

/** The figures of a panel that has done the main job, without how often and for what: those come with calls. */
async function figuresOf(system: typeof grouped): Promise<string[]> {
  await until('every process to be ready', async () => {
    const ready = (await allSamples(system.talpa)).filter(({ name }) => name === 'talpa_ready');
    return ready.length === processNames.length && ready.every(({ value }) => value === 1);
  });
  const found = await allSamples(system.talpa);
  return [
    ...new Set(
      found
        // The log of the process itself is one more where it is shared.
        .filter(({ name, labels }) => name.startsWith('talpa_') && labels.process !== 'services')
        .map(({ name, labels }) => `${name} of ${labels.process}`),
    ),
  ].toSorted();
}

async function mainJob(): Promise<void> {
  const { client } = await newUser(grouped.url, 'enterprise');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  await client.call('GET /api/system/stats', {});
  expect(await client.call('GET /api/tunnel-status/:id', { id: proxy.id })).toBeDefined();
}

it('services that share a process report the figures that they report in their own, under the same names', async () => {
  expect([...grouped.talpa.parts.keys()].toSorted()).toEqual(
    ['gateway', 'services', 'edge', 'postgres', 'nats', 'redis'].toSorted(),
  );
  // Some figures come with the first message that a consumer handles.
  await until('both to report the same figures', async () => {
    const [apart, together] = [await figuresOf(separate), await figuresOf(grouped)];
    expect(apart.length).toBeGreaterThan(100);
    expect(together).toEqual(apart);
    return true;
  });
});

it('each service writes its own lines into the log of the process', async () => {
  await mainJob();
  const lines = readFileSync(join(grouped.talpa.home, 'log/services.log'), 'utf8').trim().split('\n');
  const ready = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'ready');
  const members = processNames.filter((name) => name !== 'gateway' && name !== 'edge');
  expect(ready.map(({ name }) => name).toSorted()).toEqual([...members, 'services'].toSorted());
});

it('a group that is killed comes back where it was, and the main job works again', async () => {
  const { providerUrl } = grouped.talpa;
  const before = grouped.pid('auth');
  process.kill(before ?? 0, 'SIGKILL');
  await until('the group runs again', () => grouped.pid('auth') !== before && grouped.pid('auth'));
  await until('the main job works', async () => {
    await mainJob();
    return true;
  });
  expect((await fetch(`${providerUrl}/accounts`)).status).toBe(401);
});
