import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { expect, it } from 'vitest';
import { packagesOf } from './build.ts';

const names = new Map(
  globSync('{frontends,packages}/*/package.json', { cwd: root }).map((file) => [
    JSON.parse(readFileSync(join(root, file), 'utf8')).name as string,
    file.replace('/package.json', ''),
  ]),
);

/** The folders of ours that the sources in one import, and theirs. */
function imported(folder: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const file of globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['**/node_modules', '**/*.test.*'],
  }))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(/from '(@talpa\/[\w-]+)/g))
      imported(names.get(name) ?? '', found);
  return found;
}

it.each(['shell', 'user', 'admin'])(
  '%s is built anew when anything of ours that it imports changes',
  (name) => {
    expect(packagesOf(`frontends/${name}`)).toEqual(
      expect.arrayContaining([...imported(`frontends/${name}`)]),
    );
  },
);
