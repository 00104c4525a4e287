import { CliError } from './cli.ts';
import type { ProcessName } from './environment.ts';
import type { Running } from './part.ts';
import { processNames } from './ports.mjs';
import type { ProcessFacts } from './processes.ts';

/**
 * The ports for metrics and health: METRICS_PORT is the first process's, the others follow it; without it there are
 * none. One process's health has no port of its own here: it is beside its metrics.
 * @throws CliError when there is no room for all
 */
export function operationsSettings(name: ProcessName, outside: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const first = Number(outside.METRICS_PORT || 0);
  if (!Number.isInteger(first) || first < 0 || first > 65_535 - processNames.length)
    throw new CliError(
      `METRICS_PORT must be a free port, followed by ${processNames.length - 1} more free ports.`,
    );
  const place = processNames.indexOf(name);
  return { HEALTH_PORT: '', METRICS_PORT: String(first === 0 ? 0 : first + place) };
}

export const metricsHost = (outside: NodeJS.ProcessEnv) => outside.METRICS_HOST || '127.0.0.1';

/** Where each process serves its metrics, by its name. */
export function metricsUrls(
  parts: readonly Running<unknown>[],
  host: string,
): Readonly<Record<string, string>> {
  const portOf = ({ facts }: Running<unknown>) =>
    (facts as Partial<ProcessFacts> | null)?.ports?.METRICS_PORT;
  const scraped = processNames.flatMap((name) =>
    parts.filter((part) => part.name === name && portOf(part) !== undefined),
  );
  return Object.fromEntries(scraped.map((part) => [part.name, `http://${host}:${portOf(part)}/metrics`]));
}
