import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatsCompilation } from '@rspack/core';

/** What a browser will need, by what needs it: files of the build, and modules that the shell shares. */
interface Needs {
  readonly files: readonly string[];
  readonly shared: readonly string[];
}

/** Where a remote's build names the files of each page, for the shell. */
const preloadFile = 'preload.json';
const provided = /^provide shared module \([^)]*\) (.+?)@\d/;
const consumed = /^consume shared module \([^)]*\) (.+?)@\d/;
/** As `routes.tsx` declares the pages. */
const page = /(\w+): \(\) => import\('([^']+)'\)/g;

/** @param isOrigin whether a request, or the module that requests, is the one whose needs are asked for */
function needsOf(stats: StatsCompilation, isOrigin: (request: string, module: string) => boolean): Needs {
  const chunks = (stats.chunks ?? []).filter(({ origins = [] }) =>
    origins.some(({ request = '', moduleIdentifier = '' }) => isOrigin(request, moduleIdentifier)),
  );
  const ids = new Set(chunks.map(({ id }) => id));
  // A chunk itself lists only some of its modules.
  const modules = (stats.modules ?? []).filter((module) => module.chunks?.some((id) => ids.has(id)));
  return {
    files: chunks.flatMap(({ files = [] }) => files).filter((file) => /\.(js|css)$/.test(file)),
    shared: [...new Set(modules.flatMap(({ name = '' }) => name.match(consumed)?.[1] ?? []))],
  };
}

/** Writes which files and shared modules each page of a remote needs. */
export function writeRemotePreloads(stats: StatsCompilation, source: string, output: string): void {
  const routes = readFileSync(join(source, 'src/routes.tsx'), 'utf8');
  const pages = [...routes.matchAll(page)].map(([, name = '', request = '']) => [
    name,
    needsOf(stats, (asked, module) => asked === request && module.endsWith('src/routes.tsx')),
  ]);
  if (pages.length === 0) throw new Error('routes.tsx declares no page that this build understands');
  const entry = needsOf(stats, (_, module) => module === '' || module.startsWith('container entry'));
  writeFileSync(join(output, preloadFile), JSON.stringify({ entry, pages: Object.fromEntries(pages) }));
}

/** Lets the shell's page preload what every page needs, and names the files of all that it may need besides. */
export function writeShellPreloads(stats: StatsCompilation, output: string): void {
  const all = new Map<string, Needs>();
  for (const { origins = [] } of stats.chunks ?? [])
    for (const { request = '', moduleIdentifier = '' } of origins) {
      const name = moduleIdentifier.match(provided)?.[1];
      if (name)
        all.set(
          name,
          needsOf(stats, (_, module) => module.match(provided)?.[1] === name),
        );
      else if (request.startsWith('./auth/') || request === './bootstrap.tsx')
        all.set(
          request,
          needsOf(stats, (asked) => asked === request),
        );
    }
  const filesOf = (name: string, seen = new Set<string>()): readonly string[] => {
    if (seen.has(name)) return [];
    seen.add(name);
    const { files = [], shared = [] } = all.get(name) ?? {};
    return [...files, ...shared.flatMap((one) => filesOf(one, seen))];
  };
  /** What every page needs. */
  const always = new Set(filesOf('./bootstrap.tsx'));
  const others = [...all.keys()].map((name) => [
    name,
    [...new Set(filesOf(name))].filter((file) => !always.has(file)),
  ]);
  const path = join(output, 'index.html');
  // First what starts all: it requests session and remote while the rest is on its way.
  const main = (stats.chunks ?? []).find(({ names = [] }) => names.includes('main'))?.files ?? [];
  const files = [...main, ...always].map(
    (file) => `<link rel="preload" as="${file.endsWith('.css') ? 'style' : 'script'}" href="/${file}" />`,
  );
  // Known only from the styles otherwise: texts would be drawn twice, the second time in another width.
  const fonts = (readdirSync(join(output, 'assets')) as string[])
    .filter((file) => file.startsWith('inter-latin.'))
    .map((file) => `<link rel="preload" as="font" type="font/woff2" href="/assets/${file}" crossorigin />`);
  if (fonts.length !== 1) throw new Error('the build has no font that the page can preload');
  const links = [...files.slice(0, 1), ...fonts, ...files.slice(1)];
  const map = JSON.stringify(Object.fromEntries(others.filter(([, files]) => files?.length)));
  const html = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    html.replace('__PRELOAD_FILES__', () => map).replace('</head>', () => `${links.join('\n')}\n</head>`),
  );
}
