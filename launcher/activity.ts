import { readFileSync } from 'node:fs';
import { descendantsOf, statOf } from './child.ts';

/** What a process and all that it has started have done so far. */
export interface Work {
  /** Processor time, in hundredths of a second. */
  readonly ticks: number;
  /** Bytes read from disks and written to them. */
  readonly bytes: number;
}

/** Less is what a process uses that only waits: two thousandths of the time. */
const ticksPerSecond = 0.2;

/** Reads it from Linux. @param pid a process that may have ended */
export function workOf(pid: number): Work {
  const all = [pid, ...descendantsOf(pid)];
  const sum = (read: (one: number) => number) => all.reduce((total, one) => total + read(one), 0);
  return { ticks: sum(ticksOf), bytes: sum(bytesOf) };
}

/** Whether something was done between two looks; a process that has ended since counts as something. */
export function hasWorked(before: Work, after: Work, ms: number): boolean {
  const ticks = Math.abs(after.ticks - before.ticks);
  return after.bytes !== before.bytes || ticks >= Math.max(1, (ms / 1_000) * ticksPerSecond);
}

const ticksOf = (pid: number) => {
  const fields = statOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
};

function bytesOf(pid: number): number {
  try {
    const lines = readFileSync(`/proc/${pid}/io`, 'utf8').matchAll(/^(?:read|write)_bytes: (\d+)$/gm);
    return [...lines].reduce((total, [, bytes]) => total + Number(bytes), 0);
  } catch {
    // Ended, or another user's.
    return 0;
  }
}
