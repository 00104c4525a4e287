import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Access,
  type Actor,
  type ErrorBody,
  type ErrorCode,
  errorsOf,
  isAdminScope,
  type MemberRole,
  memberRoles,
  needsFactor,
  proxyRoles,
  type Resource,
  type RouteName,
  resources,
  type Scope,
  type SessionActor,
  scopes,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { openBus } from '@talpa/service-kit/bus/connect';
import { ask as askService } from '@talpa/service-kit/bus/request';
import { createAssertionSigner } from '@talpa/service-kit/session/assertion';
import { openSigningKeys } from '@talpa/service-kit/session/keys';
import { Client, newUser, proxyInput, withApiKey } from '@talpa/test-kit/client';
import { makeFormerMembers, makeMember } from '@talpa/test-kit/members';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { rightTo } from '@talpa/test-kit/requests/rights';
import { plainInputOf, requestOf, type TableRoute, tableRoutes } from '@talpa/test-kit/requests/route';
import { makers, missingIds } from '@talpa/test-kit/requests/things';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const random = randomFrom(1);

type Caller = 'anonymous' | 'user' | 'administrator';
const callers: readonly Caller[] = ['anonymous', 'user', 'administrator'];
const forUsers = scopes.filter((scope) => !isAdminScope(scope));
/** The error that keeps a caller out, or that they are served. */
const outcomes: Record<Access, Record<Caller, 'served' | 'not_signed_in' | 'forbidden'>> = {
  public: { anonymous: 'served', user: 'served', administrator: 'served' },
  user: { anonymous: 'not_signed_in', user: 'served', administrator: 'served' },
  admin: { anonymous: 'not_signed_in', user: 'forbidden', administrator: 'served' },
};

let root: Client;
beforeAll(async () => {
  root = await system.admin();
});

/** Makes each when it is first asked for. */
function kept<K, T>(make: (key: K) => Promise<T>) {
  const known = new Map<K, Promise<T>>();
  return (key: K): Promise<T> => {
    const one = known.get(key) ?? make(key);
    known.set(key, one);
    return one;
  };
}

/** Somebody who may be changed or deleted, and whose session may end. */
async function newCaller(caller: Caller): Promise<Client> {
  if (caller === 'anonymous') return new Client(system.url);
  const { client, user } = await newUser(system.url, 'enterprise');
  if (caller === 'administrator')
    await root.call('PUT /api/admin/users/:id', {
      id: user.id,
      username: user.username,
      isAdmin: true,
      proxyLimit: 25,
      subscriptionTier: 'enterprise',
    });
  return client;
}

/** Those whom no case changes, who read or are refused; and the busy, whose things cases change. */
type Kept = Caller | 'owner' | 'busy user' | 'busy administrator';
const keptCaller = kept((name: Kept) => {
  if (name === 'anonymous') return newCaller(name);
  return newCaller(name.includes('administrator') ? 'administrator' : 'user');
});
/** What leaves its caller signed out, as somebody else, or without a plan. */
const spoiling = new Set<RouteName>([
  'DELETE /api/user/sessions/:id',
  'POST /api/user/password',
  'POST /api/user/deletion',
  'POST /api/user/subscription',
]);
/** Who makes a call that is served: no other case notices. */
function callerOf({ name, method, entry }: TableRoute, caller: Caller): Promise<Client> {
  if (method === 'GET') return keptCaller(caller);
  // Nobody gets many emails that verify addresses.
  const isSubject = caller === 'user' && (entry.of === 'user' || entry.of === 'mail');
  const isSpoiled = spoiling.has(name) || entry.access === 'public' || isSubject;
  return isSpoiled || caller === 'anonymous' ? newCaller(caller) : keptCaller(`busy ${caller}`);
}
/** What such a call is about. */
function thingOf({ name, method, entry }: TableRoute, of: Resource, owner: Client) {
  const isLasting =
    (of === 'proxy' || of === 'server') &&
    entry.access === 'user' &&
    !['DELETE /api/tunnel-configs/:id', 'DELETE /api/servers/:id'].includes(name);
  return method !== 'GET' && !isLasting ? makers[of](owner, root) : keptThing(of, owner);
}
/** Of each of them one key with these scopes: nobody may have too many. */
const keysOf = kept(async (client: Client) =>
  kept((granted: string) => withApiKey(client, granted.split(',') as Scope[])),
);
const keyWith = async (client: Client, granted: readonly Scope[]) => (await keysOf(client))(granted.join());
/** An API key of somebody kept: with all scopes, without those of administrators, or for one other proxy alone. */
const keptKey = kept(
  async (name: `${'user' | 'administrator'} ${'all' | 'own'}` | 'owner limited' | 'former administrator') => {
    if (name === 'former administrator') {
      const former = await newCaller('administrator');
      const script = await withApiKey(former, scopes);
      const { id, username } = await former.call('GET /api/user', {});
      const now = { username, isAdmin: false, proxyLimit: 3, subscriptionTier: 'basic' } as const;
      await root.call('PUT /api/admin/users/:id', { id, ...now });
      return script;
    }
    const [caller, which] = name.split(' ') as ['user' | 'administrator' | 'owner', string];
    const client = await keptCaller(caller);
    if (which !== 'limited') return keyWith(client, name === 'administrator all' ? scopes : forUsers);
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    return withApiKey(client, forUsers, { proxyIds: [proxy.id] });
  },
);
/** The one thing of each kind that somebody kept has. */
const thingsOf = kept(async (client: Client) => kept((of: Resource) => makers[of](client, root)));
const keptThing = async (of: Resource, client: Client) => (await thingsOf(client))(of);
/** The same that members of the proxy share: the server is that proxy's. */
async function sharedThing(of: Resource, client: Client): Promise<number | string> {
  const id = await keptThing('proxy', client);
  return of === 'server'
    ? (await client.call('GET /api/tunnel-configs/:id', { id: Number(id) })).serverId
    : id;
}
/** A member of the proxy that somebody kept has. */
async function newMember(of: `${'owner' | 'busy user'}: ${MemberRole}`): Promise<Client> {
  const [name, role] = of.split(': ') as ['owner' | 'busy user', MemberRole];
  const [owner, member] = [await keptCaller(name), await newCaller('user')];
  await makeMember(owner, Number(await keptThing('proxy', owner)), member, role);
  return member;
}
const keptMember = kept(newMember);
let formerMembers: Promise<readonly Client[]> | undefined;

const isMove = ({ name }: TableRoute) => name === 'PUT /api/tunnel-configs/:id/server';
/** Where nobody has a server: nothing moves. */
const elsewhere = { serverId: missingIds.server, name: undefined };

function send(client: Client, route: TableRoute, id?: number | string) {
  const input = { ...plainInputOf(route, random), ...(isMove(route) && elsewhere) };
  const { path, body } = requestOf(route, id === undefined ? input : { ...input, id });
  return client.send(route.method, path, body);
}
type ResponseBody = Awaited<ReturnType<typeof send>>;

const codeOf = (response: ResponseBody) => (response.body as ErrorBody | null)?.code;

/** Served means done, or refused for what was asked: never for who asked. */
function expectServed(route: TableRoute, response: ResponseBody, more: readonly ErrorCode[] = []): void {
  if (response.status === route.success) return;
  const code = codeOf(response);
  const own = route.entry.errors.filter((one) => !['not_signed_in', 'forbidden', 'not_found'].includes(one));
  expect([...own, ...more, 'invalid_input'], `${route.name} returned ${response.status} ${code}`).toContain(
    code,
  );
  expect(response.status).toBeLessThan(500);
}

/** What somebody may compare: everything but what differs by nature. */
function visible(response: ResponseBody) {
  const body =
    response.body && typeof response.body === 'object' ? { ...response.body, requestId: '' } : response.body;
  const changing = new Set(['x-request-id', 'date']);
  return {
    status: response.status,
    body,
    headers: [...response.headers].filter(([name]) => !changing.has(name)),
  };
}

describe.each(tableRoutes)('the call $name', (route) => {
  const { entry } = route;
  const { of } = entry;
  const { access, role, scope } = rightTo(route.name);

  it.each(callers)('treats the caller “%s” as the table of rights says', async (caller) => {
    const expected = outcomes[access][caller];
    const client = await (expected === 'served' ? callerOf(route, caller) : keptCaller(caller));
    // An administrator's call about users is made about somebody else.
    const owner = expected === 'served' && of && access === 'admin' ? await callerOf(route, 'user') : client;
    const id = of && (expected === 'served' ? await thingOf(route, of, owner) : missingIds[of]);
    const response = await send(client, route, id);
    if (expected === 'served') expectServed(route, response);
    else {
      expect([response.status, codeOf(response)]).toEqual([expected === 'forbidden' ? 403 : 401, expected]);
      if (of) {
        const there = await keptThing(of, await keptCaller('owner'));
        expect(visible(await send(client, route, there))).toEqual(visible(response));
      }
    }
  });

  if (scope === null) {
    it('takes a session, and no API key whatever its scopes', async () => {
      const id = of && (await keptThing(of, await keptCaller('owner')));
      const key = await keptKey(access === 'admin' ? 'administrator all' : 'user all');
      const response = await send(key, route, id);
      expect([response.status, codeOf(response)]).toEqual([403, 'session_required']);
    });
  } else {
    it('serves an API key that has its scope alone, and no key that has all others', async () => {
      const caller = access === 'admin' ? 'administrator' : 'user';
      const client = await callerOf(route, caller);
      const owner = of && access === 'admin' ? await callerOf(route, 'user') : client;
      const id = of && (await thingOf(route, of, owner));
      const granted = scopes.filter((one) => caller === 'administrator' || !isAdminScope(one));
      const lacking = await keyWith(
        client,
        granted.filter((one) => one !== scope),
      );
      const refused = await send(lacking, route, id);
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.objectContaining({ code: 'scope_missing', scope }),
      ]);
      // Where the verb decides by its input, it may need a person.
      const more = entry.stepUp === 'sometimes' ? (['session_required'] as const) : [];
      expectServed(route, await send(await keyWith(client, [scope]), route, id), more);
    });
    if (access === 'admin')
      it('refuses a key of a user, and of somebody who is no administrator any more', async () => {
        const id = of && (await keptThing(of, await keptCaller('owner')));
        for (const name of ['user all', 'former administrator'] as const) {
          const response = await send(await keptKey(name), route, id);
          expect([response.status, codeOf(response)]).toEqual([403, 'forbidden']);
        }
      });
  }

  if ((of === 'proxy' || of === 'server') && scope !== null) {
    it('hides all proxies but its own from a limited key, as if they did not exist', async () => {
      const owner = await keptCaller('owner');
      const id = await keptThing(of, owner);
      const limited = await keptKey('owner limited');
      const response = visible(await send(limited, route, id));
      expect(response).toEqual(visible(await send(limited, route, missingIds[of])));
      if (access === 'user') expect(response.body).toMatchObject({ code: 'not_found' });
    });
    if (access === 'user')
      it('hides proxies of others from an administrator’s key without the scope for them', async () => {
        const id = await keptThing(of, await keptCaller('owner'));
        const key = await keptKey('administrator own');
        const hidden = visible(await send(key, route, id));
        expect(hidden).toEqual(visible(await send(key, route, missingIds[of])));
        expect(hidden.body).toMatchObject({ code: 'not_found' });
      });
  }

  if (of && role !== null) {
    it('serves a member with the role that it takes, and none with the one below', async () => {
      if (role !== 'owner') {
        const member = route.name === 'POST /api/tunnel-configs/:id/leave' ? newMember : keptMember;
        const id = await sharedThing(of, await keptCaller('busy user'));
        expectServed(route, await send(await member(`busy user: ${role}`), route, id));
      }
      const below = memberRoles[proxyRoles.indexOf(role) - 1];
      if (!below) return;
      const owner = await keptCaller('owner');
      const member = await keptMember(`owner: ${below}`);
      const before = await owner.send('GET', '/api/tunnel-configs');
      const response = await send(member, route, await sharedThing(of, owner));
      expect([response.status, codeOf(response)]).toEqual([403, 'role_missing']);
      expect((await owner.send('GET', '/api/tunnel-configs')).body).toEqual(before.body);
    });

    it('hides it from a member whose time is up, who has left, and who is only invited', async () => {
      const owner = await keptCaller('owner');
      const id = await sharedThing(of, owner);
      const stranger = await keptCaller('user');
      const missing = visible(await send(stranger, route, missingIds[of]));
      const proxyId = Number(await keptThing('proxy', owner));
      formerMembers ??= makeFormerMembers(owner, proxyId, () => newCaller('user'));
      for (const former of await formerMembers)
        expect(visible(await send(former, route, id))).toEqual(missing);
    });
  }

  if (of && access === 'user') {
    it('answers about somebody else’s exactly as about a missing one, and changes nothing', async () => {
      const owner = await keptCaller('owner');
      const id = await keptThing(of, owner);
      const before = await owner.send('GET', '/api/tunnel-configs');
      const stranger = await keptCaller('user');
      const hidden = visible(await send(stranger, route, id));
      expect(hidden).toEqual(visible(await send(stranger, route, missingIds[of])));
      expect(hidden.body).toMatchObject({ code: 'not_found' });
      expect((await owner.send('GET', '/api/tunnel-configs')).body).toEqual(before.body);
    });

    it('serves administrators for all users’ resources exactly where the table of resources says so', async () => {
      const isServed = resources[of].administrators;
      const administrator = await keptCaller('administrator');
      const owner = await (isServed ? callerOf(route, 'user') : keptCaller('owner'));
      const id = await (isServed ? thingOf(route, of, owner) : keptThing(of, owner));
      const response = await send(administrator, route, id);
      if (isServed) expectServed(route, response);
      else expect(visible(response)).toEqual(visible(await send(administrator, route, missingIds[of])));
    });
  }
});

describe('a service asked straight over the bus, as the gateway would', () => {
  let nc: Awaited<ReturnType<typeof openBus>>;
  beforeAll(async () => {
    nc = await openBus(system.talpa.stores.natsUrl('gateway'), 'gateway');
  });
  afterAll(() => nc?.close());

  async function ask(route: TableRoute, assertion: string | null, id?: number | string) {
    const input = route.entry.input.parse({
      ...plainInputOf(route, random),
      ...(isMove(route) && elsewhere),
      ...(id === undefined ? {} : { id }),
    });
    const device = route.entry.isBound ? { device: 'test' } : {};
    const body = { assertion, client: { address: '127.0.0.1', userAgent: 'test', ...device }, input };
    const info = { requestId: randomUUID(), language: 'de', deadlineAt: Date.now() + 10_000 } as const;
    return askService(nc, route.entry.procedure, body, info).then(
      () => 'served',
      (error) => (error instanceof AppError ? error.code : Promise.reject(error)),
    );
  }
  const signed = (actor: Actor) =>
    createAssertionSigner(openSigningKeys(system.talpa.secrets.sessionKeys))(actor);
  /** Asked once: a call of theirs may end their sessions. */
  const ids = new Map<Client, number>();
  const actorOf = async (client: Client, isAdmin: boolean): Promise<SessionActor> => {
    const userId = ids.get(client) ?? (await client.call('GET /api/user', {})).id;
    ids.set(client, userId);
    return { userId, isAdmin, sessionId: randomUUID(), provedAt: Date.now() };
  };
  const guarded = tableRoutes.filter((route) => route.onBus && route.entry.access !== 'public');

  it.each(guarded)('refuses $name without an actor, and of an actor without the right', async (route) => {
    const { of, access } = route.entry;
    const id = of && (await keptThing(of, await keptCaller('owner')));
    expect(await ask(route, null, id)).toBe('not_signed_in');
    const stranger = await keptCaller('busy user');
    const refused = await ask(route, signed(await actorOf(stranger, false)), id);
    if (access === 'admin') expect(refused).toBe('forbidden');
    else if (of) expect(refused).toBe('not_found');
    else expect([...errorsOf(route.entry), 'served']).toContain(refused);
  });

  it.each(guarded.filter(({ entry }) => entry.stepUp === true))(
    'refuses $name ten minutes after the last sign-in or step-up',
    async (route) => {
      const { of, access } = route.entry;
      const client = await keptCaller('owner');
      const id = of && (await keptThing(of, client));
      const actor = await actorOf(client, access === 'admin');
      for (const provedAt of [undefined, Date.now() - 601_000])
        expect(await ask(route, signed({ ...actor, provedAt }), id)).toBe('step_up_required');
    },
  );

  it.each(guarded.filter(({ entry }) => needsFactor(entry)))(
    'refuses $name of an actor who lacks a required second factor',
    async (route) => {
      const { of, access } = route.entry;
      const client = await keptCaller('owner');
      const id = of && (await keptThing(of, client));
      const actor = { ...(await actorOf(client, access === 'admin')), lacksFactor: true } as const;
      expect(await ask(route, signed(actor), id)).toBe('second_factor_missing');
    },
  );

  it.each(tableRoutes.filter(({ onBus }) => onBus))(
    'refuses $name of an API key without its scope',
    async (route) => {
      const { of, access, scope } = route.entry;
      const client = await keptCaller('owner');
      const id = of && (await keptThing(of, client));
      const { userId } = await actorOf(client, false);
      const key = { id: 1, name: 'Skript', proxyIds: null, expiresAt: null };
      const apiKey = { ...key, scopes: scopes.filter((one) => one !== scope) };
      const actor = { userId, isAdmin: access === 'admin', sessionId: null, apiKey };
      expect(await ask(route, signed(actor), id)).toBe(scope === null ? 'session_required' : 'scope_missing');
      if ((of !== 'proxy' && of !== 'server') || scope === null) return;
      const limited = { ...actor, apiKey: { ...key, scopes, proxyIds: [missingIds.proxy as number] } };
      expect(await ask(route, signed(limited), id)).toBe('not_found');
    },
  );

  it.each(guarded)('refuses $name of an actor whom auth has not signed', async (route) => {
    const { of } = route.entry;
    const client = await keptCaller('owner');
    const id = of && (await keptThing(of, client));
    const actor = { ...(await actorOf(client, true)), isAdmin: true };
    const sessionCookie = client.cookie.slice(client.cookie.indexOf('=') + 1);
    const [header = ''] = sessionCookie.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const forge = (keyId: string) =>
      createAssertionSigner(openSigningKeys(`${keyId}:${randomBytes(32).toString('base64url')}`))(actor);
    for (const forged of [forge(kid), forge('unknown'), sessionCookie, JSON.stringify(actor)])
      expect(await ask(route, forged, id)).toBe('service_unavailable');
  });
});
