import { createLog, type Log } from '../log.ts';
import { printable, readSettings, type SettingName, type Settings } from '../settings.ts';
import { measureProcess } from '../telemetry/metrics.ts';
import { createEvery, type Every } from './every.ts';
import { type Check, type ReadinessWatch, reasonOf, watchReadiness } from './readiness.ts';
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

/**
 * Runs a process: starts it, reports to the launcher that it is ready, and stops it in order on SIGTERM, SIGINT or
 * when the channel to the launcher closes. Exits with 1 when starting fails.
 */
export async function runProcess(
  name: string,
  start: (lifecycle: Lifecycle) => Promise<Started>,
): Promise<void> {
  const common = settingsOfAll(name);
  const log = createLog(name, common.LOG_LEVEL);
  const readiness = watchReadiness();
  const undos: { step: string; undo: () => Promise<unknown> | unknown; waitsMs: number }[] = [];
  const mayTakeMs = () => undos.reduce((sum, { waitsMs }) => sum + waitsMs, stopMs);
  let stopping = false;

  const stop = async (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    readiness.state = 'stopping';
    // A step that hangs must not keep the process alive.
    setTimeout(() => process.exit(1), mayTakeMs()).unref();
    for (const { step, undo } of undos.reverse()) {
      try {
        await undo();
      } catch (error) {
        log.warn({ err: error, step }, 'shutdown step failed');
      }
    }
    log.info('stopped');
    process.exit(exitCode);
  };
  const onStop: Lifecycle['onStop'] = (step, undo, waitsMs = 0) => undos.push({ step, undo, waitsMs });
  const lifecycle: Lifecycle = {
    log,
    settings: (names) => {
      const settings = readSettings(names);
      log.info({ settings: printable(settings) }, 'settings');
      return settings;
    },
    onStop,
    every: createEvery(log, onStop),
    dependsOn: (dependency, check, { needed } = { needed: true }) =>
      readiness.dependsOn(dependency, check, needed),
    ready: async () => reasonOf(await readiness.look()) ?? true,
    fail: (reason, cause) => {
      if (stopping) return;
      log.fatal({ err: cause }, reason);
      void stop(1);
    },
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('disconnect', () => void stop(0));
  // The launcher restarts a process that does not respond to this for some seconds.
  process.on('message', (message) => {
    if ((message as { ask?: string }).ask === 'alive') process.send?.({ alive: true });
  });
  process.on('uncaughtException', (error) => lifecycle.fail('uncaught exception', error));
  process.on('unhandledRejection', (error) => lifecycle.fail('unhandled rejection', error));

  try {
    if (common.METRICS_PORT !== 0) measureProcess(name);
    if (common.OTEL_EXPORTER_OTLP_ENDPOINT) {
      const { startTracing } = await import('../telemetry/otel.ts');
      startTracing(name, common.OTEL_TRACES_SAMPLER_ARG, lifecycle);
    }
    const operations = await operationsOf(common, readiness, lifecycle);
    const { port, ports: own } = await start(lifecycle);
    const ports = { ...operations, ...own };
    readiness.state = 'running';
    log.info({ port, ...ports }, 'ready');
    process.send?.({ ready: true, port, ports, stopMs: mayTakeMs() });
  } catch (error) {
    lifecycle.fail('could not start', error);
  }
}

/** The listeners for operators, by setting. Node's HTTP takes a tenth of a service's start: most need it for these alone. */
async function operationsOf(
  common: ReturnType<typeof settingsOfAll>,
  readiness: ReadinessWatch,
  { onStop }: Lifecycle,
): Promise<Readonly<Record<string, number>>> {
  if (common.HEALTH_PORT === undefined && common.METRICS_PORT === 0) return {};
  const { serveOperations } = await import('./operations.ts');
  const { ports, close } = await serveOperations(common, readiness);
  onStop('operations', close);
  return ports;
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
