import type { EventOf } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { expectNewestKept, keptIn } from '@talpa/test-kit/batches';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { transactionsOf } from '@talpa/test-kit/transaction';
import { afterAll, beforeAll, it } from 'vitest';
import { storeUsers } from './projection.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'notifications');
  sql = openDatabase(urlOf('notifications'), 2);
});
afterAll(() => sql?.end());

const users = keptIn('users', {
  columns: '*',
  make: ({ id, version }, random): EventOf<'user'> => ({
    ...{ id, version, username: `name${version}`, isAdmin: random.chance(0.3), deleted: random.chance(0.2) },
    ...{ createdAt: '2026-06-01T00:00:00.000Z' },
    suspension: random.chance(0.3) ? { reason: 'why', since: '2026-06-01T00:00:00.000Z' } : null,
    notifications: {
      ...{ system: random.chance(0.5), maintenance: random.chance(0.5), email: random.chance(0.5) },
      ...(random.chance(0.5) ? { quietHours: { from: '22:00', to: '06:00', timeZone: 'UTC' } } : {}),
    },
  }),
  keep: storeUsers,
});

const transaction = transactionsOf('notifications', () => sql);

it('of what comes in batches, in any order and repeated, the newest is kept', () =>
  expectNewestKept(sql, transaction, users));
