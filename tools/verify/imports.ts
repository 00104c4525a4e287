import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';

/** Our code, by file. */
export const readCode = () =>
  readAll('{packages,services,gateway,frontends,launcher,operator,tools,tests,bench}/**/*.{ts,tsx,mjs}');

/** The files that a pattern names, relative to the root, with their texts. */
export function readAll(pattern: string): ReadonlyMap<string, string> {
  const files = globSync(pattern, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  });
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

export interface Import {
  readonly name: string;
  readonly isType: boolean;
}

/** What a file imports, as it is written there. */
export function importsOf(text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...statements].map(([, type, from, bare, dynamic]) => ({
    name: from ?? bare ?? dynamic ?? '',
    isType: type !== undefined,
  }));
}
