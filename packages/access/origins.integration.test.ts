import type { AccessRule } from '@talpa/contracts';
import { type FileOrigins, startFileOrigins } from '@talpa/test-kit/file-origins';
import { lengthOf, seedOf } from '@talpa/test-kit/lengths';
import { type Random, randomFrom } from '@talpa/test-kit/requests/random';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJudge } from './judge.ts';

const files = [
  ...['/index.html', '/admin/index.html', '/admin/secret.html', '/admin/x/secret.html', '/admin/index.php'],
  ...[
    '/public/index.html',
    '/public/page.html',
    '/public/app.php',
    '/public/x/page.html',
    '/other/page.html',
  ],
];
const isProtected = (file: string) => file.startsWith('/admin/');
const isPublic = (file: string) => file.startsWith('/public/');

const rule = (action: AccessRule['action'], path: string): AccessRule => ({
  ...{ action, match: { by: 'path', path }, expiresAt: null },
});
const wall = { kind: 'wall', methods: ['pin'], require: 'any', days: 7 };
/** Policies of rules about paths, and what each of them may let everyone see. */
const policies: readonly { policy: object; mayShow: (file: string) => boolean }[] = [
  {
    policy: { kind: 'rules', rules: [rule('deny', '/admin')], otherwise: 'allow' },
    mayShow: (file) => !isProtected(file),
  },
  { policy: { kind: 'rules', rules: [rule('allow', '/public')], otherwise: 'deny' }, mayShow: isPublic },
  {
    policy: {
      kind: 'rules',
      rules: [rule('deny', '/public/x'), rule('allow', '/public/')],
      otherwise: 'deny',
    },
    mayShow: (file) => isPublic(file) && !file.startsWith('/public/x/'),
  },
  { policy: { ...wall, rules: [rule('allow', '/public')] }, mayShow: isPublic },
  {
    policy: { ...wall, rules: [rule('continue', '/admin'), rule('allow', '/')] },
    mayShow: (file) => !isProtected(file),
  },
];

/** Those of the trial in which the rules were passed by. */
const known = [
  ...['/public/../admin/secret.html', '/public/%2e%2e/admin//secret.html'],
  ...[
    '/public#/../admin/secret.html',
    '/public/../admin/index.php/..;/..;/public/x',
    '/a%5C..%5Cadmin/secret.html',
  ],
  ...['/public/%252e%252e/admin/secret.html', '//admin/x/..;/secret.html', '/./admin/index.php/..%5c'],
  ...[
    '/admin./secret.html',
    '/admin%20/secret.html',
    '/ADMIN/secret.html',
    '/admin::$INDEX_ALLOCATION/secret.html',
  ],
  ...['//public/admin/secret.html', '/public/%09../admin/secret.html', '/%ef%bc%81dmin/secret.html'],
  ...[
    '/%EF%BD%81dmin/secret.html',
    '/public/%EF%BC%8E%EF%BC%8E/admin/secret.html',
    '/admin/secret.html%00.css',
  ],
];

const separators = [
  '/',
  '/',
  '/',
  '/',
  '/',
  '//',
  '\\',
  '%2f',
  '%5c',
  '%252f',
  '/./',
  '/.;/',
  ';/',
  '/%09',
  '#/',
  '%23/',
];
const names = [
  ...[
    'admin',
    'admin',
    'admin',
    'public',
    'public',
    'x',
    'secret.html',
    'page.html',
    'index.php',
    'app.php',
    'other',
  ],
  ...[
    '..',
    '..',
    '.',
    '',
    '..;',
    '..;a=b',
    '%2e%2e',
    '%252e%252e',
    '.%2e',
    '..%20',
    '..%00',
    '.%09.',
    '..::$DATA',
    '%C0%AE%C0%AE',
  ],
];
const endings = [
  '',
  '',
  '',
  '',
  ';x',
  ';x=/',
  '.',
  '%20',
  '%2e',
  '::$DATA',
  '%00',
  '%3bx',
  '%3f',
  '#',
  '?',
  '?/../admin',
  '%',
  '%zz',
];

function targetOf(random: Random): string {
  let target = random.chance(0.9) ? '/' : random.pick(separators);
  for (let count = 1 + random.below(5); count > 0; count -= 1) {
    target += changed(random, random.pick(names)) + random.pick(endings);
    if (count > 1) target += random.pick(separators);
  }
  // A request line ends at these.
  return target.replace(/[\r\n ]/g, '');
}

function changed(random: Random, name: string): string {
  if (random.chance(0.7) || name === '' || name.includes('%')) return name;
  const at = random.below(name.length);
  const code = name.charCodeAt(at).toString(16).padStart(2, '0');
  const letter = random.pick([`%${code}`, `%25${code}`, `%2525${code}`, (name[at] ?? '').toUpperCase()]);
  return name.slice(0, at) + letter + name.slice(at + 1);
}

let all: FileOrigins;
beforeAll(async () => {
  all = await startFileOrigins(files);
});
afterAll(() => all.stop());

const count = lengthOf('TALPA_TARGETS');
it(
  'no origin serves what the rules protect to a target that they let in',
  async () => {
    const random = randomFrom(seedOf('TALPA_TARGETS_SEED', 34));
    const targets = new Set([...known, ...Array.from({ length: count }, () => targetOf(random))]);
    const judges = policies.map(({ policy, mayShow }) => ({ judge: createJudge(policy), mayShow }));
    const wrong: string[] = [];
    const reached: Record<string, number> = {};
    const check = async (target: string) => {
      const outcomes = judges.map(({ judge }) => judge({ address: '192.0.2.1', path: target }).outcome);
      for (const [name, serve] of Object.entries(all.origins)) {
        const file = await serve(target);
        if (file === null) continue;
        if (isProtected(file)) reached[name] = (reached[name] ?? 0) + 1;
        judges.forEach(({ mayShow }, index) => {
          if (outcomes[index] === 'allow' && !mayShow(file))
            wrong.push(`${target} is let in by policy ${index}, and ${name} serves ${file}`);
        });
      }
    };
    const left = [...targets];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let target = left.pop(); target !== undefined; target = left.pop()) await check(target);
      }),
    );
    expect(wrong).toEqual([]);
    // Each of them can be led to what is protected: the targets are no mere noise.
    expect(Object.keys(all.origins).filter((name) => !reached[name])).toEqual([]);
  },
  180_000 + 30 * count,
);
