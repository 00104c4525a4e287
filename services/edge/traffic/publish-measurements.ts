import type { Measured, OriginRow, TrafficRow } from '@talpa/contracts';
import type { Sql, TransactionSql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';

/** Hands measurements on; throws when they may not have arrived. */
export type Publish = (what: Measured) => Promise<void>;

const atOnce = 500;

/**
 * Publishes every row that has changed since it was published last. Edges take turns; what a
 * failure leaves out, or publishes twice, is published again as a whole.
 */
export async function publishMeasured(sql: Sql, publish: Publish): Promise<void> {
  for (let more = true; more; )
    more = await sql.begin(async (tx) => {
      await tx`select lock_transaction('edge measurements')`;
      const traffic = await publishTraffic(tx, publish);
      const origins = await publishOrigins(tx, publish);
      return traffic === atOnce || origins === atOnce;
    });
}

interface TrafficTableRow {
  tunnelId: string;
  quarter: Date;
  version: number;
  requests: number;
  bytesIn: number;
  bytesOut: number;
  a1: number;
  a2: number;
  a3: number;
  a4: number;
  a5: number;
  unreachable: number;
}

async function publishTraffic(tx: TransactionSql, publish: Publish): Promise<number> {
  const found = await tx<TrafficTableRow[]>`
    select tunnel_id, quarter, version, requests, bytes_in, bytes_out, responses_1xx as a1, responses_2xx as a2,
      responses_3xx as a3, responses_4xx as a4, responses_5xx as a5, unreachable
    from traffic where told_version < version order by tunnel_id, quarter limit ${atOnce}`;
  if (found.length === 0) return 0;
  const rows = found.map(
    ({ a1, a2, a3, a4, a5, quarter, ...row }): TrafficRow => ({
      ...row,
      quarter: quarter.toISOString(),
      responses: { '1xx': a1, '2xx': a2, '3xx': a3, '4xx': a4, '5xx': a5 },
    }),
  );
  await publish({ kind: 'traffic', rows });
  await tx`
    update traffic set told_version = published.version
    from jsonb_to_recordset(${tx.json(rows)}) as published ("tunnelId" uuid, quarter timestamptz, version bigint)
    where traffic.tunnel_id = published."tunnelId" and traffic.quarter = published.quarter`;
  return rows.length;
}

type OriginTableRow = {
  [K in keyof OriginRow]-?: K extends `${string}At` ? Date | null : OriginRow[K];
};

async function publishOrigins(tx: TransactionSql, publish: Publish): Promise<number> {
  const found = await tx<OriginTableRow[]>`
    select tunnel_id, version, last_response_at as last_response_at, last_status, last_unreachable_at, problem, problem_at
    from origins where told_version < version order by tunnel_id limit ${atOnce}`;
  if (found.length === 0) return 0;
  const rows = found.map((row) => ({
    ...row,
    lastResponseAt: row.lastResponseAt?.toISOString() ?? null,
    lastUnreachableAt: row.lastUnreachableAt?.toISOString() ?? null,
    problemAt: row.problemAt?.toISOString() ?? null,
  }));
  await publish({ kind: 'origins', rows });
  await tx`
    update origins set told_version = published.version
    from jsonb_to_recordset(${tx.json(rows)}) as published ("tunnelId" uuid, version bigint)
    where origins.tunnel_id = published."tunnelId"`;
  return rows.length;
}

/** Publishes after each flush; a failure waits for the next one. The function it gives waits for what runs. */
export function startPublishing(
  sql: Sql,
  publish: Publish,
  log: Log,
): { kick(): void; stop(): Promise<void> } {
  let running = Promise.resolve();
  let waiting = false;
  let failed = false;
  return {
    kick: () => {
      if (waiting) return;
      waiting = true;
      running = running
        .then(() => {
          waiting = false;
          return publishMeasured(sql, publish);
        })
        .then(() => {
          failed = false;
        })
        .catch((error: unknown) => {
          if (!failed) log.warn({ err: error }, 'measurements cannot be published, retrying');
          failed = true;
        });
    },
    stop: () => running,
  };
}
