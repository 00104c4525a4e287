import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../launcher/paths.ts';
import { bugs } from '../../mutation/bugs.ts';
import { withBug } from './bugs.ts';

it.each(bugs)('$id still has its place, and tests that are there', (bug) => {
  const text = readFileSync(join(root, bug.file), 'utf8');
  expect(withBug(text, bug)).not.toBe(text);
  for (const test of bug.tests ?? []) expect(existsSync(join(root, test)), test).toBe(true);
});

it('refuses a bug whose place is gone or not the only one, and has each id once', () => {
  const bug = { id: 'some', title: '', file: 'a.ts', find: 'b', replace: 'c' };
  expect(withBug('a b', bug)).toBe('a c');
  expect(() => withBug('a', bug)).toThrow('some');
  expect(() => withBug('b b', bug)).toThrow('some');
  expect(new Set(bugs.map(({ id }) => id)).size).toBe(bugs.length);
});
