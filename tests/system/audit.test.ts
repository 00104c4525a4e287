import { randomUUID } from 'node:crypto';
import type { AuditRow, RequestOf, RouteName, Routes } from '@talpa/contracts';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { giveEmail, makeSecretOf, readKept } from '@talpa/test-kit/emails';
import { answerFor, linkIdentity } from '@talpa/test-kit/identities';
import { guestCalls } from '@talpa/test-kit/members';
import { type ProviderAnswer, signInAt } from '@talpa/test-kit/openid-provider';
import { addPasskey, softAuthenticator } from '@talpa/test-kit/passkeys';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { plainInputOf, requestOf, type TableRoute, tableRoutes } from '@talpa/test-kit/requests/route';
import * as things from '@talpa/test-kit/requests/things';
import { appWith, setUpApp } from '@talpa/test-kit/second-factors';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginVisit, makeToken } from './visits.ts';

const system = useSharedTalpa();
const random = randomFrom(2);
let root: Client;
let rootId: number;
beforeAll(async () => {
  root = await system.admin();
  rootId = (await root.call('GET /api/user', {})).id;
});

type TestUser = Awaited<ReturnType<typeof newUser>>;
interface Case {
  /** Whose data the call is about. */
  readonly subject: TestUser;
  /** What the call is about, where its path names it. */
  readonly id: number | string;
}

/** What a provider has answered, and nothing more. */
const complete = (answer: ProviderAnswer) => ({ iss: undefined, error: undefined, ...answer });

/** What a call needs that its schema does not say; without an entry here its input is made from its schema. */
const inputs: { readonly [N in RouteName]?: (one: Case) => Promise<Partial<RequestOf<Routes[N]>>> } = {
  'POST /api/login': async ({ subject }) => ({ username: subject.user.username, password: testPassword }),
  'POST /api/login/second-factor': async ({ subject }) => {
    const { app } = await setUpAppOf(subject);
    const input = { username: subject.user.username, password: testPassword };
    const { error } = await new Client(system.url).fail('POST /api/login', input);
    return { challenge: error.challenge ?? '', code: app.next() };
  },
  'POST /api/login/passkey': async ({ subject: { client } }) => {
    const { authenticator } = await addPasskey((route, input) => client.call(route, input), system.url);
    return { passkey: authenticator.use(await client.call('POST /api/login/passkey/challenge', {})) };
  },
  'POST /api/user/passkeys': async ({ subject: { client } }) => ({
    passkey: softAuthenticator(system.url).make(await client.call('POST /api/user/passkeys/challenge', {})),
  }),
  'POST /api/user/api-keys': async () => ({ scopes: ['proxies:read'], proxyIds: null }),
  'POST /api/enrol': async ({ subject: { client } }) => ({
    key: (await client.call('POST /api/enrolment-keys', { name: 'Befehl' })).key,
    panel: 'txAdmin',
  }),
  'POST /api/login/provider': async ({ subject: { client } }) => {
    const account = randomUUID();
    await linkIdentity(client, account);
    return complete(await answerFor(client, account));
  },
  'POST /api/register/provider': async ({ subject: { client } }) => {
    const answer = await answerFor(client, randomUUID());
    const { error } = await client.fail('POST /api/login/provider', answer);
    return { challenge: error.challenge ?? '', username: `u${randomUUID().slice(0, 12)}` };
  },
  'POST /api/user/identities': async ({ subject: { client } }) => {
    const { url } = await client.call('POST /api/user/identities/request', { provider: 'openid' });
    return complete(await signInAt(url, randomUUID()));
  },
  'POST /api/user/authenticator/confirmation': async ({ subject }) => {
    const { secret } = await subject.client.call('POST /api/user/authenticator', {});
    return { code: appWith(secret).now() };
  },
  'POST /api/user/authenticator/removal': async ({ subject }) => ({
    code: (await setUpAppOf(subject)).app.next(),
  }),
  'POST /api/user/recovery-codes': async ({ subject }) => ({ code: (await setUpAppOf(subject)).app.next() }),
  'DELETE /api/admin/users/:id/second-factor': async ({ subject }) => {
    await setUpAppOf(subject);
    return {};
  },
  'POST /api/register': async () => ({ username: `u${randomUUID().slice(0, 12)}`, invitation: undefined }),
  'POST /api/password-reset-request': async ({ subject }) => {
    await haveEmail(subject.user);
    return { account: subject.user.username };
  },
  'POST /api/password-reset': async ({ subject }) => {
    const { path } = await root.call('POST /api/admin/users/:id/reset-link', { id: subject.user.id });
    return { token: path.split('#')[1] ?? '' };
  },
  'POST /api/user/email-verification': async ({ subject }) => {
    await subject.client.call('POST /api/user/preferences', {
      email: `${subject.user.username}@example.org`,
    });
    return {};
  },
  'POST /api/intrusion-report': async ({ subject }) => ({ token: await reportLinkOf(subject) }),
  'POST /api/unsubscription': async ({ subject }) => ({ token: await unsubscribeLinkOf(subject) }),
  'POST /api/email-verification': async ({ subject }) => ({
    token: await verificationOf(subject),
    password: testPassword,
  }),
  'POST /api/user/step-up': async () => ({ password: testPassword, code: undefined, passkey: undefined }),
  'POST /api/user/channels': async () => things.plainChannel,
  'PUT /api/user/channels/:id': async () => ({ name: 'Anderer Kanal', url: things.plainChannel.url }),
  'POST /api/admin/channels': async () => things.plainInstallationChannel,
  'PUT /api/admin/channels/:id': async () => ({ name: 'Anderer Kanal', url: things.plainChannel.url }),
  'POST /api/admin/announcements': async () => things.plannedAnnouncement,
  'PUT /api/admin/announcements/:id': async () => ({
    ...things.plannedAnnouncement,
    ...{ titleDe: 'Neuigkeit', expected: undefined },
  }),
  'POST /api/admin/invitations': async () => ({ subscriptionTier: null, months: null, expiresAt: null }),
  'POST /api/user/password': async () => ({ currentPassword: testPassword }),
  'POST /api/user/deletion': async () => ({ password: testPassword }),
  'POST /api/user/subscription': async () => ({ planId: 'premium' }),
  'DELETE /api/user/sessions': async ({ subject }) => {
    const { username } = subject.user;
    await new Client(system.url).call('POST /api/login', { username, password: testPassword });
    return {};
  },
  'POST /api/admin/users': async () => ({ username: `u${randomUUID().slice(0, 12)}` }),
  'PUT /api/admin/users/:id': async ({ subject }) => ({ username: subject.user.username }),
  'DELETE /api/admin/users/:id/suspension': async ({ subject }) => {
    await root.call('POST /api/admin/users/:id/suspension', { id: subject.user.id, reason: 'Spam' });
    return {};
  },
  'PUT /api/tunnel-configs/:id/pause': async () => ({ message: 'Gleich zurück', expected: undefined }),
  'DELETE /api/tunnel-configs/:id/pause': async ({ subject, id }) => {
    await subject.client.call('PUT /api/tunnel-configs/:id/pause', { id: Number(id), message: '' });
    return {};
  },
  'DELETE /api/tunnel-configs/:id/domains/:domainId': async ({ subject, id }) => ({
    domainId: await things.makeDomain(subject.client, id),
  }),
  'PUT /api/tunnel-configs/:id/server': async ({ subject: { client } }) => ({
    ...{ serverId: (await client.call('POST /api/servers', { name: 'Maschine' })).id, name: undefined },
  }),
  'PUT /api/tunnel-configs/:id/ports/:portId': async ({ subject, id }) => ({
    ...{ portId: await things.makeGamePort(subject.client, id), targetPort: 25_566 },
  }),
  'DELETE /api/tunnel-configs/:id/ports/:portId': async ({ subject, id }) => ({
    portId: await things.makeGamePort(subject.client, id),
  }),
  'POST /api/tunnel-configs/:id/members': async () => ({ username: undefined, memberUntil: null }),
  'PUT /api/tunnel-configs/:id/members/:memberId': async (one) => ({
    ...{ memberId: await memberOf(one), role: 'manage', memberUntil: null, expected: undefined },
  }),
  'DELETE /api/tunnel-configs/:id/members/:memberId': async (one) => ({ memberId: await memberOf(one) }),
  'DELETE /api/tunnel-configs/:id/service-tokens/:tokenId': (one) => makeToken(one),
  'DELETE /api/tunnel-configs/:id/visits/:visitId': ({ id }) => beginVisit(system, id),
  'PUT /api/tunnel-configs/:id/request-log': async () => ({ mode: 'off' }),
  'POST /api/admin/certificates/order': async () => {
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    const name = `${randomUUID()}.example.test`;
    await sql`insert into tunnel_provider.certificates (name) values (${name})`;
    await sql.end();
    return { name };
  },
  'POST /api/admin/test-mail': () => haveEmail({ id: rootId, username: 'root' }),
  'DELETE /api/admin/tunnel-configs/:id/suspension': async ({ id }) => {
    await root.call('POST /api/admin/tunnel-configs/:id/suspension', { id, reason: 'Spam' });
    return {};
  },
};

const memberOf = async ({ subject: { client }, id }: Case) =>
  (await client.call('POST /api/tunnel-configs/:id/members', { id: Number(id), role: 'view' })).member.id;
const setUpAppOf = ({ client }: TestUser) => setUpApp((route, input) => client.call(route, input));

async function verificationOf(person: TestUser): Promise<string> {
  await person.client.call('POST /api/user/preferences', { email: `${person.user.username}@example.org` });
  const text = await readKept(root, person.user.id, 'verify_email');
  return /#([\w-]{43})/.exec(text)?.[1] ?? '';
}

async function reportLinkOf(person: TestUser): Promise<string> {
  await haveEmail(person.user);
  await person.client.call('POST /api/user/password', {
    currentPassword: testPassword,
    newPassword: testPassword,
  });
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  const secret = await makeSecretOf(sql, person.user.id, 'not_me');
  await sql.end();
  return secret;
}

async function unsubscribeLinkOf({ user, client }: TestUser): Promise<string> {
  await client.call('POST /api/user/preferences', { notifications: { email: true } });
  await haveEmail(user);
  // As the first email of theirs would.
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  const token = randomUUID();
  await sql`update auth.email_addresses set unsubscribe_token = ${token} where user_id = ${user.id}`;
  await sql.end();
  return token;
}

async function haveEmail({ id, username }: Pick<TestUser['user'], 'id' | 'username'>) {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await giveEmail(sql, id, `${username}@example.org`);
  await sql.end();
  return {};
}

/** Makes a call for real, as somebody who may; gives who they were and whose data it was about. */
async function perform(route: TableRoute): Promise<{ actorId: number; subjectId: number }> {
  const subject = await newUser(system.url, 'basic');
  const { of, access } = route.entry;
  const prepare = guestCalls[route.name];
  if (prepare) {
    const guest = await newUser(system.url, 'basic');
    const { proxy } = await subject.client.call('POST /api/tunnel-configs', proxyInput());
    const { path, body } = requestOf(route, await prepare(subject.client, proxy.id, guest.client));
    expect((await guest.client.send(route.method, path, body)).status).toBe(route.success);
    return { actorId: guest.user.id, subjectId: subject.user.id };
  }
  const id = of ? await things.makers[of](subject.client, root) : '';
  const client = access === 'admin' ? root : subject.client;
  const given = inputs[route.name] as ((one: Case) => Promise<object>) | undefined;
  const input = {
    ...plainInputOf(route, random),
    ...(await given?.({ subject, id })),
    ...(of ? { id } : {}),
  };
  const { path, body } = requestOf(route, input);
  const response = await client.send(route.method, path, body);
  if (response.status !== route.success)
    throw new Error(
      `${route.name} returned ${response.status} ${JSON.stringify(response.body)}: it needs an entry in “inputs” of this test`,
    );
  const made = (response.body as { id?: number } | null)?.id;
  const makesUser = ['auth.register', 'auth.registerWithProvider', 'auth.createUser'].includes(
    route.entry.procedure,
  );
  const isToOneself =
    route.name === 'POST /api/admin/test-mail' ||
    /^\/api\/admin\/(invitations|announcements|channels|deliveries|certificates)/.test(route.path);
  const subjectId = isToOneself ? rootId : makesUser && made ? made : subject.user.id;
  return { subjectId, actorId: access === 'admin' ? rootId : subjectId };
}

/** Waits for a row in the administrators' trail. */
function rowOf(subject: number, action: AuditRow['action'], what = `a row “${action}”`): Promise<AuditRow> {
  return until(what, async () => (await root.call('GET /api/admin/audit', { subject, action }))[0]);
}
const ownRows = (client: Client, input: RequestOf<Routes['GET /api/user/audit']> = {}) =>
  client.call('GET /api/user/audit', input);

describe('every call that changes something, and every read that reveals something', () => {
  const audited = tableRoutes.filter(({ entry }) => entry.audit);

  it.each(audited)('leaves a row in the audit trail that names its caller: $name', async (route) => {
    const action = route.entry.audit;
    if (!action) throw new Error(`${route.name} has no audit action in the contract`);
    const { actorId, subjectId } = await perform(route);
    const missing = `the row “${action}” of ${route.name}: its verb ${route.entry.procedure} lacks “await tx.audit({…})” in its transaction`;
    const row = await rowOf(subjectId, action, missing);
    // Nobody knows who it was.
    const isAnybody = route.entry.procedure === 'auth.requestPasswordReset';
    expect(row).toMatchObject({
      actor: isAnybody ? null : { userId: actorId, isAdmin: actorId === rootId },
      subjectUserId: subjectId,
      client: { address: '127.0.0.1' },
    });
    const hasSession = ![
      ...['auth.resetPassword', 'auth.verifyEmail', 'auth.reportIntrusion', 'auth.unsubscribe'],
      'proxies.enrol',
    ].includes(route.entry.procedure);
    if (!isAnybody)
      expect(row.actor?.sessionId).toEqual(hasSession ? expect.stringMatching(/^[0-9a-f-]{36}$/) : null);
    expect(row.requestId).not.toBe('');
    expect(JSON.stringify(row)).not.toContain(testPassword);
  });
});

describe('the audit trail', () => {
  it('shows what has changed, from what to what', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const input = { ...proxyInput(proxy.serverName), id: proxy.id, adminPort: 40_121 };
    await client.call('PUT /api/tunnel-configs/:id', input);
    expect(await rowOf(user.id, 'proxy.update')).toMatchObject({
      target: { kind: 'proxy', id: String(proxy.id), label: proxy.serverName },
      changes: { adminPort: { from: 40_120, to: 40_121 } },
    });
  });

  it('has no row of what was refused, nor of a sign-in that failed', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await client.fail('POST /api/user/subscription', { planId: 'basic' });
    await client.fail('POST /api/login', { username: user.username, password: 'falsch-123' });
    await client.call('POST /api/user/subscription', { planId: 'premium' });
    await until('the later row', async () => (await ownRows(client)).length >= 3);
    expect((await ownRows(client)).map(({ action }) => action)).toEqual([
      'subscription.change',
      'subscription.change',
      'user.register',
    ]);
  });

  it('has one row for what a session reads again and again, and one for each failed step-up', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { id } = (await client.call('POST /api/tunnel-configs', proxyInput())).proxy;
    for (const reader of [client, client, root, root])
      await reader.call('GET /api/tunnel-configs/:id/tunnel-token', { id });
    for (const password of ['falsch-1', 'falsch-2'])
      await client.fail('POST /api/user/step-up', { password });
    await client.call('POST /api/user/step-up', { password: testPassword });
    await rowOf(user.id, 'session.stepUp');
    const counted = (await ownRows(client)).map(({ action, by }) => `${by} ${action}`).sort();
    expect(counted.filter((row) => /readToken|StepUp|stepUp/.test(row))).toEqual([
      ...['administrator proxy.readToken', 'self proxy.readToken'],
      ...['self session.failStepUp', 'self session.failStepUp', 'self session.stepUp'],
    ]);
  });

  it('shows that the provider refused a user’s order, as an entry without an actor', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await providerOf(system.talpa).fault({
      match: { operation: 'createTunnel' },
      fault: 'refuse',
      times: 1,
    });
    await client.fail('POST /api/tunnel-configs', proxyInput());
    expect(await rowOf(user.id, 'proxy.refuse')).toMatchObject({
      actor: null,
      changes: { statusReason: { to: 'tunnel_refused' } },
    });
  });

  it('shows a person what an administrator did to them, but not who that was nor from where', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await root.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Spam' });
    const done = await until('the row', async () =>
      (await ownRows(client)).find(({ action }) => action === 'user.suspend'),
    );
    expect(done).toMatchObject({ by: 'administrator', client: null, changes: { reason: { to: 'Spam' } } });
    expect(done).not.toHaveProperty('actor');
    const registered = (await ownRows(client)).find(({ action }) => action === 'user.register');
    expect(registered).toMatchObject({ by: 'self', client: { address: '127.0.0.1' } });
  });

  it('shows nobody rows of others, and the newest first', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    for (let count = 0; count < 5; count += 1) await client.call('POST /api/user/preferences', {});
    const all = await until('all rows', async () => {
      const rows = await ownRows(client);
      return rows.length === 7 && rows;
    });
    expect([...all].sort((a, b) => b.at.localeCompare(a.at))).toEqual(all);
    expect(all.every(({ target }) => target.kind !== 'user' || target.id === String(user.id))).toBe(true);
  });

  it('can be asked for an actor, an action, a target and a span of time', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const made = await rowOf(user.id, 'proxy.create');
    const ask = async (input: RequestOf<Routes['GET /api/admin/audit']>) =>
      (await root.call('GET /api/admin/audit', input)).map(({ id }) => id);
    expect(await ask({ targetKind: 'proxy', targetId: String(proxy.id) })).toEqual([made.id]);
    expect(await ask({ actor: user.id, action: 'proxy.create' })).toEqual([made.id]);
    expect(await ask({ actor: user.id, from: made.at })).toEqual([made.id]);
    expect(await ask({ actor: user.id, to: made.at })).not.toContain(made.id);
    expect(await ask({ actor: rootId, subject: user.id })).toEqual([]);
  });

  it('forgets the names of a person with their account, and keeps what was done', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await client.call('POST /api/tunnel-configs', proxyInput());
    await rowOf(user.id, 'user.register');
    await root.call('DELETE /api/admin/users/:id', { id: user.id });
    await rowOf(user.id, 'user.delete');
    expect(await rowOf(user.id, 'proxy.delete')).toMatchObject({ actor: null, client: null });
    const rows = await until('rows without names', async () => {
      const found = await root.call('GET /api/admin/audit', { subject: user.id });
      return found.every(({ target }) => target.label === null) && found;
    });
    expect(JSON.stringify(rows)).not.toContain(user.username);
    expect(rows.map(({ action }) => action)).toContain('user.register');
    expect(rows.find(({ action }) => action === 'user.register')?.actor).toMatchObject({ username: null });
    expect(rows.every(({ subjectUsername }) => subjectUsername === null)).toBe(true);
  });

  it('takes a row once however often it arrives, and keeps one it cannot read as a dead letter', async () => {
    const { user } = await newUser(system.url);
    const row = await rowOf(user.id, 'user.register');
    const nc = await openBus(system.talpa.stores.natsUrl('operator'), 'operator');
    const { actor, ...rest } = row;
    const repeated = {
      ...rest,
      service: 'auth',
      actor: actor && { ...actor, username: undefined, apiKey: undefined },
    };
    const unreadable = `{"id":"${randomUUID()}","action":"proxy.paint"}`;
    for (const payload of [JSON.stringify(repeated), JSON.stringify(repeated), unreadable])
      streamsOf(nc).publish('audit.auth', payload);
    await streamsOf(nc).flush();
    await nc.close();
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    try {
      const letters = await until('the dead letter', async () => {
        const rows = await sql<{ payload: string }[]>`select payload from stats.audit_dead_letters`;
        return rows.length > 0 && rows;
      });
      expect(letters.map(({ payload }) => payload)).toEqual([unreadable]);
    } finally {
      await sql.end();
    }
    const found = await root.call('GET /api/admin/audit', { subject: user.id, action: 'user.register' });
    expect(found).toHaveLength(1);
  });
});
