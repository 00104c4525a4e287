import type { EventOf, ProxyState } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { expectNewestKept, keptIn, type Version } from '@talpa/test-kit/batches';
import type { Random } from '@talpa/test-kit/requests/random';
import { newSchemas } from '@talpa/test-kit/schemas';
import { planSnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { transactionsOf } from '@talpa/test-kit/transaction';
import { afterAll, beforeAll, it } from 'vitest';
import { keepUsers } from './audit/users.ts';
import { keepStates } from './history/states.ts';
import { keepTraffic } from './history/traffic.ts';
import { keepModes } from './requests/modes.ts';
import { keepPlans } from './requests/plans.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'stats');
  sql = openDatabase(urlOf('stats', 'owner'), 2);
});
afterAll(() => sql?.end());
const transaction = transactionsOf('stats', () => sql);

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;
const moment = (version: number) => new Date(Date.UTC(2026, 5, version)).toISOString();
const proxyState = ({ id, version }: Version, random: Random): ProxyState => ({
  ...{ proxyId: uuid(id), id, userId: 8, memberIds: [random.below(9)], version, at: moment(version) },
  ...{ status: 'active', tunnelId: uuid(id), deleted: random.chance(0.2) },
  requestLog: random.chance(0.5) ? 'off' : 'metadata',
});

const tables = [
  keptIn('users', {
    columns: 'user_id, username, version',
    make: ({ id, version }, random) =>
      ({ id, version, username: `name ${version}`, deleted: random.chance(0.3) }) as EventOf<'user'>,
    keep: keepUsers,
  }),
  keptIn('plans', {
    columns: 'user_id, tier, expires_at, version',
    make: ({ id, version }, random) =>
      planSnapshot(id, {
        ...{ version, tier: random.chance(0.5) ? 'basic' : 'premium', deleted: random.chance(0.2) },
        expiresAt: moment(version),
      }),
    keep: keepPlans,
  }),
  keptIn('request_logs', {
    columns: 'proxy_id, version, mode',
    make: proxyState,
    keep: ({ sql }, batch) => keepModes(sql, batch),
  }),
  keptIn('owners', {
    columns: 'proxy_id, id, user_id, member_ids, version',
    make: proxyState,
    keep: ({ sql }, batch) => keepStates(sql, batch),
  }),
  keptIn('traffic', {
    columns: '*',
    make: ({ id, version }) => ({
      ...{ tunnelId: uuid(id), quarter: moment(1), version, requests: version },
      ...{ bytesIn: version * 10, bytesOut: version * 100, unreachable: version },
      responses: { '1xx': 0, '2xx': version, '3xx': 0, '4xx': 0, '5xx': 0 },
    }),
    keep: ({ sql }, batch) => keepTraffic(sql, batch),
  }),
];

it.each(tables)('of what comes in batches, in any order and repeated, the newest is kept: %s', (...table) =>
  expectNewestKept(sql, transaction, table),
);
