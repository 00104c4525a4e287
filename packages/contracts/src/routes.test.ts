import { rightIn, rights } from '@talpa/test-kit/requests/rights';
import { describe, expect, it } from 'vitest';
import { auditActions } from './audit.ts';
import { mustBeAudited } from './audited-reads.ts';
import type { Entry } from './entry.ts';
import { eventStream } from './live.ts';
import { longestDeadlineMs } from './longest-deadline.ts';
import { includesRole, proxyRoles } from './roles.ts';
import { routes } from './routes.ts';
import { isAdminScope, scopes } from './scopes.ts';
import { serviceNames } from './service-names.ts';
import { busCalls, writesAction } from './verbs.ts';

/** What one or the other field takes. */
const samples = ['abc', 'abc.de', '127.0.0.1', 'a@b.de', '7', '00000000-0000-4000-8000-000000000000'];
/** A password is only hashed; what keeps a browser from caching a ping is never read. */
const harmless = /password|^nocache$/i;

it.each(Object.entries(routes))(
  '%s takes no text with a character the database cannot hold',
  (_name, { input }) => {
    const takesIt = Object.entries(input.shape).filter(([field, schema]) => {
      const taken = samples.filter((text) => schema.safeParse(text).success);
      return !harmless.test(field) && taken.some((text) => schema.safeParse(`${text}\0${text}`).success);
    });
    expect(takesIt.map(([field]) => field)).toEqual([]);
  },
);

it('the longest wait for a response is the one that processes allow for when they stop', () => {
  const deadlines = busCalls.flatMap(({ access, deadline }) => (access === 'internal' ? [] : [deadline]));
  expect(Math.max(...deadlines)).toBe(longestDeadlineMs);
});

describe.each(Object.entries<Entry>(routes))('%s', (name, { scope, access, of, role, stepUp, media }) => {
  it('names the scope that opens it to API keys, or says that none does', () => {
    expect([null, ...scopes]).toContain(scope);
  });

  it('says what one must be to a proxy or a server exactly if it is about one', () => {
    expect(role !== undefined).toBe(of === 'proxy' || of === 'server');
  });

  if (scope === null) return;
  it('is no call that takes a person or gives what signs in', () => {
    expect({ access, stepUp, media }).not.toMatchObject({ access: 'public' });
    expect(stepUp).not.toBe(true);
    expect(media).not.toBe(eventStream);
    expect(name).not.toMatch(
      /session|factor|authenticator|recovery|passkey|api-key|password|reset|deletion|export|step-up/,
    );
  });

  it('only reads if its scope says so, and is an administrator’s exactly if its scope is', () => {
    if (scope.endsWith(':read')) expect(name).toMatch(/^GET /);
    expect(isAdminScope(scope)).toBe(access === 'admin');
  });
});

it('is open to those alone to whom the table of rights opens it', () => {
  const found = Object.fromEntries(
    Object.entries<Entry>(routes).map(([name, entry]) => [name, rightIn(entry)]),
  );
  expect(found).toEqual(rights);
});

it('lets each role do what those before it do', () => {
  expect(proxyRoles).toEqual(['view', 'operate', 'manage', 'owner']);
  const included = proxyRoles.map((role) => proxyRoles.filter((needed) => includesRole(role, needed)));
  expect(included).toEqual([
    ['view'],
    ['view', 'operate'],
    ['view', 'operate', 'manage'],
    ['view', 'operate', 'manage', 'owner'],
  ]);
});

it('gives API keys no secrets but these', () => {
  const secrets = Object.entries<Entry>(routes).filter(([, { scope, secret }]) => scope !== null && secret);
  expect(secrets.map(([name]) => name).sort()).toEqual([
    'GET /api/servers/:id/tunnel-token',
    'GET /api/tunnel-configs/:id/tunnel-token',
    'POST /api/admin/invitations',
  ]);
});

it('has calls for each scope', () => {
  expect(new Set(Object.values<Entry>(routes).map(({ scope }) => scope))).toEqual(new Set([null, ...scopes]));
});

it('leaves a row in the audit trail of each read that reveals something, and of no other', () => {
  const reads = Object.entries<Entry>(routes).filter(([name]) => name.startsWith('GET '));
  const wrong = reads.filter(([, entry]) => mustBeAudited('GET', entry) !== Boolean(entry.audit));
  expect(wrong.map(([name]) => name)).toEqual([]);
  expect(
    reads
      .filter(([, { audit }]) => audit)
      .map(([name]) => name)
      .sort(),
  ).toEqual([
    'GET /api/admin/mails/:id',
    'GET /api/admin/users/:id/api-keys',
    'GET /api/admin/users/:id/email',
    'GET /api/admin/users/:id/identities',
    'GET /api/servers/:id/tunnel-token',
    'GET /api/tunnel-configs/:id/requests.csv',
    'GET /api/tunnel-configs/:id/tunnel-token',
    'GET /api/user/export',
  ]);
});

it('gives the calls below /api/admin to administrators, and no others', () => {
  for (const [name, { access }] of Object.entries<Entry>(routes))
    expect([name, access === 'admin']).toEqual([name, name.includes(' /api/admin/')]);
});

it('asks for a step-up only where the gateway looks at the session first', () => {
  const entries = Object.entries<Entry>(routes).filter(([, { stepUp }]) => stepUp);
  expect(entries).not.toEqual([]);
  expect(entries.filter(([, { access, cached }]) => access === 'public' || cached)).toEqual([]);
});

it('gives each action of the audit trail to exactly one service, whose calls and jobs write it', () => {
  for (const action of auditActions)
    expect([action, serviceNames.filter((service) => writesAction(service, action)).length]).toEqual([
      action,
      1,
    ]);
});
