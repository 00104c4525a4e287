import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { type Client, newUser } from '@talpa/test-kit/client';
import { faultsAtRest } from '@talpa/test-kit/invariants';
import { lengthOf, seedOf } from '@talpa/test-kit/lengths';
import { startOpenIdProvider } from '@talpa/test-kit/openid-provider';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { tableRoutes } from '@talpa/test-kit/requests/route';
import { makers } from '@talpa/test-kit/requests/things';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemas } from '../../launcher/stores/schemas.ts';
import { faultsOf } from './check.ts';
import { type FuzzRequest, generate } from './generate.ts';
import { stowaway } from './hostile.ts';
import { createSender, type FuzzResponse } from './send.ts';
import { createWorld, type FuzzActor, type World } from './world.ts';

const count = lengthOf('TALPA_FUZZ_REQUESTS');
/** Much the same requests each time, but for what earlier ones have done. */
const seed = seedOf('TALPA_FUZZ_SEED', 135_077);
const connections = 32;
const provider = await startOpenIdProvider();
afterAll(() => provider.stop());
const system = useTalpa(
  {
    ...{ MUTATION_LIMIT_PER_MINUTE: '1000000000', REQUEST_LIMIT_PER_MINUTE: '1000000000' },
    SIGN_IN_PROVIDERS: JSON.stringify([provider.settings]),
  },
  { isPublic: true },
);

let root: Client;
let world: World;
let processes: Record<string, number | null>;
let victimBefore: unknown;
let made = 0;
const served = new Set<string>();
/** When a call was served for the first time for the last time. */
let lastServedAt = 0;
const statuses: Record<number, number> = {};
const failures: string[] = [];

const processIds = () =>
  Object.fromEntries([...system.talpa.parts].map(([name, part]) => [name, part.pid()]));
const allOf = async (client: Client) => ({
  user: await client.call('GET /api/user', {}),
  preferences: await client.call('GET /api/user/preferences', {}),
  subscription: await client.call('GET /api/user/subscription', {}),
  proxies: await client.call('GET /api/tunnel-configs', {}),
});

beforeAll(async () => {
  root = await system.admin();
  world = await createWorld(system.url, root, randomFrom(seed));
  processes = processIds();
  victimBefore = await allOf(world.victim.client);
});

const sender = () => createSender(system.url, connections);
let close = () => {};
afterAll(() => close());

/** Limits of calls that take a proof. */
const proving: readonly unknown[] = [
  ...['ownPassword', 'passwordReset', 'emailVerification', 'intrusionReport', 'unsubscription'],
  ...['providerSignIn', 'invitationLink', 'enrolment'],
];
/** Calls that need a verified address, or one that was not written to three times in the last hour; or a proxy with a wall that somebody has passed. */
const toAddresses: readonly string[] = [
  ...['POST /api/admin/test-mail', 'POST /api/user/email-verification', 'POST /api/access-codes'],
  'GET /api/walls/:host',
  'DELETE /api/tunnel-configs/:id/visits/:visitId',
];

/** Calls that need an authenticator app, a passkey, a provider's response, or a user who has one. */
const toFactors: readonly string[] = [
  'POST /api/login/second-factor',
  'POST /api/user/authenticator/confirmation',
  'POST /api/user/authenticator/removal',
  'POST /api/user/recovery-codes',
  'DELETE /api/admin/users/:id/second-factor',
  'POST /api/login/passkey',
  'POST /api/user/passkeys',
  'POST /api/user/identities',
  'POST /api/register/provider',
];

/** Calls that have not been served yet. Proving a password, a link or an address is what guesses must not do. */
const unserved = () =>
  tableRoutes
    .filter(({ entry }) => !proving.includes(entry.limit))
    .filter(({ name }) => !toAddresses.includes(name) && !toFactors.includes(name) && !served.has(name));

/** Makes one of each kind of thing that calls without a served request are about: the earlier ones may be gone. */
async function makeMissing(): Promise<void> {
  const { user, admin } = world.actors;
  for (const kind of new Set(unserved().flatMap(({ entry }) => entry.of ?? [])))
    world.ids[kind].push(
      // Other requests may end the sessions meanwhile.
      await until(`something new of the kind ${kind}`, async () => {
        if (!user.client || !admin.client) return null;
        await Promise.all([signIn(user), signIn(admin)]);
        // Who makes requests must not be deleted, and has got as many emails as one gets in an hour.
        if (kind === 'user' || kind === 'mail') {
          const other = await newUser(system.url, 'basic');
          return kind === 'user' ? other.user.id : makers.mail(other.client, admin.client);
        }
        // A smaller plan may have been taken: its limit would be reached.
        await user.client.try('POST /api/user/subscription', { planId: 'enterprise' });
        return makers[kind](user.client, admin.client);
      }),
    );
}

/** Sends the requests, many at once, and judges each response. */
async function run(): Promise<void> {
  const wire = sender();
  close = wire.close;
  const random = randomFrom(seed);
  let missing: Promise<void> | undefined;
  const work = async () => {
    // A call may still be without a served request: then as many more as it takes.
    const goesOn = () => made < count || (made < 3 * count && unserved().length > 0);
    while (goesOn() && failures.length < 20) {
      if (made >= count) {
        missing ??= makeMissing();
        await missing;
      }
      made += 1;
      const number = made;
      const request = generate(world, random, system.url, unserved);
      try {
        const response = await wire.send(request);
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        const faults = faultsOf(request, response, world);
        if (faults.length > 0) failures.push(describeCase(number, request, response, faults));
        await follow(request, response);
      } catch (error) {
        failures.push(describeCase(number, request, null, [String(error)]));
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** Keeps up with what a request has done: what was made may be broken next; who was signed out signs in. */
async function follow({ route, actor, headers, path }: FuzzRequest, response: FuzzResponse): Promise<void> {
  const who = world.actors[actor];
  if (route && response.status === route.success && !served.has(route.name)) {
    served.add(route.name);
    lastServedAt = made;
  }
  if (route?.name === 'POST /api/tunnel-configs' && response.status === 201)
    world.ids.proxy.push(JSON.parse(response.body).proxy.id);
  const [, proxyId = '', kind, partId] =
    path.match(/^\/api\/tunnel-configs\/(\d+)\/(domains|ports|members|service-tokens)(?:\/(\d+))?/) ?? [];
  const parts =
    { domains: world.domains, ports: world.ports, members: world.members }[kind ?? ''] ?? world.tokens;
  if (route?.name === 'POST /api/tunnel-configs/:id/domains' && response.status === 201)
    world.domains.push({ proxyId, id: JSON.parse(response.body).id });
  if (route?.name === 'POST /api/tunnel-configs/:id/ports' && response.status === 201)
    world.ports.push({ proxyId, id: JSON.parse(response.body).id });
  if (route?.name === 'POST /api/tunnel-configs/:id/members' && response.status === 201)
    world.members.push({ proxyId, id: JSON.parse(response.body).member.id });
  if (route?.name === 'POST /api/tunnel-configs/:id/service-tokens' && response.status === 201)
    world.tokens.push({ proxyId, id: JSON.parse(response.body).token.id });
  if (route?.method === 'DELETE' && partId && response.status === 204) {
    const at = parts.findIndex(({ id }) => String(id) === partId);
    if (at >= 0) parts.splice(at, 1);
  }
  // One that has ended cannot be changed.
  if (route?.name === 'POST /api/admin/announcements' && response.status === 201)
    world.ids.announcement.push(JSON.parse(response.body).id);
  if (route?.name === 'POST /api/admin/users' && response.status === 201)
    world.ids.user.push(JSON.parse(response.body).id);
  // What is gone is not asked for again and again: other calls would hardly find one that exists.
  if (route?.name === 'DELETE /api/tunnel-configs/:id' && response.status === route.success) {
    const { proxy: known } = world.ids;
    const at = known.findIndex((id) => path.endsWith(`/${id}`));
    if (at >= 0) known.splice(at, 1);
  }
  // Somebody is left for the calls about users, however early the others were deleted.
  if (route?.name === 'DELETE /api/admin/users/:id' && response.status === route.success)
    world.ids.user.push((await newUser(system.url, 'basic')).user.id);
  if (response.status === 401 && who.client && headers.cookie === who.client.cookie) await signIn(who);
}

const signingIn = new Map<FuzzActor, Promise<unknown>>();

/** One sign-in for all who notice that it is needed. */
async function signIn(who: FuzzActor): Promise<void> {
  const known = signingIn.get(who);
  if (known) return void (await known);
  const { client, username, password } = who;
  const going = client
    ?.call('POST /api/login', { username, password })
    .then(() => client.try('GET /api/user/sessions', {}))
    // Another request may have ended the new one already.
    .then(({ body }) => Array.isArray(body) && world.ids.session.push(...body.map(({ id }) => id)))
    .finally(() => signingIn.delete(who));
  if (going) signingIn.set(who, going);
  await going;
}

/** A failing case, whole: as it can be sent again by hand. */
function describeCase(
  number: number,
  request: FuzzRequest,
  response: FuzzResponse | null,
  faults: string[],
): string {
  const { route, ...rest } = request;
  return [
    `seed ${seed}, request ${number}, ${route?.name ?? 'no call'}: ${faults.join('; ')}`,
    `  sent ${JSON.stringify(rest)}`,
    `  got ${JSON.stringify(response)}`.slice(0, 3_000),
  ].join('\n');
}

it(
  `every answer to ${count} requests, valid and hostile, keeps the contract and shows nothing of somebody else`,
  async () => {
    const from = Date.now();
    await run();
    console.log(
      `seed ${seed}: ${made} requests in ${Math.round((Date.now() - from) / 1_000)} s, each call served after ${lastServedAt}, by status ${JSON.stringify(statuses)}`,
    );
    expect(failures).toEqual([]);
    expect(unserved().map(({ name }) => name)).toEqual([]);
  },
  60_000 + count * 20,
);

it('has harmed nobody: no process died, the victim has what they had, nobody became more than they were', async () => {
  expect(processIds()).toEqual(processes);
  expect(await allOf(world.victim.client)).toEqual(victimBefore);
  for (const { client, username, password } of [world.actors.user, world.actors.other])
    expect(await client?.call('POST /api/login', { username, password })).toMatchObject({
      username,
      isAdmin: false,
    });
  const logs = join(system.talpa.home, 'log');
  const fatal = readdirSync(logs).filter((name) =>
    /"level":(50|60)/.test(readFileSync(join(logs, name), 'utf8')),
  );
  expect(fatal).toEqual([]);
});

it('has left nothing that does not belong: no unknown field is stored, every count is right', async () => {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  const found: string[] = [];
  for (const { schema } of schemas) {
    const tables = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = ${schema}`;
    for (const { name } of tables) {
      const rows = await sql.unsafe(
        `select 1 from ${schema}.${name} as one where one::text like '%${stowaway}%' limit 1`,
      );
      if (rows.length > 0) found.push(`${schema}.${name}`);
    }
  }
  await sql.end();
  expect(found).toEqual([]);
  // Not the first administrator: a request may have found 1 for an id, and changed or deleted them.
  const { client, username, password } = world.actors.admin;
  if (!client) throw new Error('the administrator has no client');
  await client.call('POST /api/login', { username, password });
  expect(await faultsAtRest(system.talpa, client, 40_000)).toEqual([]);
});
