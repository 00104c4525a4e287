import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { asMember, memberNames, perMember, sharesProcess } from '../shared-process.ts';

/** All that this process exports, or one of the services that share it. */
const registry = perMember(() => new Registry());

/** Buckets of durations in seconds, from a response out of memory to one that waits for the provider. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type { Counter, Gauge, Histogram };

/** Something that only grows. Labels have few values, all known beforehand: never a user, a name, an address. */
export function counter<const L extends string>(
  name: `talpa_${string}_total`,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> {
  return kept(() => new Counter({ name, help, labelNames, registers: [registry()] }));
}

/** How long something takes, in seconds; its count is its rate. */
export function histogram<const L extends string>(
  name: `talpa_${string}_seconds`,
  help: string,
  labelNames: readonly L[] = [],
  buckets: readonly number[] = seconds,
): Histogram<L> {
  return kept(
    () => new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry()] }),
  );
}

/** Something that is now. To be set in a `readOnScrape`. */
export function gauge<const L extends string>(
  name: `talpa_${string}`,
  help: string,
  labelNames: readonly L[] = [],
): Gauge<L> {
  return kept(() => empty(new Gauge({ name, help, labelNames, registers: [registry()] })));
}

/** A metric; of a shared process one for each service, behind one name. */
function kept<M extends object>(make: () => M): M {
  if (!sharesProcess()) return make();
  const own = perMember(make);
  return new Proxy({} as M, {
    get: (_target, key) => {
      const metric = own();
      const value: unknown = Reflect.get(metric, key);
      return typeof value === 'function' ? value.bind(metric) : value;
    },
  });
}

const patienceMs = 2_000;
const readers = perMember(() => new Map<string, () => Promise<void> | void>());
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
  look: () => Promise<void> | void,
): void {
  unread.labels(reader).inc(0);
  readers().set(reader, async () => {
    for (const one of gauges) empty(one);
    try {
      await Promise.race([look(), tooLate()]);
    } catch {
      for (const one of gauges) empty(one);
      unread.labels(reader).inc();
    }
  });
}

/** reset() would report 0; a gauge that could not be read, or was never set, must be missing. */
function empty<G extends Gauge<string>>(one: G): G {
  one.reset();
  one.remove({});
  return one;
}

async function tooLate(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
  throw new Error('too late');
}

/** Whose figures these are: `process` is a label of all of them. */
export function nameMetrics(name: string): void {
  registry().setDefaultLabels({ process: name });
}

/** What Node itself reports: event loop, garbage collection, memory, CPU. */
export function measureProcess(): void {
  collectDefaultMetrics({ register: registry() });
}

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** All figures, in Prometheus' text format. */
export async function scrape(): Promise<string> {
  const [own, ...others] = await Promise.all([read(), ...memberNames().map((name) => asMember(name, read))]);
  return others.length === 0 ? own : joined([own, ...others]);
}

async function read(): Promise<string> {
  await Promise.all([...readers().values()].map((one) => one()));
  return registry().metrics();
}

/** The format has a metric's lines together, below one heading. */
function joined(texts: readonly string[]): string {
  const samples = new Map<string, string>();
  for (const text of texts)
    for (const [, heading = '', lines = ''] of text.matchAll(/^(# HELP .*\n# TYPE .*\n)((?:[^#\n].*\n?)*)/gm))
      samples.set(heading, `${samples.get(heading) ?? ''}${lines.trimEnd()}\n`.trimStart());
  return [...samples].map(([heading, lines]) => `${heading}${lines}`).join('\n');
}
