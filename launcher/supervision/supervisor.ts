import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  endProcess,
  isRunning,
  killTree,
  lastCrash,
  logEnd,
  logPath,
  logTail,
  startChild,
  writeToLog,
} from '@talpa/instance/child';
import { CliError, type LogLine } from '@talpa/instance/cli';
import type { Part, Running } from '@talpa/instance/part';
import type { HomeFolders } from '@talpa/instance/paths';
import { type Patience, untilSilent, usualPatience } from './hang.ts';
import { HungAtStart, untilReady } from './ready.ts';

const usualStart = { readyMs: 30_000, idleMs: 30_000 };
const maximumBackoffMs = 10_000;
/** Having lived this long, a process starts again without delay. */
const soundLifeMs = 30_000;
/** A store that hangs so often in a row at its first start is given up. */
const firstAttempts = 3;

/**
 * Starts a process, waits until it works, and starts it again whenever it dies or hangs.
 * @param patience how long it may stay silent before it is restarted; null: it is never restarted for that
 * @param pause waits so many ms before a process that failed again is started
 * @throws CliError when it does not work the first time, with the end of its log.
 */
export async function supervise<Facts>(
  part: Part<Facts>,
  folders: HomeFolders,
  log: LogLine,
  patience: Patience | null = usualPatience,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Running<Facts>> {
  const { name } = part;
  let stopping = false;
  let hung = false;
  let restarting = false;
  /** Until all that it had started is gone too: a Postgres refuses to start beside a process of the one before. */
  let killed = Promise.resolve();
  let startNow = () => {};
  const works = new Set<() => void>();
  let child: ChildProcess;
  let logStart = 0;
  let facts: Facts;

  const startOnce = async (earlier: Facts | null): Promise<Facts> => {
    logStart = logEnd(folders, name);
    const started = startChild(part.command(earlier), folders);
    child = started;
    try {
      return await untilReady(part, started, { ...usualStart, ...patience }, (seconds) =>
        log(
          `${name} has been starting for ${seconds} s, as a store does while it recovers; waiting for it (log: ${logPath(folders, name)})`,
        ),
      );
    } catch (error) {
      if (started.pid && part.signal?.aborted) await endProcess(started.pid, part.stopSignal ?? 'SIGTERM');
      else if (started.pid) await killTree(started.pid);
      throw error;
    }
  };

  /** Starts it for the first time; a store that hangs meanwhile is restarted a few times. */
  const startFirst = async (): Promise<Facts> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await startOnce(null);
      } catch (error) {
        if (!(error instanceof HungAtStart) || attempt === firstAttempts) throw error;
        logHung(error);
      }
  };

  const kill = (pid: number): Promise<void> => {
    killed = killTree(pid);
    return killed;
  };

  const logHung = ({ message }: HungAtStart): void => {
    log(`${name} did not start: ${message}; it is being restarted (log: ${logPath(folders, name)})`);
    writeToLog(folders, name, `${name} did not start: ${message}: the launcher kills and restarts it`);
  };

  /** Kills it when it hangs: a stopped process does not receive SIGTERM. */
  const endHung = async (watched: ChildProcess): Promise<void> => {
    const { probe } = part;
    if (!probe || !patience || !watched.pid) return;
    const ended = new AbortController();
    watched.once('exit', () => ended.abort());
    const ask = (signal: AbortSignal) => probe(facts, watched, signal);
    const silentMs = await untilSilent(ask, patience, ended.signal);
    if (silentMs === null || stopping || !isRunning(watched)) return;
    hung = true;
    const silence = `has not responded for ${Math.round(silentMs / 100) / 10} s`;
    log(
      `${name} (process ${watched.pid}) ${silence} and is being restarted; nothing needs to be done. ` +
        `If it happens again, see “hangs” in docs/troubleshooting.md (log: ${logPath(folders, name)})`,
    );
    writeToLog(
      folders,
      name,
      `${name} (process ${watched.pid}) ${silence}: the launcher kills and restarts it`,
    );
    await kill(watched.pid);
  };

  const keepAlive = async (): Promise<void> => {
    for (let failures = 0; ; ) {
      const bornAt = Date.now();
      if (isRunning(child)) {
        const exit = new Promise((ended) => child.once('exit', ended));
        void endHung(child);
        await exit;
        await killed;
      }
      if (stopping) return;
      const isWanted = restarting;
      failures = isWanted || Date.now() - bornAt > soundLifeMs ? 0 : failures + 1;
      const delay = failures <= 1 ? 0 : Math.min(250 * 2 ** failures, maximumBackoffMs);
      const when = delay === 0 ? '' : ` in ${delay / 1_000} s`;
      if (!hung && !isWanted) {
        const crash = lastCrash(folders, name, logStart);
        const why = crash ? `${crash}; ` : '';
        log(
          `${name} stopped unexpectedly and is being restarted${when} (${why}log: ${logPath(folders, name)})`,
        );
      }
      hung = false;
      const now = Promise.withResolvers<void>();
      startNow = now.resolve;
      await Promise.race([pause(delay), now.promise]);
      if (stopping) return;
      restarting = false;
      const isWorking = await startOnce(facts).then(
        () => true,
        (error: unknown) => {
          hung = error instanceof HungAtStart;
          if (error instanceof HungAtStart) logHung(error);
          return false;
        },
      );
      if (!isWorking) continue;
      if (!isWanted) log(`${name} is working again`);
      for (const callback of works) callback();
      works.clear();
    }
  };

  const earlierLog = logEnd(folders, name);
  try {
    facts = await startFirst();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${name} did not start: ${reason}\n${logTail(folders, name, earlierLog)}`);
  }
  void keepAlive();
  return {
    name,
    facts,
    pid: () => (isRunning(child) ? (child.pid ?? null) : null),
    restart: async () => {
      const again = new Promise<void>((resolve) => works.add(resolve));
      restarting = true;
      startNow();
      if (isRunning(child) && child.pid) await kill(child.pid);
      await again;
    },
    stop: async () => {
      stopping = true;
      if (!child.pid || !isRunning(child)) return;
      const exit = once(child, 'exit');
      await endProcess(child.pid, part.stopSignal ?? 'SIGTERM', part.stopMs?.(facts));
      await exit;
    },
  };
}
