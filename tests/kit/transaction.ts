import type { ServiceName } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import { type Tx, withTransaction } from '@talpa/service-kit/database/transaction';

/** Runs a service's transactions where nothing is relayed and nothing is cached. */
export const transactionsOf =
  (service: ServiceName, sql: () => Sql) =>
  <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    withTransaction(
      {
        service,
        sql: sql(),
        outbox: { kick: () => {} },
        cacheVersions: { read: async () => null, invalidate: async () => {} },
      },
      work,
    );
