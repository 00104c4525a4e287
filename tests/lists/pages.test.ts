import { type AccountExport, type Actor, type RouteName, routes } from '@talpa/contracts';
import { seedOf } from '@talpa/test-kit/lengths';
import { notificationSamples } from '@talpa/test-kit/notifications';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { usersOf } from '@talpa/test-kit/users';
import { expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies', 'stats', 'notifications']);
const { newUser } = usersOf(talpa, 'blatt');
const admin = actorOf(1, { isAdmin: true });
const seed = seedOf('TALPA_PAGES_SEED', 35);
const random = randomFrom(seed);

/** Few moments and names, so that most rows share theirs; names are equal but for case and zeros. */
const first = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
const generated = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    number,
    at: new Date(first + random.below(3)).toISOString(),
    name: random.pick(['srv1', 'srv01', 'SRV1', 'srv 2', 'ä']),
  }));
const rows = (count: number) => talpa.sql`
  jsonb_to_recordset(${talpa.sql.json(generated(count))}) as one (number integer, at timestamptz, name text)`;
let people = 1_000_000;
const nobodyYet = () => {
  people += 1;
  return people;
};

type Id = string | number;
type Row = Record<string, unknown>;
/** Rows that were just inserted: by what they differ, and how somebody lists them. */
interface Filled {
  readonly ids: readonly Id[];
  readonly actor: Actor;
  readonly input?: object;
}
const idsOf = async (query: PromiseLike<readonly Row[]>) => (await query).map(({ id }) => id as Id);

const newProxies = (userId: number, count: number) =>
  idsOf(talpa.sql`
    insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status,
      applied_generation, created_at)
    select gen_random_uuid(), ${userId}, name, '127.0.0.1', 40120, gen_random_uuid() || '.example.com', 8081,
      'inactive', 1, at from ${rows(count)} returning id`);

const newServers = (userId: number, count: number) =>
  idsOf(talpa.sql`
    insert into proxies.servers (uuid, user_id, name, kind, applied_generation, created_at)
    select gen_random_uuid(), ${userId}, name, 'machine', 1, at from ${rows(count)} returning id`);

async function sharedProxies(count: number): Promise<Filled> {
  const [owner, member] = [nobodyYet(), nobodyYet()];
  const ids = await newProxies(owner, count);
  await talpa.sql`
    insert into proxies.members (proxy_id, user_id, role, joined_at)
    select id, ${member}, 'view', now() from proxies.proxies where user_id = ${owner}`;
  return { ids, actor: actorOf(member) };
}

async function newRequests(userId: number, count: number): Promise<Filled> {
  const [id] = await newProxies(userId, 1);
  const ids = await idsOf(talpa.sql`
    insert into stats.requests (proxy_id, request_id, at, method, path, status, duration, bytes_in, bytes_out, network,
      agent)
    select uuid, gen_random_uuid(), at, 'GET', '/', 200, 1, 0, 0, '203.0.113.0/24', 'other'
    from ${rows(count)}, proxies.proxies where id = ${id ?? 0} returning request_id as id`);
  return { ids, actor: actorOf(userId), input: { id } };
}

async function users(count: number): Promise<Filled> {
  const prefix = `p${random.word(8)}-`;
  const ids = await idsOf(talpa.sql`
    insert into auth.users (username, username_key, skeletons, password_hash, created_at)
    select named, lower(named), array[named], 'x', at
    from (select ${prefix} || name || number as named, at from ${rows(count)}) as named returning id`);
  return { ids, actor: admin, input: { q: prefix } };
}

async function invitations(count: number): Promise<Filled> {
  const note = random.word(12);
  const ids = await idsOf(talpa.sql`
    insert into auth.invitations (code_hash, uses, note, created_at)
    select sha256(gen_random_uuid()::text::bytea), 1, ${note}, at from ${rows(count)} returning id`);
  return { ids, actor: admin, input: { q: note } };
}

/** What a user did, what was done to them, and what they did to themselves. */
const newAudit = (userId: number, count: number) =>
  idsOf(talpa.sql`
    insert into stats.audit (id, at, service, action, actor_user_id, actor_is_admin, target_kind, target_id,
      subject_user_id, changes, request_id)
    select gen_random_uuid(), at, 'proxies', 'proxy.create', case when number % 3 > 0 then ${userId}::bigint end, false,
      'proxy', ${String(userId)}, case when number % 3 < 2 then ${userId}::bigint end, '{}', 'r'
    from ${rows(count)} returning id`);

const newMails = (userId: number, count: number) =>
  idsOf(talpa.sql`
    insert into notifications.mails (cause, user_id, kind, params, created_at, state, state_at)
    select gen_random_uuid(), ${userId}, 'test', '{}', at, 'sent', timestamptz 'epoch' + number * interval '1 s'
    from ${rows(count)} returning id`);

const newNotifications = (userId: number, count: number) =>
  idsOf(talpa.sql`
    insert into notifications.inbox (cause, user_id, kind, params, created_at)
    select gen_random_uuid(), ${userId}, ${notificationSamples.account_resumed.kind}, '{}', at
    from ${rows(count)} returning id`);

async function deliveries(userId: number | null, count: number): Promise<Filled> {
  const [channel] = await idsOf(talpa.sql`
    insert into notifications.channels (user_id, kind, name, host, topics, language, secret, key_id)
    values (${userId}, 'webhook', 'n', 'example.com', '{}', 'de', '', 'k') returning id`);
  const ids = await idsOf(talpa.sql`
    insert into notifications.deliveries (channel_id, notifications, created_at, state, attempts)
    select ${channel ?? 0}, '[]', at, 'delivered', number from ${rows(count)} returning id`);
  return { ids, actor: userId === null ? admin : actorOf(userId), input: { id: channel } };
}

async function announcements(count: number): Promise<Filled> {
  const title = random.word(12);
  const ids = await idsOf(talpa.sql`
    insert into notifications.announcements (level, title_de, text_de, title_en, text_en, starts_at, ends_at, created_at,
      notified_up_to)
    select 'info', ${title}, 't', 't', 't', at, at + interval '1 second', at, null from ${rows(count)} returning id`);
  return { ids, actor: admin, input: { q: title } };
}

/** Rows of a user of their own, whom the caller is. */
const own =
  (fill: (userId: number, count: number) => Promise<Id[]>) =>
  async (count: number): Promise<Filled> => {
    const userId = nobodyYet();
    return { ids: await fill(userId, count), actor: actorOf(userId) };
  };
/** The same, whom an administrator asks about. */
const asAdmin =
  (fill: (userId: number, count: number) => Promise<Id[]>, input: (userId: number) => object) =>
  async (count: number): Promise<Filled> => {
    const userId = nobodyYet();
    return { ids: await fill(userId, count), actor: admin, input: input(userId) };
  };

const lists: Partial<Record<RouteName, (count: number) => Promise<Filled>>> = {
  'GET /api/tunnel-configs': own(newProxies),
  'GET /api/servers': own(newServers),
  'GET /api/shared-proxies': sharedProxies,
  'GET /api/tunnel-configs/:id/requests': (count) => newRequests(nobodyYet(), count),
  'GET /api/tunnel-configs/:id/requests.csv': (count) => newRequests(nobodyYet(), count),
  'GET /api/admin/users': users,
  'GET /api/admin/tunnel-configs': asAdmin(newProxies, (userId) => ({ userId })),
  'GET /api/admin/invitations': invitations,
  'GET /api/admin/audit': asAdmin(newAudit, (userId) => ({ targetId: String(userId) })),
  'GET /api/user/audit': own(newAudit),
  'GET /api/admin/mails': asAdmin(newMails, (userId) => ({ userId })),
  'GET /api/user/notifications': own(newNotifications),
  'GET /api/user/channels/:id/deliveries': (count) => deliveries(nobodyYet(), count),
  'GET /api/admin/channels/:id/deliveries': (count) => deliveries(null, count),
  'GET /api/admin/announcements': announcements,
};

const shapeOf = (route: RouteName) =>
  (routes[route].input as { readonly shape?: Record<string, unknown> }).shape ?? {};
/** Every list of the contract that comes in pages; one without rows above fails. */
const paged = (Object.keys(routes) as RouteName[]).filter(
  (route) => 'cursor' in shapeOf(route) && route !== 'GET /api/user/export',
);
function ordersOf(route: RouteName): (string | undefined)[] {
  const sort = shapeOf(route).sort as { unwrap(): { options: string[] } } | undefined;
  return sort?.unwrap().options ?? [undefined];
}
const filled = (route: RouteName, count: number) => {
  const fill = lists[route];
  if (!fill) throw new Error(`${route} comes in pages, and has no rows in this test`);
  return fill(count);
};

/** Reads a list to its end. @param limitOf how many rows the next page may have */
async function read(
  route: RouteName,
  { actor, input }: Filled,
  sort: string | undefined,
  limitOf: () => number,
) {
  const pages: Row[][] = [];
  for (let next: string | null | undefined; next !== null && pages.length < 100; ) {
    const limit = limitOf();
    const cursor = next === undefined ? {} : { cursor: /^\d+$/.test(next) ? Number(next) : next };
    const page = await talpa.page(route, actor, { ...input, ...(sort ? { sort } : {}), limit, ...cursor });
    const rows = route.endsWith('.csv')
      ? linesOf(String(page.body), pages.length === 0)
      : (page.body as Row[]);
    expect(rows.length).toBeLessThanOrEqual(limit);
    pages.push(rows);
    next = page.next;
  }
  return pages;
}
const linesOf = (csv: string, isFirst: boolean): Row[] =>
  csv
    .split('\r\n')
    .slice(isFirst ? 1 : 0, -1)
    .map((line) => line.split(','))
    .map((cells) => ({ at: cells[0], requestId: cells.at(-1) }));
/** A row of the activity log names a request, too. */
const idOf = (row: Row) => (row.id ?? row.requestId) as Id;

it.each(paged.flatMap((route) => ordersOf(route).map((sort) => [route, sort] as const)))(
  '%s, sorted by %s, has each row once and in order, however long its pages are, where rows share moment and name',
  async (route, sort) => {
    const count = 23;
    const list = await filled(route, count);
    const [whole = [], ...others] = await read(route, list, sort, () => 100);
    expect(others).toEqual([]);
    expect(new Set(whole.map(idOf))).toEqual(new Set(list.ids));
    expect(whole).toHaveLength(count);
    if (sort?.endsWith('createdAt')) {
      const oldestFirst = list.ids.toSorted((a, b) => Number(a) - Number(b));
      expect(whole.map(idOf)).toEqual(sort.startsWith('-') ? oldestFirst.toReversed() : oldestFirst);
    }
    const moments = whole.flatMap(({ at }) => (at === undefined ? [] : Date.parse(String(at))));
    expect(moments, 'the newest first').toEqual(moments.toSorted((a, b) => b - a));
    for (const longest of [1, 3, 12]) {
      const pages = await read(route, list, sort, () => 1 + random.below(longest));
      expect(pages.flat().map(idOf), `seed ${seed}`).toEqual(whole.map(idOf));
      expect(pages.filter((page) => page.length === 0)).toEqual([]);
    }
    expect(await read(route, list, sort, () => count), 'as long as its only page').toHaveLength(1);
  },
);

it.each(paged)('%s is one empty page where there is nothing', async (route) => {
  expect(await read(route, await filled(route, 0), undefined, () => 10)).toEqual([[]]);
});

it('an export in parts has each row of every list once, where rows share their moment', async () => {
  const { id: userId, actor } = await newUser();
  const proxies = await newProxies(userId, 600);
  const audit = await newAudit(userId, 1_100);
  const mails = await newMails(userId, 1_100);
  const notifications = await newNotifications(userId, 600);
  await deliveries(userId, 600);
  const requests = await newRequests(userId, 2_100);
  await talpa.sql`
    insert into stats.owners (proxy_id, id, user_id)
    select uuid, id, user_id from proxies.proxies where user_id = ${userId}`;
  const parts: AccountExport[] = [];
  for (let cursor: string | null = null; cursor !== null || parts.length === 0; ) {
    const part: AccountExport = await talpa.call('GET /api/user/export', actor, cursor ? { cursor } : {});
    parts.push(part);
    cursor = part.next;
    expect(parts.length).toBeLessThan(20);
  }
  const all = <K extends keyof AccountExport>(key: K) => parts.flatMap((part) => part[key] as Row[]);
  const once = (found: unknown[], expected: readonly unknown[]) => {
    expect(found.toSorted()).toEqual(expected.toSorted());
  };
  once(all('proxies').map(idOf), [...proxies, (requests.input as { id: number }).id]);
  once(all('notifications').map(idOf), notifications);
  once(all('requests').map(idOf), requests.ids);
  // Their registration and the parts of this export are there, too.
  once(
    all('audit')
      .map(idOf)
      .filter((id) => audit.includes(id)),
    audit,
  );
  expect(new Set(all('audit').map(idOf)).size).toBe(all('audit').length);
  expect(new Set(all('mails').map(({ stateAt }) => stateAt)).size).toBe(mails.length);
  expect(all('mails')).toHaveLength(mails.length);
  once(
    all('deliveries').map(({ attempts }) => attempts),
    Array.from({ length: 600 }, (_, number) => number),
  );
  expect([all('sessions').length, all('channels').length]).toEqual([1, 1]);
});
