import { expect, it } from 'vitest';
import { momentNow, nameOf, reportOf } from './machine.ts';

const moment = (at: number, efforts: Readonly<Record<string, [workedMs: number, waitedMs: number]>>) => ({
  at,
  processes: new Map(
    Object.entries(efforts).map(([pid, [workedMs, waitedMs]]) => [pid, { workedMs, waitedMs }]),
  ),
});

it('names the processes that were kept waiting most since the moment before, those that began since too', () => {
  const before = moment(1_000, { 1: [0, 90_000], 2: [100, 100], 3: [0, 0], 5: [1, 1] });
  const now = moment(8_500, { 1: [100, 90_000], 2: [300, 3_300], 3: [7_000, 200], 4: [40, 1_000] });
  const [machine, ...processes] = reportOf(before, now, (pid) => `p${pid}`);
  expect(machine).toMatch(
    /^the machine in the last 7\.5 s: load [\d.]+ [\d.]+ [\d.]+ on \d+ processors, \d+ MB/,
  );
  expect(processes).toEqual([
    '  p2 (2) waited 3.2 s for a processor and worked 0.2 s',
    '  p4 (4) waited 1.0 s for a processor and worked 0.0 s',
    '  p3 (3) waited 0.2 s for a processor and worked 7.0 s',
  ]);
});

it('reads what this process has done', () => {
  const pid = String(process.pid);
  expect(momentNow().processes.get(pid)?.workedMs).toBeGreaterThan(0);
  expect(nameOf(pid)).toContain('vitest');
});
