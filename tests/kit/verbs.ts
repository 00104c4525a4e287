import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Actor, AuditAction, EventName, EventOf } from '@talpa/contracts';
import type { CallContext } from '@talpa/service-kit/bus/call-context';
import { openBus } from '@talpa/service-kit/bus/connect';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { type Tx, withTransaction } from '@talpa/service-kit/database/transaction';
import { createLog } from '@talpa/service-kit/log';
import { afterAll, beforeAll } from 'vitest';
import { newSchemas } from './schemas.ts';
import type { TestStores } from './stores.ts';

const cacheVersions = { read: async () => null, invalidate: async () => {} };

/** What a service has published about one row, the oldest first. */
type Published<N extends EventName> = EventOf<N>[];

/**
 * A service's database and bus without its process: verbs are called as functions, at moments a test chooses.
 * Nothing is relayed and nothing is cached.
 * @param withEdge with the tables that the edge counts in
 */
export function useVerbs(
  stores: TestStores,
  service: 'auth' | 'billing' | 'proxies' | 'stats',
  { withEdge = false } = {},
) {
  let sql: Sql | undefined;
  let edgeSql: Sql | undefined;
  let nc: NatsConnection | undefined;
  beforeAll(async () => {
    const urlOf = await newSchemas(stores, service, ...(withEdge ? (['edge'] as const) : []));
    sql = openDatabase(urlOf(service), 8);
    if (withEdge) edgeSql = openDatabase(urlOf('edge'), 1);
    nc = await openBus(stores.stores.natsUrl(service), service);
  });
  afterAll(async () => {
    await nc?.close();
    await Promise.all([sql?.end({ timeout: 5 }), edgeSql?.end({ timeout: 5 })]);
  });
  const opened = (one: Sql | undefined) => {
    if (!one) throw new Error('the database is not open');
    return one;
  };
  const database = () => opened(sql);
  const run = <T>(work: (tx: Tx) => Promise<T>, author?: CallContext): Promise<T> =>
    withTransaction({ service, sql: database(), outbox: { kick: () => {} }, cacheVersions }, work, author);
  return {
    get sql() {
      return database();
    },
    /** The edge's, `withEdge`. */
    get edgeSql() {
      return opened(edgeSql);
    },
    transaction: <T>(work: (tx: Tx) => Promise<T>) => run(work),
    /** What a verb gets when somebody calls it, beside what its service adds. */
    call: <A extends Actor | null>(actor: A, audit: AuditAction | null = null) => {
      const call = {
        ...{ requestId: randomUUID(), language: 'de' as const, deadlineAt: Date.now() + 10_000 },
        ...{ actor, audit, role: null, caller: 'gateway' },
        client: { address: '192.0.2.1', userAgent: 'test' },
        log: createLog('test', 'silent'),
        setSession: () => {},
        freshUntil: () => {},
        setPage: () => {},
        whileWaiting: <T>(wait: Promise<T>) => wait,
      };
      return {
        ...call,
        ...{ sql: database(), reads: database(), nc: nc as NatsConnection, cacheVersions },
        transaction: <T>(work: (tx: Tx) => Promise<T>) => run(work, call),
      };
    },
    /** What was published about a row. */
    published: async <N extends EventName>(entity: N, id: string | number): Promise<Published<N>> => {
      const rows = await database()<{ payload: EventOf<N> }[]>`
        select payload from outbox where subject = ${`event.${entity}.${id}`} order by id`;
      return rows.map(({ payload }) => payload);
    },
  };
}
