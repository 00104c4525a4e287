import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, start } from '../kit/children.ts';
import { cpuBetween, cpuSeconds, memoryMiB } from '../kit/processes.ts';
import { quantile, spread, summary, table } from '../kit/statistics.ts';
import { download, eventTimes, smallRequests, upload, webSocketTimes } from './load.ts';
import { type ForwardingSystem, startFrp, startNginx, startTalpaSystem } from './systems.ts';

const transferBytes = 104_857_600;
const connections = 32;
const warmUpMs = 1_000;
const events = 100;
const roundTrips = 1_000;
const megabyte = 1_000_000;

/** What one system did in one round. */
type Figures = Record<string, number>;

/**
 * Measures the edge beside frp and nginx before the same origin, in turn, round by round.
 * FRPS, FRPC and CLOUDFLARED name programs; what is not named is left out (our own connector takes cloudflared's place).
 */
export async function measureEdge({ rounds, seconds }: { rounds: number; seconds: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-bench-'));
  const origin = await start('edge/origin.ts');
  const talpa = await startTalpaSystem(origin.port);
  try {
    const others = [await startFrp(folder, origin.port), await startNginx(folder, origin.port)];
    const systems = [talpa, ...others.filter((system) => system !== null)];
    const figures = new Map<string, Figures[]>(systems.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const system of systems)
        figures.get(system.name)?.push(await measure(system, origin.pid, seconds * 1_000));
    const names = Object.keys(figures.get(talpa.name)?.[0] ?? {});
    const rows = systems.map(({ name }) => [
      name,
      ...names.map((figure) => spread((figures.get(name) ?? []).map((one) => one[figure] ?? 0))),
    ]);
    console.log(table(['', ...names], rows));
    reportRatios(figures, talpa.name, 'frp');
  } finally {
    await talpa.stop?.();
    await endAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(system: ForwardingSystem, originPid: number, durationMs: number): Promise<Figures> {
  const { port } = system;
  const parts = Object.fromEntries([
    ...system.edge.map((pid) => [`edge ${pid}`, pid]),
    ...system.connector.map((pid) => [`connector ${pid}`, pid]),
    ['origin', originPid],
  ]);
  const used = async <T>(work: () => Promise<T>) => {
    const before = cpuSeconds(parts);
    const result = await work();
    const spent = Object.entries(cpuBetween(before, cpuSeconds(parts)));
    const of = (part: string) =>
      spent.filter(([name]) => name.startsWith(part)).reduce((total, [, value]) => total + value, 0);
    return { result, of };
  };
  await smallRequests(port, connections, warmUpMs);
  const alone = await smallRequests(port, 1, warmUpMs);
  const small = await used(() => smallRequests(port, connections, durationMs));
  const micro = (part: string) => (small.of(part) / small.result.length) * 1e6;
  const down = await used(() => download(port, transferBytes));
  const up = await used(() => upload(port, transferBytes));
  const event = await eventTimes(port, events);
  const socket = await webSocketTimes(port, roundTrips);
  return {
    'per second': (small.result.length / durationMs) * 1_000,
    'edge µs': micro('edge'),
    'connector µs': micro('connector'),
    'origin µs': micro('origin'),
    'p99 ms': quantile(small.result, 0.99),
    'alone p50 ms': quantile(alone, 0.5),
    'alone p99 ms': quantile(alone, 0.99),
    'down MB/s': down.result / megabyte,
    'down edge ms': down.of('edge') * 1_000,
    'up MB/s': up.result / megabyte,
    'up edge ms': up.of('edge') * 1_000,
    'event p50 ms': quantile(event, 0.5),
    'event p99 ms': quantile(event, 0.99),
    'WebSocket p50 ms': quantile(socket, 0.5),
    'WebSocket p99 ms': quantile(socket, 0.99),
    'edge MiB': system.edge.reduce((total, pid) => total + memoryMiB(pid), 0),
  };
}

/** Each round's ratio, because rounds differ more than systems do. */
function reportRatios(figures: ReadonlyMap<string, Figures[]>, ours: string, theirs: string): void {
  const other = figures.get(theirs);
  if (!other) return;
  for (const name of ['per second', 'down MB/s', 'up MB/s', 'alone p99 ms', 'edge µs']) {
    const ratios = (figures.get(ours) ?? []).map(
      (one, round) => (one[name] ?? 0) / (other[round]?.[name] ?? 0),
    );
    console.log(`${name} ÷ ${theirs}: ${spread(ratios)} (median ${summary(ratios).median.toFixed(2)})`);
  }
}
