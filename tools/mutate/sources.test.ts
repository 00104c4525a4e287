import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryHome } from '@talpa/test-kit/home';
import { expect, it } from 'vitest';
import { copySources, filesToMutate } from './sources.ts';

/** A clone with one workspace, `@talpa/kit`. */
function clone() {
  const root = temporaryHome();
  for (const path of [
    'packages/kit/add.ts',
    'packages/kit/add.test.ts',
    'packages/kit/types.d.ts',
    'packages/kit/node_modules/own/index.ts',
    'packages/kit/text.sql',
    'tests/load/smoke.ts',
    'tests/kit/load/users.ts',
    'load/results.json',
    'node_modules/zod/index.js',
    '.talpa/secrets/keys',
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  mkdirSync(join(root, 'node_modules/@talpa'));
  symlinkSync('../../packages/kit', join(root, 'node_modules/@talpa/kit'));
  return root;
}

it('breaks the copy alone, where a workspace’s name leads as well', () => {
  const root = clone();
  const copy = join(realpathSync(temporaryHome()), 'copy');
  copySources(root, copy);
  const place = (path: string) => realpathSync(join(copy, path));
  expect(place('node_modules/@talpa/kit/add.ts')).toBe(join(copy, 'packages/kit/add.ts'));
  expect(place('tests/load/smoke.ts')).toBe(join(copy, 'tests/load/smoke.ts'));
  expect(place('tests/kit/load/users.ts')).toBe(join(copy, 'tests/kit/load/users.ts'));
  expect(() => place('load/results.json')).toThrow('ENOENT');
  expect(place('node_modules/zod')).toBe(realpathSync(join(root, 'node_modules/zod')));
  expect(() => place('.talpa/secrets/keys')).toThrow('ENOENT');
});

it('breaks the sources of a named folder, some lines of a named file, and never a test', () => {
  const root = clone();
  expect(filesToMutate(root, ['packages/kit'])).toEqual(['packages/kit/add.ts']);
  const lines = 'packages/kit/add.ts:3-9';
  expect(filesToMutate(root, [lines, 'packages/kit/add.test.ts', 'packages/kit/text.sql'])).toEqual([lines]);
});
