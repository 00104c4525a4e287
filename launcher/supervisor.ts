import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChildCommand,
  endProcess,
  isRunning,
  killTree,
  logEnd,
  logPath,
  logTail,
  noteInLog,
  startChild,
} from './child.ts';
import { type Patience, untilSilent, usualPatience } from './hang.ts';
import type { HomeFolders } from './paths.ts';
import { PlainError, type Say } from './say.ts';

/** A process that is kept alive. */
export interface Part<Facts> {
  readonly name: string;
  /** How to start it; `earlier` holds what its first start told, so that a restart keeps its port. */
  readonly command: (earlier: Facts | null) => ChildCommand;
  /** Resolves once it works; must hang or reject while it does not, and give up when `signal` says so. */
  readonly ready: (child: ChildProcess, signal: AbortSignal) => Promise<Facts>;
  /** Resolves when it gives a sign of life, whatever that says; without it nobody notices when it hangs. */
  readonly answers?: (facts: Facts, child: ChildProcess, signal: AbortSignal) => Promise<unknown>;
  /** A store may recover for as long as it takes: to kill it for that would begin its recovery anew. */
  readonly recovers?: boolean;
  /** Gives up its first start. */
  readonly signal?: AbortSignal | undefined;
  readonly stopSignal?: NodeJS.Signals;
  /** How long it may take to stop, in ms. */
  readonly stopMs?: (facts: Facts) => number;
}

/** A part that works, or is being started again. */
export interface Running<Facts> {
  readonly name: string;
  /** What its first start told. */
  readonly facts: Facts;
  /** Its process id now; it changes with a restart. */
  pid(): number | null;
  stop(): Promise<void>;
}

const readyTimeoutMs = 30_000;
const maximumBackoffMs = 10_000;
/** Having lived this long, a process starts again without delay. */
const soundLifeMs = 30_000;

/**
 * Starts a process, waits until it works, and starts it again whenever it dies or hangs.
 * @param patience how long it may stay silent before it is restarted; null: it is never restarted for that
 * @throws PlainError when it does not work the first time, with the end of its log.
 */
export async function supervise<Facts>(
  part: Part<Facts>,
  folders: HomeFolders,
  say: Say,
  patience: Patience | null = usualPatience,
): Promise<Running<Facts>> {
  const { name } = part;
  let stopping = false;
  let hung = false;
  let child: ChildProcess;
  let facts: Facts;

  const startOnce = async (earlier: Facts | null): Promise<Facts> => {
    const started = startChild(part.command(earlier), folders);
    child = started;
    try {
      return await untilReady(part, started, patience?.readyMs ?? readyTimeoutMs, (seconds) =>
        say(
          `${name} has been starting for ${seconds} s, as it does when it recovers; it is waited for (log: ${logPath(folders, name)})`,
        ),
      );
    } catch (error) {
      if (started.pid)
        await endProcess(started.pid, part.signal?.aborted ? (part.stopSignal ?? 'SIGTERM') : 'SIGKILL');
      throw error;
    }
  };

  /** Kills it when it hangs: SIGTERM is nothing that a stopped process hears. */
  const endHung = async (watched: ChildProcess): Promise<void> => {
    const { answers } = part;
    if (!answers || !patience || !watched.pid) return;
    const ended = new AbortController();
    watched.once('exit', () => ended.abort());
    const ask = (signal: AbortSignal) => answers(facts, watched, signal);
    if (!(await untilSilent(ask, patience, ended.signal)) || stopping || !isRunning(watched)) return;
    hung = true;
    const silence = `has not responded for ${(patience.askMs * patience.asks) / 1_000} s`;
    say(
      `${name} (process ${watched.pid}) ${silence} and is being restarted; nothing needs to be done. ` +
        `If it happens again, see “hangs” in docs/troubleshooting.md (log: ${logPath(folders, name)})`,
    );
    noteInLog(
      folders,
      name,
      `${name} (process ${watched.pid}) ${silence}: the launcher kills and restarts it`,
    );
    await killTree(watched.pid);
  };

  const keepAlive = async (): Promise<void> => {
    for (let failures = 0; ; ) {
      const bornAt = Date.now();
      if (isRunning(child)) {
        const exit = new Promise((ended) => child.once('exit', ended));
        void endHung(child);
        await exit;
      }
      if (stopping) return;
      failures = Date.now() - bornAt > soundLifeMs ? 0 : failures + 1;
      const delay = failures <= 1 ? 0 : Math.min(250 * 2 ** failures, maximumBackoffMs);
      const when = delay === 0 ? '' : ` in ${delay / 1_000} s`;
      if (!hung)
        say(`${name} stopped unexpectedly and is being restarted${when} (log: ${logPath(folders, name)})`);
      hung = false;
      await sleep(delay);
      if (stopping) return;
      const works = await startOnce(facts).then(
        () => true,
        () => false,
      );
      if (works) say(`${name} is working again`);
    }
  };

  const earlierLog = logEnd(folders, name);
  try {
    facts = await startOnce(null);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainError(`${name} did not start: ${reason}\n${logTail(folders, name, earlierLog)}`);
  }
  void keepAlive();
  return {
    name,
    facts,
    pid: () => (isRunning(child) ? (child.pid ?? null) : null),
    stop: async () => {
      stopping = true;
      if (!child.pid || !isRunning(child)) return;
      const exit = once(child, 'exit');
      await endProcess(child.pid, part.stopSignal ?? 'SIGTERM', part.stopMs?.(facts));
      await exit;
    },
  };
}

/** What a started process tells once it works; rejects when it ends before or takes too long. */
async function untilReady<Facts>(
  part: Part<Facts>,
  child: ChildProcess,
  readyMs: number,
  sayWaiting: (seconds: number) => void,
): Promise<Facts> {
  const settled = new AbortController();
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('it was told to stop'));
    if (part.signal?.aborted) giveUp();
    part.signal?.addEventListener('abort', giveUp, { signal: settled.signal });
  });
  try {
    return await Promise.race([
      part.ready(child, settled.signal),
      new Promise<never>((_, reject) => {
        child.once('error', reject);
        child.once('exit', (code, signal) => reject(new Error(`it ended (${signal ?? `code ${code}`})`)));
      }),
      givenUp,
      untilLate(part.recovers ?? false, readyMs, sayWaiting, settled.signal),
    ]);
  } finally {
    settled.abort();
  }
}

/** Rejects when a part has taken too long to start; of one that recovers it only tells, again and again. */
async function untilLate(
  recovers: boolean,
  readyMs: number,
  sayWaiting: (seconds: number) => void,
  signal: AbortSignal,
): Promise<never> {
  for (let turns = 1; ; turns += 1) {
    await sleep(readyMs, undefined, { signal });
    if (!recovers) throw new Error(`it was not ready after ${readyMs / 1_000} s`);
    sayWaiting((turns * readyMs) / 1_000);
  }
}
