import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { Stream } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketsVariable } from '@talpa/service-kit/process/listen-on';
import { inheritedByStores } from './inherited.ts';
import { rotateLog } from './log-rotation.ts';
import { type HomeFolders, root } from './paths.ts';

/** How one child process is started. */
export interface ChildCommand {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Left out: what a store may inherit of ours. */
  readonly env?: NodeJS.ProcessEnv;
  /** Runs as this user; ours when left out. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Gets a channel on which it says `ready`, and that ends it when we are gone. */
  readonly channel?: boolean;
  /** Sockets that it inherits, by the setting that names the port of each. */
  readonly sockets?: Readonly<Record<string, unknown>>;
  readonly cwd?: string;
}

export const logPath = (folders: HomeFolders, name: string) => join(folders.logs, `${name}.log`);
const pidPath = (folders: HomeFolders, name: string) => join(folders.pids, `${name}.json`);

/**
 * Starts a process in a group of its own (Ctrl-C must reach the launcher alone), its output going to its
 * log file, and stores it for the next start.
 */
export function startChild(command: ChildCommand, folders: HomeFolders): ChildProcess {
  const log = logPath(folders, command.name);
  const stopRotating = rotateLog(log);
  const output = openSync(log, 'a', 0o600);
  const sockets = Object.entries(command.sockets ?? {});
  const stdio = ['ignore', output, output, ...(command.channel ? ['ipc' as const] : [])] as const;
  const numbers = sockets.map(([setting], at) => `${setting}=${stdio.length + at}`);
  const child = spawn(command.file, [...command.args], {
    detached: true,
    // A socket is no stream, but Node passes it on like one.
    stdio: [...stdio, ...sockets.map(([, socket]) => socket as Stream)],
    env: {
      ...(command.env ?? inheritedByStores(process.env)),
      ...(numbers.length > 0 ? { [socketsVariable]: numbers.join(',') } : {}),
    },
    ...(command.cwd ? { cwd: command.cwd } : {}),
    ...(command.user ?? {}),
  });
  closeSync(output);
  const stopStoring = child.pid ? storeSoon(folders, command.name, child.pid) : () => {};
  child.once('error', stopRotating);
  child.once('exit', () => {
    stopRotating();
    stopStoring();
    forgetProcess(folders, command.name);
  });
  return child;
}

/** Adds a line of ours to a child's log, in the form of its own. */
export function writeToLog(folders: HomeFolders, name: string, msg: string): void {
  const line = { level: 50, time: new Date().toISOString(), name: 'launcher', msg };
  try {
    appendFileSync(logPath(folders, name), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // The disk is full: it has been said on the console.
  }
}

/** Whether a child has neither ended nor failed to start. */
export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Where a child's log ends now, in bytes. */
export function logEnd(folders: HomeFolders, name: string): number {
  return statSync(logPath(folders, name), { throwIfNoEntry: false })?.size ?? 0;
}

function logAfter(folders: HomeFolders, name: string, after: number): string {
  const path = logPath(folders, name);
  if (!existsSync(path)) return '';
  const log = readFileSync(path);
  // It may have been rotated since.
  return log
    .subarray(after <= log.length ? after : 0)
    .toString()
    .trimEnd();
}

/** The last lines of a child's log after a place in it, for a message about its failure. */
export function logTail(folders: HomeFolders, name: string, after: number, lines = 8): string {
  return logAfter(folders, name, after).split('\n').slice(-lines).map(readable).join('\n');
}

/** The error that ended a child of Node's, with file and line where Node named them; null when it said none. */
export function lastCrash(folders: HomeFolders, name: string, after: number): string | null {
  const text = logAfter(folders, name, after);
  const crash = text.slice(text.lastIndexOf('\nnode:internal/') + 1);
  const error = /^(?:\w*Error(?: \[\w+\])?): (.+)$/m.exec(crash);
  if (!error) return null;
  const place = /^(?:file:\/\/)?\/(.+:\d+)$/m.exec(crash.slice(0, error.index))?.[1];
  return place ? `${relative(root, `/${place}`)}: ${error[1]}` : (error[1] ?? null);
}

/** Our own processes log JSON: its message and its error say what a person needs. */
function readable(line: string): string {
  try {
    const entry = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return `  ${[entry.msg, entry.err?.message].filter(Boolean).join(': ')}`;
  } catch {
    return `  ${line}`;
  }
}

/** When a process was started, in clock ticks since boot; null when it does not run. */
export function startTimeOf(pid: number): string | null {
  const fields = statOf(pid);
  // A zombie has ended; it only waits for its parent.
  return fields[0] === 'Z' ? null : (fields[19] ?? null);
}

const parentOf = (pid: number) => Number(statOf(pid)[1]);

/** The fields of /proc/<pid>/stat, from the state on; empty when the process does not run. */
export function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Stores a process as ours: its id alone may have been given to another one since. */
export function storeProcess(folders: HomeFolders, name: string, pid: number): void {
  writeFileSync(pidPath(folders, name), JSON.stringify({ pid, startTime: startTimeOf(pid) }));
}

/** Stores it now or, when the disk is full, as soon as there is room: a process that runs must not be lost for it. */
function storeSoon(folders: HomeFolders, name: string, pid: number): () => void {
  const store = () => {
    try {
      storeProcess(folders, name, pid);
      return true;
    } catch {
      return false;
    }
  };
  if (store()) return () => {};
  const timer = setInterval(() => {
    if (store()) clearInterval(timer);
  }, 1_000).unref();
  return () => clearInterval(timer);
}

/** The stored process, if it still runs. */
export function storedProcess(folders: HomeFolders, name: string): number | null {
  try {
    const stored = JSON.parse(readFileSync(pidPath(folders, name), 'utf8')) as {
      pid: number;
      startTime: string;
    };
    return startTimeOf(stored.pid) === stored.startTime ? stored.pid : null;
  } catch {
    return null;
  }
}

export function forgetProcess(folders: HomeFolders, name: string): void {
  rmSync(pidPath(folders, name), { force: true });
}

/** Ends a process: the signal first, SIGKILL when it takes two seconds longer than it may. */
export async function endProcess(pid: number, signal: NodeJS.Signals, stopMs = 10_000): Promise<void> {
  const startTime = startTimeOf(pid);
  const isGone = () => startTime === null || startTimeOf(pid) !== startTime;
  const send = (what: NodeJS.Signals) => {
    try {
      process.kill(pid, what);
    } catch {
      // It ended by itself meanwhile.
    }
  };
  if (isGone()) return;
  send(signal);
  const end = Date.now() + stopMs + 2_000;
  while (!isGone() && Date.now() < end) await sleep(20);
  if (!isGone()) send('SIGKILL');
  while (!isGone()) await sleep(20);
}

/** Kills a process and all that it has started: Postgres's own, stopped with it, would keep its memory in use. */
export async function killTree(pid: number): Promise<void> {
  await Promise.all([pid, ...descendantsOf(pid)].map((one) => endProcess(one, 'SIGKILL')));
}

/** The processes that a process has started, and theirs. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const below = (one: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === one ? [child, ...below(child)] : []));
  return below(pid);
}
