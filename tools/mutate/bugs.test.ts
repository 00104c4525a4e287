import { expect, it } from 'vitest';
import { bugs } from '../../mutation/bugs.ts';
import { faultsOfBugs, withBug } from './bugs.ts';

it('each bug has a place of its own, and tests that are there', () => {
  expect(faultsOfBugs()).toEqual([]);
});

it('refuses a bug whose place is gone or not the only one, and has each id once', () => {
  const bug = { id: 'some', title: '', file: 'a.ts', find: 'b', replace: 'c' };
  expect(withBug('a b', bug)).toBe('a c');
  expect(() => withBug('a', bug)).toThrow('some');
  expect(() => withBug('b b', bug)).toThrow('some');
  expect(new Set(bugs.map(({ id }) => id)).size).toBe(bugs.length);
});
