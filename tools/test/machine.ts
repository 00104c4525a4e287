import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, freemem, loadavg } from 'node:os';
import { basename } from 'node:path';
import { root } from '@talpa/instance/paths';

/** What a process has done so far: how long, in ms, its main thread has worked, and waited for a processor. */
interface Effort {
  readonly workedMs: number;
  readonly waitedMs: number;
}
interface Moment {
  readonly at: number;
  readonly processes: ReadonlyMap<string, Effort>;
}
const sampleMs = 10_000;
const shown = 3;

/** Watches what the processes of this machine do, to say it of the last seconds before a test failed. */
export class Machine {
  private last = momentNow();
  private before = this.last;
  private timer: NodeJS.Timeout | undefined;

  start(): void {
    this.timer = setInterval(() => this.sample(), sampleMs).unref();
  }
  stop(): void {
    clearInterval(this.timer);
  }
  private sample(): void {
    this.before = this.last;
    this.last = momentNow();
  }
  /** A line about the machine, and one about each of the processes that were kept waiting most. */
  report(): string[] {
    return reportOf(this.before, momentNow());
  }
}

/** What a report says of the time between two moments. @param name what a process is called */
export function reportOf(before: Moment, now: Moment, name = nameOf): string[] {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const efforts = [...now.processes].map(([pid, { workedMs, waitedMs }]) => {
    const { workedMs: worked = 0, waitedMs: waited = 0 } = before.processes.get(pid) ?? {};
    return { pid, workedMs: workedMs - worked, waitedMs: waitedMs - waited };
  });
  const slowest = efforts.sort((a, b) => b.waitedMs - a.waitedMs).slice(0, shown);
  const load = loadavg().map((number) => number.toFixed(1));
  return [
    `the machine in the last ${seconds(now.at - before.at)}: load ${load.join(' ')} on ${availableParallelism()} processors, ` +
      `${Math.round(freemem() / 1e6)} MB of memory free; the slowest processes:`,
    ...slowest.map(
      ({ pid, workedMs, waitedMs }) =>
        `  ${name(pid)} (${pid}) waited ${seconds(waitedMs)} for a processor and worked ${seconds(workedMs)}`,
    ),
  ];
}

/** What the kernel says now. */
export function momentNow(): Moment {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return { at: Date.now(), processes: new Map(pids.flatMap((pid) => effortOf(pid) ?? [])) };
}

function effortOf(pid: string): [[string, Effort]] | null {
  try {
    const [worked = '0', waited = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    const [workedMs, waitedMs] = [Number(worked) / 1e6, Number(waited) / 1e6];
    return [[pid, { workedMs, waitedMs }]];
  } catch {
    // It has ended, or this kernel does not count.
    return null;
  }
}

/** The script that it runs, or the program and its kind. */
export function nameOf(pid: string): string {
  const line = textOf(pid, 'cmdline');
  if (!line) return textOf(pid, 'comm').trim() || 'one that has ended';
  // Postgres says what it does.
  if (line.startsWith('postgres: ')) return line.split('\0')[0]?.trim() ?? line;
  const [program = '', ...rest] = line.split(/[\0 ]/);
  const script = rest.find((one) => /^\/.*\.[cm]?[jt]s$/.test(one));
  if (script) return script.replace(`${root}/`, '');
  return [basename(program), rest.find((one) => one.startsWith('--type='))].filter(Boolean).join(' ');
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
