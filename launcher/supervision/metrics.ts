import { CliError } from '@talpa/instance/cli';
import type { Running } from '@talpa/instance/part';
import { startedNames } from '@talpa/instance/ports.mjs';
import type { ProcessFacts } from '../processes/processes.ts';

/**
 * The ports for metrics and health: METRICS_PORT is the first process's, the others follow it; without it there are
 * none. One process's health has no port of its own here: it is beside its metrics.
 * @throws CliError when there is no room for all
 */
export function operationsSettings(name: string, outside: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const first = Number(outside.METRICS_PORT || 0);
  const names = startedNames(outside);
  if (!Number.isInteger(first) || first < 0 || first > 65_535 - names.length)
    throw new CliError(`METRICS_PORT must be a free port, followed by ${names.length - 1} more free ports.`);
  const place = names.indexOf(name);
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
  const scraped = parts.flatMap((part) => ({ name: part.name, port: portOf(part) ?? 0 }));
  const inOrder = scraped.filter(({ port }) => port > 0).toSorted((a, b) => a.port - b.port);
  return Object.fromEntries(inOrder.map(({ name, port }) => [name, `http://${host}:${port}/metrics`]));
}
