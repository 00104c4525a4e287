import type { Log } from '../log.ts';
import { printable, readSettings } from '../settings.ts';
import { createEvery } from './every.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type ReadinessWatch, reasonOf, watchReadiness } from './readiness.ts';
import { stopMs } from './stopping.ts';

/** A member's life in its process. */
export interface Part {
  readonly lifecycle: Lifecycle;
  readonly readiness: ReadinessWatch;
  /** How long it may take to stop, in ms. */
  mayTakeMs(): number;
  /** Undoes what was registered, last first. @returns whether that took no longer than it may */
  stop(): Promise<boolean>;
}

/**
 * @param environment what its settings are read from
 * @param fail ends the process
 */
export function createPart(
  log: Log,
  environment: () => NodeJS.ProcessEnv,
  fail: (log: Log, reason: string, cause?: unknown) => void,
): Part {
  const readiness = watchReadiness();
  const undos: { step: string; undo: () => Promise<unknown> | unknown; waitsMs: number }[] = [];
  const mayTakeMs = () => undos.reduce((sum, { waitsMs }) => sum + waitsMs, stopMs);
  const onStop: Lifecycle['onStop'] = (step, undo, waitsMs = 0) => undos.push({ step, undo, waitsMs });
  const undoAll = async () => {
    for (const { step, undo } of undos.toReversed()) {
      try {
        await undo();
      } catch (error) {
        log.warn({ err: error, step }, 'shutdown step failed');
      }
    }
    return true;
  };
  const lifecycle: Lifecycle = {
    log,
    settings: (names) => {
      const settings = readSettings(names, environment());
      log.info({ settings: printable(settings) }, 'settings');
      return settings;
    },
    onStop,
    every: createEvery(log, onStop),
    dependsOn: (dependency, check, { needed } = { needed: true }) =>
      readiness.dependsOn(dependency, check, needed),
    ready: async () => reasonOf(await readiness.look()) ?? true,
    fail: (reason, cause) => fail(log, reason, cause),
  };
  return {
    lifecycle,
    readiness,
    mayTakeMs,
    stop: () => {
      readiness.state = 'stopping';
      // A step that hangs must not keep the process alive.
      const late = new Promise<false>((resolve) => setTimeout(resolve, mayTakeMs(), false));
      return Promise.race([undoAll(), late]);
    },
  };
}
