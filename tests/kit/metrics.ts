import type { Talpa } from '../../launcher/system.ts';

/** One figure of a process. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All figures of a process, from Prometheus' text format. */
export async function samplesOf(url: string): Promise<Sample[]> {
  const text = await (await fetch(url)).text();
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = line.match(/^(\w+)(?:\{(.*)\})? (\S+)$/) ?? [];
    if (!name) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The figures of all processes of a system. */
export async function allSamples({ metrics }: Talpa): Promise<Sample[]> {
  return (await Promise.all(Object.values(metrics).map(samplesOf))).flat();
}

/** The names of all figures of the processes, including those that have no value yet. */
export async function familiesOf({ metrics }: Talpa): Promise<Set<string>> {
  const texts = await Promise.all(Object.values(metrics).map(async (url) => (await fetch(url)).text()));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)),
  );
}

/** The sum of a figure over all samples with these labels; null when there is none. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const found = samples.filter(
    (one) => one.name === name && Object.entries(labels).every(([key, text]) => one.labels[key] === text),
  );
  return found.length === 0 ? null : found.reduce((sum, one) => sum + one.value, 0);
}
