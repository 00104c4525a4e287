import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { lengthOf } from '@talpa/test-kit/lengths';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listUsers } from '../../services/auth/users/list.ts';
import { proxiesPage, type Wanted } from '../../services/proxies/proxies/page.ts';

/** Rows of the two sizes that are compared. */
const small = 1_000;
const large = lengthOf('TALPA_LIST_ROWS');
/** Filling takes its time: up to a millisecond a row. */
const fillMs = 120_000 + large;
const rowsOfOneUser = 200;
const rowsFound = 20;
const limit = 50;
/** A deeper index, rows that lie further apart, and each row's one in a joined table. */
const room = 4 * limit + 50;

const stores = useStores();
const open: { end(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((one) => one.end())));

/** A schema whose statements are looked at: what was asked, and the database to explain it. */
async function watched(schema: 'proxies' | 'auth', fill: (sql: Sql) => Promise<unknown>) {
  const urlOf = await newSchemas(stores, schema);
  const url = urlOf(schema);
  const owner = openDatabase(url, 1);
  await owner`set statement_timeout = 0`;
  await fill(owner);
  await owner.end();
  const admin = openDatabase(urlOf(schema, 'owner'), 1);
  await admin`vacuum analyze`;
  await admin.end();
  const asked: { text: string; parameters: unknown[] }[] = [];
  const parsed = new URL(url);
  const host = parsed.searchParams.get('host') ?? undefined;
  parsed.searchParams.delete('host');
  const sql = postgres(parsed.href, {
    ...(host ? { host } : {}),
    max: 1,
    transform: postgres.camel,
    types: openTypes,
    debug: (_connection, text, parameters) => asked.push({ text, parameters }),
  }) as unknown as Sql;
  open.push(sql);
  return { sql, asked };
}
const openTypes = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Pages touched by the list's own statement, and the tables it read from end to end. */
async function cost({ sql, asked }: Awaited<ReturnType<typeof watched>>, read: () => Promise<unknown>) {
  asked.length = 0;
  await read();
  const { text, parameters } = asked.find((one) => /order by[\s\S]*limit/.test(one.text)) ?? {
    text: '',
    parameters: [],
  };
  const [row] = await sql.unsafe(`explain (analyze, buffers, format json) ${text}`, parameters as never);
  const plan = Object.values(row ?? {})[0] as [{ Plan: Plan }];
  const scans = (node: Plan): string[] => [
    ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
    ...(node.Plans ?? []).flatMap(scans),
  ];
  const root = plan[0].Plan;
  return { pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'], whole: scans(root) };
}

/** Many users have one proxy; one user has many. A hundredth is active. */
const fillProxies = (rows: number) => (sql: Sql) =>
  sql`
  insert into proxies (uuid, user_id, owner_name, server_name, server_ip, admin_port, hostname, proxy_port, status)
  select gen_random_uuid(), case when n <= ${rowsOfOneUser} then 1 else n end,
    case when n % ${rows / rowsFound} = 1 then 'Besitzer ' || n else 'anna ' || md5(n::text) end,
    case when n % ${rows / rowsFound} = 0 then 'Kürbis ' else 'Server ' end || md5(n::text),
    '127.0.0.1', 40120, 'srv-' || n || '.example.com', 8081, case when n % 100 = 0 then 'active' else 'inactive' end
  from generate_series(1, ${rows}) n`;
const fillUsers = (rows: number) => async (sql: Sql) => {
  await sql`
    insert into users
      (username, username_key, skeletons, password_hash, current_tier, is_admin, suspended_at, suspension_reason)
    select name, name, array[name], 'x', case when n % 100 = 0 then 'premium' else 'free' end, n % 200 = 0,
      case when n % 100 = 50 then now() end, case when n % 100 = 50 then 'spam' end
    from generate_series(1, ${rows}) n,
      lateral (select case when n % ${rows / rowsFound} = 0 then 'kürbis-' else 'u-' end || md5(n::text) as name) named`;
  await sql`
    insert into entitlements (user_id, tier, proxy_limit, version, deleted)
    select id, current_tier, 1, 1, false from users`;
};

/**
 * What twenty rows have, whatever their number, what nearly all have, and what none has, signs alone too. In
 * between a search costs what it finds, which grows with the rows.
 */
const needles = ['kürbis', 'server', 'gibt es nirgends', 'zq', '§§§', 'a??'];
const orders = ['createdAt', '-createdAt', 'serverName', '-serverName'];
const filters: readonly Partial<Wanted>[] = [
  {},
  { status: 'active' },
  { userId: 1 },
  { userId: 1, status: 'inactive' },
];

describe('the first page costs no more with many rows than with few:', () => {
  let few: Awaited<ReturnType<typeof watched>>;
  let many: Awaited<ReturnType<typeof watched>>;
  beforeAll(async () => {
    few = await watched('proxies', fillProxies(small));
    many = await watched('proxies', fillProxies(large));
  }, fillMs);

  const compare = async (wanted: Wanted) => {
    const [before, after] = [
      await cost(few, () => proxiesPage(few.sql, wanted)),
      await cost(many, () => proxiesPage(many.sql, wanted)),
    ];
    if (large > 60_000) console.log(JSON.stringify(wanted), small, before.pages, large, after.pages);
    expect(after.whole, 'read from end to end').toEqual([]);
    expect(after.pages).toBeLessThan(2 * before.pages + room);
  };

  it.each(orders.flatMap((sort) => filters.map((filter) => ({ sort, ...filter }))))(
    'proxies by %o',
    (wanted) => compare({ ...wanted, ids: null, limit }),
  );

  it.each(needles)('proxies with “%s”', (q) => compare({ limit, ids: null, q }));

  it.each([...needles, 'besitzer', 'anna'])('anybody’s proxies with “%s”', (q) =>
    compare({ limit, ids: null, q, byOwner: true }),
  );
});

describe('the first page of users costs no more with many rows than with few:', () => {
  let few: Awaited<ReturnType<typeof watched>>;
  let many: Awaited<ReturnType<typeof watched>>;
  beforeAll(async () => {
    few = await watched('auth', fillUsers(small));
    many = await watched('auth', fillUsers(large));
  }, fillMs);

  const wishes = ['createdAt', '-createdAt', 'username', '-username'].flatMap((sort) => [
    { sort },
    { sort, tier: 'premium' },
    { sort, role: 'admin' },
    { sort, role: 'user', state: 'active' },
    { sort, state: 'suspended' },
  ]);
  it.each([...wishes, { q: 'kürbis' }, { q: 'u-' }, { q: 'zz' }])('by %o', async (wish) => {
    const read = (sql: Sql) => listUsers({ sql, setPage: () => {} } as never, { limit, ...wish } as never);
    const [before, after] = [await cost(few, () => read(few.sql)), await cost(many, () => read(many.sql))];
    if (large > 60_000) console.log(JSON.stringify(wish), small, before.pages, large, after.pages);
    expect(after.whole, 'read from end to end').toEqual([]);
    expect(after.pages).toBeLessThan(2 * before.pages + room);
  });
});
