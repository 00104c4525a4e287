import type { AccessPolicy, AccessRule } from '@talpa/contracts';
import { accessPolicy } from '@talpa/contracts';
import { describe, expect, it } from 'vitest';
import { createJudge } from './judge.ts';
import { isBelow, readPath } from './path.ts';

const rule = (
  action: AccessRule['action'],
  match: AccessRule['match'],
  expiresAt: string | null = null,
): AccessRule => ({ action, match, expiresAt });
const from = (network: string) => ({ by: 'address', network }) as const;
const below = (path: string) => ({ by: 'path', path }) as const;
const inCountry = (country: string) => ({ by: 'country', country }) as const;
const policyOf = (rules: AccessRule[], otherwise: 'allow' | 'deny' = 'deny'): AccessPolicy =>
  accessPolicy.parse({ kind: 'rules', rules, otherwise });
const outcome = (policy: unknown, address: string, path = '/', now?: number) =>
  createJudge(policy)({ address, path }, now).outcome;

it('a policy of an unknown kind, or with a rule of an unknown kind, lets nobody in', () => {
  const strange = [
    { kind: 'everyone' },
    {},
    null,
    'open',
    {
      kind: 'rules',
      otherwise: 'allow',
      rules: [{ action: 'allow', match: { by: 'moon' }, expiresAt: null }],
    },
    { kind: 'rules', otherwise: 'maybe', rules: [] },
  ];
  for (const policy of strange)
    expect(createJudge(policy)({ address: '192.0.2.1', path: '/' })).toEqual({
      ...{ outcome: 'deny', reason: 'unknown_policy', rule: null },
    });
  expect(outcome({ kind: 'open' }, '192.0.2.1')).toBe('allow');
});

it('on the way through the wall rules about paths refuse nobody and let nobody in, all others do', () => {
  const outcomeOf = (...rules: AccessRule[]) => {
    const policy = accessPolicy.parse({ kind: 'wall', rules, methods: ['pin'], require: 'any', days: 7 });
    return createJudge(policy)({ address: '192.0.2.1', path: null }).outcome;
  };
  const [every, here] = [below('/'), from('192.0.2.0/24')];
  expect(outcomeOf(rule('deny', every))).toBe('wall');
  expect(outcomeOf(rule('allow', every), rule('deny', here))).toBe('deny');
  expect(outcomeOf(rule('allow', every), rule('allow', here))).toBe('allow');
  expect(outcomeOf(rule('continue', below('/panel')), rule('deny', here))).toBe('wall');
  expect(outcomeOf(rule('continue', below('/panel'), new Date(0).toISOString()), rule('deny', here))).toBe(
    'deny',
  );
});

it('the first rule that matches decides, and is named', () => {
  const policy = policyOf(
    [
      rule('deny', from('192.0.2.7')),
      rule('allow', from('192.0.2.0/24')),
      rule('continue', from('2001:db8:1::/48')),
      rule('deny', from('2001:db8::/32')),
    ],
    'allow',
  );
  const judge = createJudge(policy);
  const seen = ['192.0.2.7', '192.0.2.8', '2001:db8:1::1', '2001:db8:2::1', '203.0.113.1'].map((address) => {
    const verdict = judge({ address, path: '/' });
    return [verdict.outcome, verdict.reason, verdict.rule];
  });
  expect(seen).toEqual([
    ['deny', 'rule', 1],
    ['allow', 'rule', 2],
    ['allow', 'no_rule', null],
    ['deny', 'rule', 4],
    ['allow', 'no_rule', null],
  ]);
});

it('networks of one family match no address of the other', () => {
  expect(outcome(policyOf([rule('allow', from('0.0.0.0/0'))]), '2001:db8::1')).toBe('deny');
  expect(outcome(policyOf([rule('allow', from('::/0'))]), '192.0.2.1')).toBe('deny');
  expect(outcome(policyOf([rule('allow', from('::/0')), rule('allow', from('0.0.0.0/0'))]), 'nonsense')).toBe(
    'deny',
  );
});

it('a country is that of the address; a private address has none', () => {
  const german = policyOf([rule('allow', inCountry('DE'))]);
  expect(
    ['85.214.132.117', '2a01:238::1', '1.1.1.1', '10.0.0.1'].map((address) => outcome(german, address)),
  ).toEqual(['allow', 'allow', 'deny', 'deny']);
});

it('a rule matches nobody from its end on', () => {
  const end = Date.parse('2026-05-01T12:00:00.000Z');
  const policy = policyOf([rule('allow', from('192.0.2.1'), '2026-05-01T12:00:00.000Z')]);
  expect([end - 1, end].map((now) => outcome(policy, '192.0.2.1', '/', now))).toEqual(['allow', 'deny']);
});

describe('a rule about a path', () => {
  const guarded = policyOf([rule('deny', below('/admin'))], 'allow');
  const opened = policyOf([rule('allow', below('/public'))]);

  it('is about the path and what is below it, whatever the query', () => {
    expect(
      ['/admin', '/admin/', '/admin?x', '/admin/users'].map((path) => outcome(guarded, '::1', path)),
    ).toEqual(Array(4).fill('deny'));
    expect(['/', '/administrators', '/x?/admin'].map((path) => outcome(guarded, '::1', path))).toEqual(
      Array(3).fill('allow'),
    );
    expect(['/public', '/public/a%20b.css'].map((path) => outcome(opened, '::1', path))).toEqual([
      'allow',
      'allow',
    ]);
    expect(['/publicity', '/'].map((path) => outcome(opened, '::1', path))).toEqual(['deny', 'deny']);
  });

  it.each([
    '/%61dmin',
    '/%2561dmin',
    '//admin',
    '/./admin',
    '/x/../admin',
    '/x/%2e%2e/admin',
    '/x/..%2fadmin',
    '\\admin',
    '/\\admin',
    '/ADMIN',
    '/admin;x=1',
    '/;x/admin',
    '/%C2%A0admin',
    '/ admin%20',
    '/public/../secret',
    '/public/%2e%2e/secret',
    '/public/..\\secret',
    '/public/..;/secret',
  ])('refuses a path that an origin could read in another way: %s', (path) => {
    const policies = path.includes('secret') ? [opened] : [guarded];
    for (const policy of policies) expect(outcome(policy, '::1', path)).toBe('deny');
  });
});

it.each([
  '/api/projects/group%2Fproject',
  '/files/a%20b.css',
  '/files//twice',
  '/gr%C3%BC%C3%9Fe/%E2%80%9EHallo%E2%80%A6.png',
  '/%D1%84%D0%B0%D0%B9%D0%BB',
  '/item;jsessionid=A/x',
  '/v1/items:batch',
  '/100%25/C%23',
  '/.well-known/x',
  '/~user/',
  '/%F0%9F%8E%89.png',
])('an honest path that no server could take for the one of a rule passes: %s', (path) => {
  expect(isBelow(readPath(path), '/admin')).toBe('no');
});

it('a rule is about every spelling of its letters: large, small, composed or not', () => {
  for (let code = 0x80; code <= 0x1_ff_ff; code += 1) {
    const letter = String.fromCodePoint(code);
    // The iota below a Greek letter is an accent, and a letter of its own in upper case.
    if (!/\p{L}/u.test(letter) || /\p{Script=Greek}/u.test(letter)) continue;
    const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()];
    const spellings = [
      letter,
      upper,
      lower,
      upper.toLowerCase(),
      lower.toUpperCase(),
      letter.normalize('NFD'),
    ];
    for (const [rule, sent] of spellings.flatMap((one) => spellings.map((other) => [one, other] as const)))
      if (isBelow(readPath(`/a${encodeURIComponent(sent)}`), `/a${encodeURIComponent(rule)}`) === 'no')
        expect.unreachable(`${rule} is not ${sent}`);
  }
});

it('an ambiguous path gets the strictest of what its readings get, and only where they differ', () => {
  const verdict = (policy: AccessPolicy, path: string) => createJudge(policy)({ address: '192.0.2.1', path });
  const wallWith = (...rules: AccessRule[]) =>
    accessPolicy.parse({ kind: 'wall', rules, methods: ['pin'], require: 'any', days: 7 });
  const strange = '/x/../public';
  expect(verdict(wallWith(rule('allow', below('/public'))), strange)).toEqual({
    ...{ outcome: 'wall', reason: 'ambiguous_path', rule: 1 },
  });
  expect(verdict(wallWith(rule('allow', below('/a')), rule('deny', below('/public'))), strange)).toEqual({
    ...{ outcome: 'deny', reason: 'ambiguous_path', rule: 1 },
  });
  expect(verdict(policyOf([rule('deny', below('/admin'))]), strange)).toMatchObject({
    outcome: 'deny',
    reason: 'rule',
  });
  expect(
    verdict(policyOf([rule('allow', from('192.0.2.1')), rule('deny', below('/admin'))]), strange),
  ).toEqual({
    ...{ outcome: 'allow', reason: 'rule', rule: 1 },
  });
  const ended = rule('deny', below('/admin'), '2026-05-01T12:00:00.000Z');
  expect(verdict(policyOf([ended], 'allow'), strange)).toMatchObject({ outcome: 'allow', reason: 'no_rule' });
});

it('a hostile path is read in no more time than its length asks for', () => {
  const hostile = ['.', '%25', '. ', '/.', ';', '/;', '\u00c3\u00a4', ':', '.x'].map(
    (part) => `/${part.repeat(16_000)}x`,
  );
  // Of the processor, however busy it is: a regular expression that backtracks takes minutes.
  const before = process.cpuUsage();
  for (const path of hostile) isBelow(readPath(path), '/admin');
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
