import { expect, it } from 'vitest';
import * as fields from './fields.ts';

it.each(['/', '/admin', '/admin/', '/a/b.c', '/a/.hidden', "/~u/x'(1)"])(
  '%s can be the path of a rule',
  (path) => {
    expect(fields.pathPrefix.safeParse(path).success).toBe(true);
  },
);

it.each([
  '',
  'admin',
  '//',
  '/a//b',
  '/./a',
  '/a/..',
  '/a/../b',
  '/%61',
  '/a?b',
  '/a#b',
  '/a;b',
  '/ä',
  '/a b',
  '\\a',
])('“%s” cannot: servers could read it in two ways', (path) => {
  expect(fields.pathPrefix.safeParse(path).success).toBe(false);
});
