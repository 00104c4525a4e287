import { randomUUID } from 'node:crypto';
import { type AuditMessage, auditActions, type EventOf, serviceNames, writesAction } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { transactionsOf } from '@talpa/test-kit/transaction';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatsContext } from '../context.ts';
import { listAudit } from './list.ts';
import { listOwnAudit } from './list-own.ts';
import { takeIn, takeInLetters } from './receive.ts';
import { startRetention } from './retention.ts';
import { mostDeadLetters } from './sql.ts';
import { keepUsers } from './users.ts';

const test = useStores();
let sql: Sql;
/** Statements the verbs have sent, to be explained. */
const sent: { text: string; values: unknown[] }[] = [];

beforeAll(async () => {
  const urlOf = await newSchemas(test, 'stats');
  sql = openDatabase(urlOf('stats', 'owner'), 4);
  await sql`
    insert into audit (id, at, service, action, actor_user_id, actor_is_admin, address, user_agent, target_kind,
      target_id, target_label, subject_user_id, changes, request_id)
    select gen_random_uuid(), now() - number * interval '10 minutes', 'auth', 'session.signIn', number % 100, false,
      '192.0.2.1', 'test', 'user', (number % 100)::text, 'anna', number % 100, '{}', ''
    from generate_series(1, 60000) number`;
  await sql`analyze audit`;
  sql.options.debug = (_connection, text, values) => sent.push({ text, values });
});
afterAll(() => sql?.end());

/** How many rows the last statement had to look at, as Postgres counts them. */
async function rowsLookedAt(): Promise<number> {
  const { text, values } = sent.at(-1) ?? { text: '', values: [] };
  const [row] = await sql.unsafe(`explain (analyze, format json) ${text}`, values as never[]);
  const json = JSON.stringify(Object.values(row ?? {})[0]);
  const looked = [...json.matchAll(/"Rows Removed by Filter":(\d+)|"Actual Rows":(\d+)/g)];
  expect(looked.length).toBeGreaterThan(0);
  expect(json).not.toMatch(/"Seq Scan"[^}]*"audit"/);
  return Math.max(...looked.map(([, removed, actual]) => Number(removed ?? actual)));
}

describe('the audit trail', () => {
  const context = () =>
    ({
      sql,
      setPage: () => {},
      actor: { userId: 7, isAdmin: true, sessionId: '' },
    }) as unknown as StatsContext & {
      actor: { userId: number; isAdmin: boolean; sessionId: string };
    };

  it.each([
    {},
    { actor: 7 },
    { subject: 7 },
    { action: 'session.signIn' as const },
    { targetKind: 'user' as const, targetId: '7' },
    { to: new Date(Date.now() - 90 * 86_400_000).toISOString() },
  ])('gives its first page from an index alone, asked for %o', async (filter) => {
    expect(await listAudit(context(), { limit: 50, ...filter })).toHaveLength(50);
    expect(await rowsLookedAt()).toBeLessThanOrEqual(51);
  });

  it('gives a person’s first page from two indexes', async () => {
    expect(await listOwnAudit(context(), { limit: 50 })).toHaveLength(50);
    expect(await rowsLookedAt()).toBeLessThanOrEqual(102);
  });

  it('keeps rows for 365 days and addresses for 90', async () => {
    // The job's own run: more rows are due than it takes at once, and more addresses than rows.
    let forget: (signal: AbortSignal) => Promise<unknown> = async () => {};
    const every: Lifecycle['every'] = (_ms, work) => {
      forget = work;
    };
    startRetention({ sql } as ServiceBase, { every } as Lifecycle);
    await forget(new AbortController().signal);
    const [row] = await sql<{ oldest: number; oldestWithAddress: number }[]>`
      select extract(days from now() - min(at))::integer as oldest,
        extract(days from now() - min(at) filter (where address is not null or user_agent is not null))::integer
          as oldest_with_address
      from audit`;
    expect(row).toEqual({ oldest: 364, oldestWithAddress: 89 });
  });
});

describe('what comes together', () => {
  const transaction = transactionsOf('stats', () => sql);
  const auditMessage = (userId: number, changes: Partial<AuditMessage> = {}): AuditMessage => ({
    ...{ id: randomUUID(), at: new Date().toISOString(), service: 'auth', action: 'user.update' },
    target: { kind: 'user', id: String(userId), label: 'berta' },
    changes: { username: { from: 'bertha', to: 'berta' }, isAdmin: { to: true } },
    actor: { userId, isAdmin: false, sessionId: null },
    ...{ client: { address: '192.0.2.1', userAgent: 'test' }, subjectUserId: userId, requestId: 'r' },
    ...changes,
  });
  const receive = (...rows: readonly unknown[]) =>
    transaction((tx) =>
      takeIn(
        tx,
        rows.map((row) => ({ sender: 'auth', payload: JSON.stringify(row) })),
      ),
    );
  const user = (id: number, version: number, deleted: boolean): EventOf<'user'> => ({
    ...{ id, username: 'berta', isAdmin: false, createdAt: new Date().toISOString(), suspension: null },
    notifications: { email: false, system: true, maintenance: true },
    ...{ version, deleted },
  });
  const kept = (...rows: readonly AuditMessage[]) =>
    sql`select * from audit where id in ${sql(rows.map(({ id }) => id))} order by subject_user_id`;
  /** Whether rows still hold a name, in the order of whom they concern. */
  const named = async (rows: readonly AuditMessage[]) =>
    (await kept(...rows)).map(({ targetLabel, changes }) => targetLabel !== null || 'username' in changes);

  it('is kept once each and whole, and what cannot be read becomes a dead letter', async () => {
    const rows = [
      auditMessage(9_001),
      auditMessage(9_002, { actor: null, client: null, subjectUserId: null }),
    ];
    const [first, second] = rows as [AuditMessage, AuditMessage];
    const { rows: read, faults } = await receive(second, { kind: 'of tomorrow' }, first, first);
    expect([read.length, faults.length]).toEqual([3, 1]);
    await receive(first, second);
    expect(await kept(...rows)).toMatchObject([
      {
        ...{ service: 'auth', action: 'user.update', actorUserId: 9_001, actorIsAdmin: false },
        ...{ actorSessionId: null, address: '192.0.2.1', userAgent: 'test', requestId: 'r' },
        ...{ at: new Date(first.at), targetKind: 'user', targetId: '9001', targetLabel: 'berta' },
        changes: first.changes,
      },
      { actorUserId: null, actorIsAdmin: null, address: null, userAgent: null, subjectUserId: null },
    ]);
    expect(await sql`select payload from audit_dead_letters`).toEqual([
      { payload: '{"kind":"of tomorrow"}' },
    ]);
  });

  it('is a row in its sender’s own name, of an action that the contract gives it', async () => {
    const receiveFrom = (sender: string, row: AuditMessage) =>
      transaction((tx) => takeIn(tx, [{ sender, payload: JSON.stringify(row) }]));
    for (const sender of serviceNames)
      for (const service of serviceNames)
        for (const action of auditActions) {
          const { rows } = await receiveFrom(sender, auditMessage(9_050, { service, action }));
          const isOwn = sender === service && writesAction(service, action);
          expect([sender, service, action, rows.length]).toEqual([sender, service, action, isOwn ? 1 : 0]);
        }
  }, 60_000);

  it('and cannot be read is bounded for each sender, read again in the background, and stays when it is still unreadable', async () => {
    await sql`delete from audit_dead_letters`;
    const fill = (sender: string, count: number, payload: string) =>
      transaction((tx) =>
        takeIn(
          tx,
          Array.from({ length: count }, () => ({ sender, payload })),
        ),
      );
    const sizes = async () =>
      Object.fromEntries(
        (
          await sql<{ sender: string; count: number }[]>`
          select sender, count(*) from audit_dead_letters group by sender`
        ).map(({ sender, count }) => [sender, count]),
      );
    const { count, bytes } = mostDeadLetters;
    for (let times = 0; times < 3; times += 1) await fill('billing', 7, 'x'.repeat(bytes / 10));
    await fill('proxies', count + 50, '{"x":');
    // Of two that are too long and one that is short the short one still fits.
    await fill('auth', 1, 'x'.repeat(bytes + 1));
    await fill('auth', 1, 'a\0b');
    expect(await sizes()).toEqual({ billing: 10, proxies: count, auth: 1 });
    const row = auditMessage(9_060);
    const refused = auditMessage(9_061, { at: '0000-01-01T00:00:00.000Z' });
    for (const letter of [refused, row])
      await sql`
        insert into audit_dead_letters (sender, payload, why) values ('auth', ${JSON.stringify(letter)}, 'then')`;
    await takeInLetters({ sql, transaction }, new AbortController().signal);
    expect(await kept(row)).toHaveLength(1);
    expect(await sizes()).toEqual({ billing: 10, proxies: count, auth: 2 });
    await sql`delete from audit_dead_letters`;
  });

  it('holds no name of somebody who is gone, whichever comes first and however many come at once', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => 9_100 + at);
    const isNamed = ids.map((id) => id % 2 === 0);
    const gone = ids.filter((id) => id % 2);
    const rows = () => ids.map((id) => auditMessage(id));
    await transaction((tx) =>
      keepUsers(
        tx,
        ids.map((id) => user(id, 1, false)),
      ),
    );
    const before = rows();
    await receive(...before);
    const ends = gone.map((id) => user(id, 3, true));
    // Late, and in the same batch: what is older than their end revives nobody.
    const late = gone.map((id) => user(id, 2, false));
    for (let round = 0; round < 8; round += 1) {
      const meanwhile = rows();
      await Promise.all([
        transaction((tx) => keepUsers(tx, [...ends, ...late])),
        receive(...meanwhile.slice(0, 15)),
        receive(...meanwhile.slice(5).reverse()),
        transaction((tx) => keepUsers(tx, [...late, ...ends].reverse())),
      ]);
      expect(await named(meanwhile)).toEqual(isNamed);
    }
    expect(await named(before)).toEqual(isNamed);
  });

  it('is not yet written when somebody’s names are removed, or they are removed from it, too', async () => {
    const row = auditMessage(9_200);
    let end: Promise<void> | undefined;
    await transaction(async (tx) => {
      await takeIn(tx, [{ sender: 'auth', payload: JSON.stringify(row) }]);
      end = transaction((other) => keepUsers(other, [user(9_200, 2, true)]));
      await until('his end waits', async () => (await sql`select 1 from pg_locks where not granted`).length);
    });
    await end;
    expect(await named([row])).toEqual([false]);
  });
});
