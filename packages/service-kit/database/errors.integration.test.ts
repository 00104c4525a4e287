import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from './connect.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Sql } from './sql.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  sql = openDatabase(await stores.newDatabase(), 2);
  await sql`create table things (id int primary key)`;
  await sql`insert into things values (1)`;
});
afterAll(() => sql?.end({ timeout: 1 }));

it('a statement that Postgres ends after its time is no fault of ours, unlike one that is wrong', async () => {
  await sql.begin(async (holder) => {
    await holder`update things set id = 1`;
    const waiting = sql.begin(async (tx) => {
      await tx`set local statement_timeout = 1`;
      await tx`update things set id = 1`;
    });
    await expect(waiting).rejects.toSatisfy(isDatabaseUnavailable);
  });
  await expect(sql`select nonsense`).rejects.not.toSatisfy(isDatabaseUnavailable);
});
