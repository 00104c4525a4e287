import { createLog, type Log } from '../log.ts';
import { printable, readSettings, type SettingName, type Settings } from '../settings.ts';
import { settingIn, settingsOf } from '../settings-of-service.ts';
import { asMember, sharesProcess } from '../shared-process.ts';
import { measureProcess, nameMetrics } from '../telemetry/metrics.ts';
import { createEvery, type Every } from './every.ts';
import { giveBackMemory } from './give-back.ts';
import { type Check, type ReadinessWatch, readinessOfAll, reasonOf, watchReadiness } from './readiness.ts';
import { stopMs } from './stopping.ts';

/** What a process registers while it starts, undone in reverse order when it stops. */
export interface Lifecycle {
  readonly log: Log;
  /** The named settings, checked; what they are goes to the log, of secrets only that they are set. */
  settings<const N extends SettingName>(names: readonly N[]): Settings<N>;
  /**
   * Registers how to undo a step. Steps are undone last first.
   * @param waitsMs how long it may wait by intention; so much longer the process may take to stop
   */
  onStop(step: string, undo: () => Promise<unknown> | unknown, waitsMs?: number): void;
  /** Repeats work for as long as the process runs. */
  readonly every: Every;
  /** Names what the process stands on; `/readyz` shows it. `needed` (the default): without it nothing works. */
  dependsOn(name: string, check: Check, options?: { readonly needed: boolean }): void;
  /** Whether the process can do its work now: true, or why not. */
  ready(): Promise<string | true>;
  /** Stops the process, as a fault: it exits with 1 so that its supervisor starts it again. */
  fail(reason: string, cause?: unknown): void;
}

export interface Started {
  /** The port it listens on, if it listens. */
  readonly port?: number;
  /** Further ports it listens on, by the setting that names each. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** A member's life in its process. */
interface Part {
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
function createPart(
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

/** What runs in a process: all of it, or one of the services that share it. */
export interface Member {
  readonly name: string;
  start(lifecycle: Lifecycle): Promise<Started>;
}

/** Runs a process of its own; see `runTogether`. */
export const runProcess = (name: string, start: Member['start']): Promise<void> =>
  runTogether(name, [[{ name, start }]]);

/**
 * Runs a process: starts its members, row by row, reports to the launcher that it is ready, and stops it in order, the last row
 * first, on SIGTERM, SIGINT or when the channel to the launcher closes. Exits with 1 when starting fails, or a member does.
 */
export async function runTogether(name: string, rows: readonly (readonly Member[])[]): Promise<void> {
  const common = settingsOfAll(name);
  const log = createLog(name, common.LOG_LEVEL);
  let stopping = false;
  let closeOperations = () => {};

  const fail = (said: Log, reason: string, cause?: unknown) => {
    if (stopping) return;
    said.fatal({ err: cause }, reason);
    void stop(1);
  };
  const parts = rows.map((row) =>
    row.map((member) => {
      if (!sharesProcess()) return { ...member, ...createPart(log, () => process.env, fail) };
      return asMember(member.name, () => {
        nameMetrics(member.name);
        const own = createLog(member.name, common.LOG_LEVEL);
        return { ...member, ...createPart(own, () => settingsOf(member.name), fail) };
      });
    }),
  );
  const all = parts.flat();
  const stop = async (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    for (const { readiness } of all) readiness.state = 'stopping';
    const onTime: boolean[] = [];
    for (const row of parts.toReversed())
      onTime.push(...(await Promise.all(row.map((part) => within(part.name, part.stop)))));
    closeOperations();
    log.info('stopped');
    process.exit(onTime.every(Boolean) ? exitCode : 1);
  };
  const mayTakeMs = () =>
    parts.reduce((sum, row) => sum + Math.max(...row.map((part) => part.mayTakeMs())), 0);
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('disconnect', () => void stop(0));
  // The launcher restarts a process that does not respond to this for some seconds.
  process.on('message', (message) => {
    if ((message as { ask?: string }).ask === 'alive') process.send?.({ alive: true });
  });
  process.on('uncaughtException', (error) => fail(log, 'uncaught exception', error));
  process.on('unhandledRejection', (error) => fail(log, 'unhandled rejection', error));

  /** @returns the ports it listens on, by the setting that names each */
  const start = async (part: (typeof all)[number]): Promise<Record<string, number>> => {
    const { lifecycle, readiness } = part;
    if (common.OTEL_EXPORTER_OTLP_ENDPOINT) {
      const { startTracing } = await import('../telemetry/otel.ts');
      startTracing(part.name, common.OTEL_TRACES_SAMPLER_ARG, lifecycle);
    }
    const { port, ports } = await part.start(lifecycle);
    readiness.state = 'running';
    if (lifecycle.log !== log) lifecycle.log.info({ port, ...ports }, 'ready');
    return { ...(port === undefined ? {} : { PORT: port }), ...ports };
  };
  try {
    nameMetrics(name);
    if (common.METRICS_PORT !== 0) measureProcess();
    const operations = await operationsOf(common, readinessOfAll(all));
    closeOperations = operations.close;
    const ports: Record<string, number> = { ...operations.ports };
    for (const row of parts)
      await Promise.all(
        row.map(async (part) => {
          const own = await within(part.name, () => start(part)).catch((error: unknown) => {
            fail(part.lifecycle.log, 'could not start', error);
            throw error;
          });
          for (const [setting, port] of Object.entries(own))
            ports[sharesProcess() ? settingIn(part.name, setting) : setting] = port;
        }),
      );
    const { PORT: port, ...others } = ports;
    log.info({ port, ...others }, 'ready');
    process.send?.({ ready: true, port, ports: others, stopMs: mayTakeMs() });
    giveBackMemory();
  } catch (error) {
    fail(log, 'could not start', error);
  }
}

const within = <T>(name: string, work: () => T): T => (sharesProcess() ? asMember(name, work) : work());

/** The listeners for operators, by setting. Node's HTTP takes a tenth of a service's start: most need it for these alone. */
async function operationsOf(
  common: ReturnType<typeof settingsOfAll>,
  readiness: Pick<ReadinessWatch, 'look'>,
): Promise<{ readonly ports: Readonly<Record<string, number>>; close(): void }> {
  if (common.HEALTH_PORT === undefined && common.METRICS_PORT === 0) return { ports: {}, close: () => {} };
  const { serveOperations } = await import('./operations.ts');
  return serveOperations(common, readiness);
}

/** What every process reads. Where a value does not fit, the log says so and the process ends. */
function settingsOfAll(name: string) {
  try {
    return readSettings([
      'LOG_LEVEL',
      'HEALTH_PORT',
      'METRICS_PORT',
      'METRICS_HOST',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_TRACES_SAMPLER_ARG',
    ]);
  } catch (error) {
    // The wrong one may be LOG_LEVEL itself.
    createLog(name, 'info').fatal({ err: error }, 'could not start');
    return process.exit(1);
  }
}
