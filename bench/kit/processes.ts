import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const ticksPerSecond = 100;
/** Seconds of processor time in a second that all parts together use while nothing is going on. */
const quiet = 0.06;
/** A slow machine is never as quiet as that. */
const longestWaitMs = 20_000;

/** Seconds of processor time that each of these processes has used, with its children. */
export function cpuSeconds(parts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, pid]) => [name, ticksOf(withChildren([pid])) / ticksPerSecond]),
  );
}

/** What was used in between, of each. */
export function cpuBetween(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]),
  );
}

export const sum = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((total, value) => total + value, 0);

function ticksOf(pids: readonly number[]): number {
  return pids.reduce((ticks, pid) => {
    const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
    return ticks + Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }, 0);
}

/** Memory of one process in MiB: its own, and its part of what it shares (PSS). */
export function memoryMiB(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1_024;
}

/** These processes and all that came from them (Postgres has one for each connection). */
function withChildren(pids: readonly number[]): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(read(`/proc/${name}/stat`).split(') ')[1]?.split(' ')[1]);
    parents.set(Number(name), parent);
  }
  const all = new Set(pids);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents)
      if (all.has(parent) && !all.has(pid)) {
        all.add(pid);
        grown = true;
      }
  }
  return [...all];
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Waits until nothing goes on any more in the background. */
export async function untilQuiet(parts: Readonly<Record<string, number>>): Promise<void> {
  const end = Date.now() + longestWaitMs;
  for (let before = sum(cpuSeconds(parts)); Date.now() < end; ) {
    await wait(1_000);
    const now = sum(cpuSeconds(parts));
    if (now - before < quiet) return;
    before = now;
  }
}
