import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { cpuBetween, cpuSeconds, sum } from '../kit/processes.ts';
import { short, spread, table } from '../kit/statistics.ts';
import { type RunningTalpa, startTalpaForBench } from '../systems/talpa.ts';

/** Rules that a tunnel has at most. */
const mostRules = 200;

/** Joins of a server until its tunnel has all the rules it may have. */
export async function measureServers(): Promise<void> {
  const talpa = await startTalpaForBench({ HEALTH_INTERVAL_MS: '3600000', RESYNC_INTERVAL_MS: '3600000' });
  try {
    await measureJoins(talpa);
  } finally {
    await talpa.stop();
  }
}

/** A user with a plan for so many proxies as a server has rules. */
async function newOwner(talpa: RunningTalpa): Promise<Client> {
  const { client, user } = await newUser(talpa.talpa.url, 'enterprise');
  const { id, username, isAdmin } = user;
  const input = { id, username, isAdmin, proxyLimit: 2 * mostRules, subscriptionTier: 'enterprise' } as const;
  await (await talpa.admin()).call('PUT /api/admin/users/:id', input);
  return client;
}

const join = (client: Client, serverId: number) =>
  client.call('POST /api/tunnel-configs', { ...proxyInput(), serverId });

/** ms and processor time of some work, in ms. */
async function cost(talpa: RunningTalpa, work: () => Promise<unknown>) {
  const [began, before] = [performance.now(), cpuSeconds(talpa.parts)];
  await work();
  const ms = performance.now() - began;
  return { ms, cpuMs: 1_000 * sum(cpuBetween(before, cpuSeconds(talpa.parts))) };
}

async function measureJoins(talpa: RunningTalpa): Promise<void> {
  const client = await newOwner(talpa);
  const { id } = await client.call('POST /api/servers', { name: 'Maschine' });
  const joins: { ms: number; cpuMs: number }[] = [];
  for (let rules = 0; rules < mostRules; rules += 1) joins.push(await cost(talpa, () => join(client, id)));
  const parts = [0, 50, 100, 150].map((from) => joins.slice(from, from + 50));
  const rows = [...parts, joins].map((some, part) => [
    part < parts.length ? `${50 * part + 1}–${50 * part + 50}` : 'all',
    spread(some.map(({ ms }) => ms)),
    short(some.reduce((total, { cpuMs }) => total + cpuMs, 0) / some.length),
  ]);
  console.log(table(['rules after a join', 'ms', 'CPU ms each'], rows));
}
