import { fileURLToPath } from 'node:url';
import { auditRetention } from '@talpa/contracts';
import { openDatabase, type Sql } from '@talpa/service-kit/database/connect';
import { migrate } from '@talpa/service-kit/database/migrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useStores } from '../../../tests/kit/stores.ts';
import type { StatsContext } from '../app.ts';
import { listAudit } from './list.ts';
import { listOwnAudit } from './list-own.ts';
import { forgetOld } from './sql.ts';

const test = useStores();
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let sql: Sql;
/** Statements the verbs have sent, to be explained. */
const sent: { text: string; values: unknown[] }[] = [];

beforeAll(async () => {
  sql = openDatabase(await test.newDatabase(), 2);
  await migrate(sql, 'public', [folder('../../../packages/service-kit/migrations'), folder('../migrations')]);
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
    while ((await forgetOld(sql, auditRetention)) > 0);
    const [row] = await sql<{ oldest: number; oldestWithAddress: number }[]>`
      select extract(days from now() - min(at))::integer as oldest,
        extract(days from now() - min(at) filter (where address is not null or user_agent is not null))::integer
          as oldest_with_address
      from audit`;
    expect(row).toEqual({ oldest: 364, oldestWithAddress: 89 });
  });
});
