import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { StatsCompilation } from '@rspack/core';

/** Bytes of code, as gzip sends them, that each entry brings: a page, a shared module, the start. */
type Weights = Readonly<Record<string, number>>;

/** What entries may weigh, in kB; with what they share among themselves. The one place of these figures. */
const budgets: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  shell: {
    // These three are loaded before anything is drawn.
    main: 40,
    frame: 42,
    libraries: 238,
    '@talpa/panel-kit/form': 140,
    '@talpa/panel-kit/table': 140,
    '@talpa/panel-kit/date': 50,
  },
  user: { './settings/settings-page.tsx': 31 },
};
/** What is not named above. */
const otherwise = 30;

/** Where a build keeps what it weighs. */
export const weightsFile = 'weights.json';

const shared = /^(?:provide|consume) shared module \([^)]*\) (.+?)@\d/;

/** What each entry of a build weighs; code that several share counts for each of them. */
export function weigh(stats: StatsCompilation, folder: string): Weights {
  const weights: Record<string, number> = {};
  for (const { files = [], names = [], origins = [] } of stats.chunks ?? []) {
    const code = files.filter((file) => /\.(js|css)$/.test(file));
    const bytes = code.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    const asked = origins.map(
      ({ request, moduleIdentifier = '' }) => moduleIdentifier.match(shared)?.[1] ?? request,
    );
    const entries = names.length > 0 ? names : asked.flatMap((name) => (name ? [name] : []));
    for (const entry of new Set(entries)) weights[entry] = (weights[entry] ?? 0) + bytes;
  }
  return weights;
}

/** Each entry of a frontend's build that weighs more than it may, in plain words. */
export function overweight(frontend: string, folder: string): string[] {
  const weights: Weights = JSON.parse(readFileSync(join(folder, weightsFile), 'utf8'));
  return Object.entries(weights).flatMap(([entry, bytes]) => {
    const may = budgets[frontend]?.[entry] ?? otherwise;
    const kB = Math.ceil(bytes / 1_000);
    return kB > may
      ? [`${frontend}: ${entry} weighs ${kB} kB of ${may} (launcher/build/panel-weight.ts)`]
      : [];
  });
}
