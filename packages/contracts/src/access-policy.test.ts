import { expect, it } from 'vitest';
import { accessPolicy } from './access-policy.ts';
import * as fields from './fields.ts';
import { issuesOf } from './issues.ts';

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

const wall = { kind: 'wall', rules: [], methods: ['email'], require: 'any', days: 7 };

it('the addresses of a wall are lower case, each once, and a policy of before there were any has none', () => {
  expect(
    accessPolicy.parse({ ...wall, emails: [' A@x.example', 'a@X.example', 'b@x.example'] }),
  ).toMatchObject({ emails: ['a@x.example', 'b@x.example'] });
  expect(accessPolicy.parse({ ...wall, methods: ['pin'] })).toMatchObject({ emails: [] });
});

it('a wall has at most 50 addresses, and each can get an email', () => {
  const issues = (emails: string[]) => {
    const { error } = accessPolicy.safeParse({ ...wall, emails }, { reportInput: true });
    return error && issuesOf(error).map(({ path, key }) => [path.join('.'), key]);
  };
  const many = Array.from({ length: 51 }, (_, one) => `v${one}@example.com`);
  expect(issues(many.slice(1))).toBeUndefined();
  expect(issues(many)).toEqual([['emails', 'emailsTooMany']]);
  expect(issues(['a@x.example', 'mara@'])).toEqual([['emails.1', 'emailInvalid']]);
  expect(issues([''])).toEqual([['emails.0', 'emailInvalid']]);
});
