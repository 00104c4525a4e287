import { endAll } from '../kit/children.ts';
import type { Measured, Work } from '../kit/load-job.ts';
import { startLoader } from '../kit/loader.ts';
import { cpuBetween, cpuSeconds, memoryMiB, sum, untilQuiet } from '../kit/processes.ts';
import { short, spread, summary, table } from '../kit/statistics.ts';
import type { ResponseBody } from '../peers/bare.ts';
import { startBare } from '../systems/bare.ts';
import { openNestStores, startNest } from '../systems/nest.ts';
import type { System } from '../systems/system.ts';
import { newBenchUsers, startTalpaForBench } from '../systems/talpa.ts';

const cachedReads = ['/api/user', '/api/user/subscription/can-create-proxy', '/api/system/stats'];
const list = '/api/tunnel-configs';
const users = 16;
const connections = 32;
/** Requests a second that the load can send at given times on a core of its own. */
const mostArrivals = 5_000;

interface Round {
  readonly perSecond: number;
  /** Microseconds of processor time a request, of all processes that work on it. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** The same, of each process. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Our gateway beside bare Fastify with the same bytes and NestJS: reads that may be cached, a list, and creating
 * and deleting; then how late responses are at 70 % of what was reached, or at what the load can send.
 */
export async function measureGateway({
  rounds,
  seconds,
  only,
}: {
  rounds: number;
  seconds: number;
  /** One of the reads' paths, or `writes`; all of them when left out. */
  only?: string | undefined;
}): Promise<void> {
  const loader = await startLoader();
  const talpa = await startTalpaForBench();
  const stores = await openNestStores(talpa, users);
  try {
    const ours: System = {
      ...talpa,
      readers: await newBenchUsers(talpa.talpa, users, 25),
      writers: await newBenchUsers(talpa.talpa, users, 0),
    };
    const idle = memoryOf(talpa.parts);
    const answers = await answersOf(ours, [...cachedReads, list]);
    // With the same requests, cookies and all: to read them is part of the limit.
    const bodies = Object.fromEntries(
      Object.entries(answers).map(([path, { text, headers }]) => [
        path,
        { text, headers: { 'content-type': headers['content-type'] ?? '' } },
      ]),
    );
    const bare = [
      { ...(await startBare('bare Fastify, the body', bodies)), readers: ours.readers },
      { ...(await startBare('bare Fastify, the same bytes', answers)), readers: ours.readers },
    ];
    const nest = await startNest(stores);

    const plan: { work: Work; systems: System[] }[] = [
      ...cachedReads.map((path) => ({
        work: { kind: 'read', path } as const,
        systems: [...bare, ours, ...(path === '/api/user' ? [nest] : [])],
      })),
      { work: { kind: 'read', path: list }, systems: [...bare, ours, nest] },
      { work: { kind: 'create and delete' }, systems: [ours, nest] },
    ];
    let loaded: ReturnType<typeof memoryOf> | undefined;
    for (const { work, systems } of plan.filter(
      ({ work }) => !only || only === (work.kind === 'read' ? work.path : 'writes'),
    )) {
      const title = work.kind === 'read' ? `GET ${work.path}` : 'POST and DELETE /api/tunnel-configs';
      console.log(`\n### ${title}\n`);
      const results = new Map<System, Round[]>(systems.map((system) => [system, []]));
      for (const system of systems) await measure(system, work, 1.5);
      for (let round = 0; round < rounds; round += 1)
        for (const [at] of systems.entries()) {
          // Another order each round: whatever else the machine does meets all.
          const system = systems[(at + round) % systems.length] as System;
          results.get(system)?.push(await measure(system, work, seconds));
        }
      if (work.kind === 'read' && work.path === list) loaded = memoryOf(talpa.parts);
      report(results, ours);
      if (work.kind === 'read')
        await late(bare.slice(1), ours, work, median(results.get(ours), 'perSecond'), seconds);
    }
    console.log('\n### Memory of our processes (MiB, PSS)\n');
    const names = Object.keys(idle);
    const cells = (memory: Record<string, number> | undefined) =>
      names.map((name) => short(memory?.[name] ?? Number.NaN));
    console.log(
      table(
        ['', ...names],
        [
          ['idle', ...cells(idle)],
          ['after reads', ...cells(loaded)],
          ['at the end', ...cells(memoryOf(talpa.parts))],
        ],
      ),
    );
  } finally {
    loader.end();
    await endAll();
    await talpa.stop();
  }

  async function measure(system: System, work: Work, duration: number): Promise<Round> {
    const signedIn = work.kind === 'read' ? system.readers : system.writers;
    const before = cpuSeconds(system.parts);
    const measured = await loader.run({
      url: system.url,
      cookies: signedIn.map(({ cookie }) => cookie),
      work,
      seconds: duration,
      connections: work.kind === 'read' ? connections : users,
    });
    // What goes on after the responses (tunnels being removed) belongs to them.
    if (work.kind !== 'read') await untilQuiet(system.parts);
    const used = cpuBetween(before, cpuSeconds(system.parts));
    const each = (seconds: number) => (seconds / Math.max(1, measured.count)) * 1e6;
    const parts = Object.fromEntries(Object.entries(used).map(([name, seconds]) => [name, each(seconds)]));
    return { ...measured, cpu: each(sum(used)), parts };
  }

  /** How late responses are at a rate that is not all there is; bare Fastify's at the same one are the load's own. */
  async function late(
    bare: System[],
    ours: System,
    work: Work,
    reached: number,
    duration: number,
  ): Promise<void> {
    const rate = Math.min(0.7 * reached, mostArrivals);
    const run = (system: System) =>
      loader.run({
        url: system.url,
        cookies: system.readers.map(({ cookie }) => cookie),
        work,
        // The slowest hundredth of fewer responses would be a single pause.
        seconds: Math.max(duration, 5),
        connections,
        rate,
      });
    const results = new Map<System, Measured[]>([...bare, ours].map((system) => [system, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [system, of] of results) of.push(await run(system));
    const rows = [...results].map(([{ name }, of]) => [
      name,
      spread(of.map(({ p50 }) => p50)),
      spread(of.map(({ p99 }) => p99)),
      spread(of.map(({ p50, p99 }) => p99 / p50)),
      String(of.reduce((sum, { failed }) => sum + failed, 0)),
    ]);
    console.log(
      `\nAt ${Math.round((100 * rate) / reached)} % of Talpa's (${short(rate)} a second, open arrivals):\n`,
    );
    console.log(table(['', 'p50 ms', 'p99 ms', 'p99 ÷ p50', 'failed'], rows));
  }
}

/** Node's server writes these by itself. */
const ownHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** What our gateway answers the first reader. */
async function answersOf(system: System, paths: readonly string[]): Promise<Record<string, ResponseBody>> {
  const answers: Record<string, ResponseBody> = {};
  for (const path of paths) {
    const cookie = system.readers[0]?.cookie ?? '';
    const response = await fetch(system.url + path, { headers: { cookie } });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name)));
    answers[path] = { text: await response.text(), headers };
  }
  return answers;
}

function median(rounds: readonly Round[] | undefined, field: 'perSecond' | 'cpu'): number {
  return summary((rounds ?? []).map((round) => round[field])).median;
}

function report(results: ReadonlyMap<System, readonly Round[]>, ours: System): void {
  const own = results.get(ours);
  const rows = [...results].map(([system, rounds]) => [
    system.name,
    spread(rounds.map((round) => round.perSecond)),
    spread(rounds.map((round) => round.cpu)),
    spread(rounds.map((round) => round.p50)),
    spread(rounds.map((round) => round.p99)),
    short(median(own, 'perSecond') / median(rounds, 'perSecond')),
    short(median(rounds, 'cpu') / median(own, 'cpu')),
    String(rounds.reduce((sum, round) => sum + round.failed, 0)),
  ]);
  const head = [
    '',
    'a second',
    'CPU µs each',
    'p50 ms',
    'p99 ms',
    'Talpa ÷ it (a second)',
    'its CPU ÷ Talpa’s',
    'failed',
  ];
  console.log(table(head, rows));
  for (const [system, rounds] of results) {
    const of = (name: string) => summary(rounds.map((round) => round.parts[name] ?? 0)).median;
    const shares = Object.keys(system.parts).map((name) => `${name} ${short(of(name))}`);
    if (shares.length > 1) console.log(`\n${system.name}, CPU µs each: ${shares.join(', ')}`);
  }
}

function memoryOf(parts: System['parts']): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, pid]) => [name, memoryMiB(pid)]));
}
