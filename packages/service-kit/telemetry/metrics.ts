import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** All that this process exports. */
const registry = new Registry();

/** Buckets of durations in seconds, from a response out of memory to one that waits for the provider. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type { Counter, Gauge, Histogram };

/** Something that only grows. Labels have few values, all known beforehand: never a user, a name, an address. */
export function counter<const L extends string>(
  name: `talpa_${string}_total`,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/** How long something takes, in seconds; its count is its rate. */
export function histogram<const L extends string>(
  name: `talpa_${string}_seconds`,
  help: string,
  labelNames: readonly L[] = [],
  buckets: readonly number[] = seconds,
): Histogram<L> {
  return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
}

/** Something that is now. To be set in a `readOnScrape`. */
export function gauge<const L extends string>(
  name: `talpa_${string}`,
  help: string,
  labelNames: readonly L[] = [],
): Gauge<L> {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

const patienceMs = 2_000;
const readers = new Map<string, () => Promise<void> | void>();
const unread = counter(
  'talpa_unread_total',
  'Metrics that could not be read when they were scraped; they are left out of that response',
  ['reader'],
);

/**
 * Reads gauges when somebody asks for them, and only then. One that fails or takes longer than 2 s leaves its
 * gauges out of the response, so that no old value is taken for a new one.
 * @param reader names it; another one of the same name takes its place
 */
export function readOnScrape(
  reader: string,
  gauges: readonly Gauge<string>[],
  read: () => Promise<void> | void,
): void {
  unread.labels(reader).inc(0);
  readers.set(reader, async () => {
    for (const one of gauges) empty(one);
    try {
      await Promise.race([read(), tooLate()]);
    } catch {
      for (const one of gauges) empty(one);
      unread.labels(reader).inc();
    }
  });
}

/** reset() would report 0; a gauge that could not be read must be missing. */
function empty(one: Gauge<string>): void {
  one.reset();
  one.remove({});
}

async function tooLate(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
  throw new Error('too late');
}

/** What Node itself reports: event loop, garbage collection, memory, CPU. */
export function measureProcess(name: string): void {
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry });
}

export const contentType = registry.contentType;

/** All figures, in Prometheus' text format. */
export async function scrape(): Promise<string> {
  await Promise.all([...readers.values()].map((read) => read()));
  return registry.metrics();
}
