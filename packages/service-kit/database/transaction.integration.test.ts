import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CacheOwner } from '../cache-versions.ts';
import { openDatabase } from './connect.ts';
import type { Sql } from './sql.ts';
import { type Tx, withTransaction } from './transaction.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  sql = openDatabase((await newSchemas(stores, 'billing'))('billing'), 4);
});
beforeEach(() => sql`delete from subscriptions`);
afterAll(() => sql?.end({ timeout: 5 }));

const stored = () => sql`select 1 from subscriptions`;
/** What another connection could read when the event came: of which user, and how many rows were there. */
let invalidated: { owners: readonly (CacheOwner | 'outbox')[]; rows: number }[] = [];
beforeEach(() => {
  invalidated = [];
});
/** Runs in a transaction, and looks from another connection at what is stored when its event is published. */
function run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const looks: Promise<void>[] = [];
  const look = async (owners: readonly (CacheOwner | 'outbox')[]) => {
    const { length: rows } = await stored();
    invalidated.push({ owners, rows });
  };
  const cacheVersions = { read: async () => null, invalidate: look };
  const outbox = { kick: () => void looks.push(look(['outbox'])) };
  return withTransaction({ service: 'billing', sql, outbox, cacheVersions }, work).finally(() =>
    Promise.all(looks),
  );
}
const change = async (tx: Tx) => {
  await tx.sql`insert into subscriptions (user_id) values (1)`;
  tx.invalidate(1);
  tx.invalidateAll();
  await tx.command('tunnel-worker.enqueue', {
    proxyId: '00000000-0000-4000-8000-000000000001',
    urgent: false,
  });
};

describe('a transaction', () => {
  it('invalidates the cache and has its messages relayed after its COMMIT and before it returns', async () => {
    await run(change);
    expect(invalidated).toEqual([
      { owners: [1, 'global'], rows: 1 },
      { owners: ['outbox'], rows: 1 },
    ]);
  });

  it('that fails publishes nothing', async () => {
    await sql`delete from outbox`;
    const failing = run(async (tx) => {
      await change(tx);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(invalidated).toEqual([]);
    expect([await stored(), await sql`select 1 from outbox`]).toEqual([[], []]);
  });

  it('whose messages cannot be stored is rolled back and fails, also where the statement is prepared', async () => {
    const unstorable = () =>
      run(async (tx) => {
        await change(tx);
        await tx.audit({
          ...{ action: 'subscription.change', actor: null, subjectUserId: 1 },
          target: { kind: 'proxy', id: 1, label: '\u0000' },
        });
      });
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(unstorable()).rejects.toThrow('unsupported Unicode escape sequence');
    expect([invalidated, await stored()]).toEqual([[], []]);
    await run(change);
    expect(await stored()).toHaveLength(1);
  });
});
