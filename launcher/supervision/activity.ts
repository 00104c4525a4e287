import { readFileSync } from 'node:fs';
import { descendantsOf, statOf } from '@talpa/instance/child';

/** The processor time and disk traffic that a process and its descendants have used so far. */
export interface Activity {
  /** Processor time, in hundredths of a second. */
  readonly ticks: number;
  /** Bytes read from disks and written to them. */
  readonly bytes: number;
  /** One of them runs, or would if there were a processor for it. */
  readonly isRunnable: boolean;
}

/** A process that only waits uses less: two thousandths of the time. */
const ticksPerSecond = 0.2;

/** Reads the activity from /proc. @param pid a process that may have ended */
export function activityOf(pid: number): Activity {
  const all = [pid, ...descendantsOf(pid)];
  const sum = (read: (one: number) => number) => all.reduce((total, one) => total + read(one), 0);
  return { ticks: sum(ticksOf), bytes: sum(bytesOf), isRunnable: all.some(isRunnable) };
}

/** Whether the process did anything between two readings, or waits for a processor. A descendant that has ended meanwhile counts as activity. */
export function wasActive(before: Activity, after: Activity, ms: number): boolean {
  const ticks = Math.abs(after.ticks - before.ticks);
  return (
    after.isRunnable || after.bytes !== before.bytes || ticks >= Math.max(1, (ms / 1_000) * ticksPerSecond)
  );
}

const isRunnable = (pid: number) => statOf(pid)[0] === 'R';

const ticksOf = (pid: number) => {
  const fields = statOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
};

function bytesOf(pid: number): number {
  try {
    const lines = readFileSync(`/proc/${pid}/io`, 'utf8').matchAll(/^(?:read|write)_bytes: (\d+)$/gm);
    return [...lines].reduce((total, [, bytes]) => total + Number(bytes), 0);
  } catch {
    // The process has ended, or belongs to another user.
    return 0;
  }
}
