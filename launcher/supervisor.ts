import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildCommand, endProcess, logPath, logTail, startChild } from './child.ts';
import type { HomeFolders } from './paths.ts';
import { PlainError, type Say } from './say.ts';

/** A process that is kept alive. */
export interface Part<Facts> {
  readonly name: string;
  /** How to start it; `earlier` holds what its first start told, so that a restart keeps its port. */
  readonly command: (earlier: Facts | null) => ChildCommand;
  /** Resolves once it works; must reject or hang while it does not. */
  readonly ready: (child: ChildProcess) => Promise<Facts>;
  readonly stopSignal?: NodeJS.Signals;
  readonly readyTimeoutMs?: number;
}

export interface Running<Facts> {
  readonly name: string;
  readonly facts: Facts;
  /** Its process id now; it changes with a restart. */
  pid(): number | null;
  stop(): Promise<void>;
}

const maximumBackoffMs = 10_000;
/** Having lived this long, a process starts again with the shortest delay. */
const soundLifeMs = 30_000;

/**
 * Starts a process, waits until it works, and starts it again whenever it dies.
 * @throws PlainError when it does not work the first time, with the end of its log.
 */
export async function supervise<Facts>(
  part: Part<Facts>,
  folders: HomeFolders,
  say: Say,
): Promise<Running<Facts>> {
  const { name, ready, readyTimeoutMs = 30_000 } = part;
  let child: ChildProcess;
  let stopping = false;
  let failures = 0;

  const startOnce = async (earlier: Facts | null): Promise<Facts> => {
    const started = startChild(part.command(earlier), folders);
    child = started;
    const died = new Promise<never>((_, reject) => {
      started.once('error', (error) => reject(error));
      started.once('exit', (code, signal) => reject(new Error(`it ended (${signal ?? `code ${code}`})`)));
    });
    died.catch(() => {});
    const timeout = new AbortController();
    try {
      return await Promise.race([
        ready(started),
        died,
        sleep(readyTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
          throw new Error(`it was not ready after ${readyTimeoutMs / 1_000} s`);
        }),
      ]);
    } finally {
      timeout.abort();
    }
  };

  const keepAlive = (facts: Facts) => {
    const bornAt = Date.now();
    const again = async () => {
      if (stopping) return;
      failures = Date.now() - bornAt > soundLifeMs ? 1 : failures + 1;
      const delay = failures === 1 ? 0 : Math.min(250 * 2 ** failures, maximumBackoffMs);
      say(
        `${name} died and is started again${delay ? ` in ${delay / 1_000} s` : ''} (log: ${logPath(folders, name)})`,
      );
      await sleep(delay);
      if (stopping) return;
      try {
        await startOnce(facts);
        say(`${name} works again`);
        keepAlive(facts);
      } catch {
        if (child.exitCode === null && child.pid) await endProcess(child.pid, 'SIGKILL');
        void again();
      }
    };
    if (child.exitCode !== null || child.signalCode !== null) void again();
    else child.once('exit', () => void again());
  };

  let facts: Facts;
  try {
    facts = await startOnce(null);
  } catch (error) {
    // biome-ignore lint/style/noNonNullAssertion: startOnce assigns it before anything can fail
    if (child!.pid) await endProcess(child!.pid, 'SIGKILL');
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainError(`${name} did not start: ${reason}\n${logTail(folders, name)}`);
  }
  keepAlive(facts);
  return {
    name,
    facts,
    pid: () => (child.exitCode === null ? (child.pid ?? null) : null),
    stop: async () => {
      stopping = true;
      if (child.pid) await endProcess(child.pid, part.stopSignal ?? 'SIGTERM');
    },
  };
}
