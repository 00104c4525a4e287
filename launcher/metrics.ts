import { refuseTakenPort } from './port.ts';
import type { ProcessFacts } from './processes.ts';
import { PlainError } from './say.ts';
import type { Running } from './supervisor.ts';

/** Our processes, in the order in which they get their ports. */
const processes = ['gateway', 'auth', 'billing', 'proxies', 'stats', 'worker', 'provider'] as const;

/**
 * The doors for operators: METRICS_PORT is the first process's, the others follow it; without it there are
 * none. One process's health has no port of its own here: it is beside its metrics.
 * @throws PlainError when there is no room for all
 */
export function operationsSettings(name: string, outside: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const first = Number(outside.METRICS_PORT || 0);
  if (!Number.isInteger(first) || first < 0 || first > 65_535 - processes.length)
    throw new PlainError(
      `METRICS_PORT must be a free port, followed by ${processes.length - 1} more free ports.`,
    );
  const place = processes.findIndex((one) => one === name);
  return { HEALTH_PORT: '', METRICS_PORT: String(first === 0 || place < 0 ? 0 : first + place) };
}

/** @throws PlainError when a process could not open its door */
export async function refuseTakenMetricsPorts(outside: NodeJS.ProcessEnv): Promise<void> {
  for (const name of processes) {
    const { METRICS_PORT } = operationsSettings(name, outside);
    if (METRICS_PORT !== '0')
      await refuseTakenPort('METRICS_PORT', metricsHost(outside), Number(METRICS_PORT), 'METRICS_HOST');
  }
}

export const metricsHost = (outside: NodeJS.ProcessEnv) => outside.METRICS_HOST || '127.0.0.1';

/** Where each process tells its metrics, by its name. */
export function metricsUrls(
  parts: readonly Running<unknown>[],
  host: string,
): Readonly<Record<string, string>> {
  const portOf = ({ facts }: Running<unknown>) =>
    (facts as Partial<ProcessFacts> | null)?.ports?.METRICS_PORT;
  const told = processes.flatMap((name) =>
    parts.filter((part) => part.name === name && portOf(part) !== undefined),
  );
  return Object.fromEntries(told.map((part) => [part.name, `http://${host}:${portOf(part)}/metrics`]));
}
