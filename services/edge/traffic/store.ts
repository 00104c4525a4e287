import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import type { ProxyTraffic, Traffic } from './traffic.ts';

const flushMs = 5_000;
/** An origin that has turned is stored so soon. */
const turnedMs = 200;
const quarterMs = 15 * 60_000;
/** Two weeks are kept here; services that keep history longer copy it in time. */
const keptDays = 14;

/**
 * Adds what was counted to its quarter of an hour and stores what the origins responded, in one statement.
 * What cannot be stored is counted again with the next flush.
 * @param at a time in ms within the quarter it belongs to.
 */
export async function flushTraffic(sql: Sql, traffic: Traffic, at = Date.now()): Promise<void> {
  const taken = traffic.take();
  if (taken.size === 0) return;
  try {
    await store(sql, taken, new Date(at - (at % quarterMs)));
  } catch (error) {
    traffic.giveBack(taken);
    throw error;
  }
}

async function store(sql: Sql, taken: ReadonlyMap<string, ProxyTraffic>, quarter: Date): Promise<void> {
  const counted = [...taken].map(([proxyId, { responses, ...one }]) => ({
    // What edges of the version before add to is their tunnel's: the column keeps its name as long as they run beside this one.
    tunnel_id: proxyId,
    requests: one.requests,
    bytes_in: one.bytesIn,
    bytes_out: one.bytesOut,
    ...Object.fromEntries(responses.map((count, index) => [`a${index + 1}`, count])),
    unreachable: one.unreachable,
    response_at: timeOf(one.lastResponseAt),
    status: one.lastStatus,
    unreachable_at: timeOf(one.lastUnreachableAt),
    problem: one.problem,
    problem_at: timeOf(one.problemAt),
  }));
  // Ordered, so that two edges that flush at once cannot wait for each other.
  await sql`
    with counted as (
      select * from jsonb_to_recordset(${sql.json(counted)}) as one (
        tunnel_id uuid, requests bigint, bytes_in bigint, bytes_out bigint,
        a1 bigint, a2 bigint, a3 bigint, a4 bigint, a5 bigint, unreachable bigint,
        response_at timestamptz, status integer, unreachable_at timestamptz, problem text, problem_at timestamptz)
      order by tunnel_id
    ), seen as (
      insert into origins (tunnel_id, last_response_at, last_status, last_unreachable_at, problem, problem_at)
      select tunnel_id, response_at, nullif(status, 0), unreachable_at, problem, problem_at from counted
      where coalesce(response_at, unreachable_at, problem_at) is not null
      on conflict (tunnel_id) do update set
        last_status = case when excluded.last_response_at >= coalesce(origins.last_response_at, '-infinity')
          then excluded.last_status else origins.last_status end,
        last_response_at = greatest(origins.last_response_at, excluded.last_response_at),
        last_unreachable_at = greatest(origins.last_unreachable_at, excluded.last_unreachable_at),
        problem = case when excluded.problem_at >= coalesce(origins.problem_at, '-infinity')
          then excluded.problem else origins.problem end,
        problem_at = greatest(origins.problem_at, excluded.problem_at),
        version = origins.version + 1
    )
    insert into traffic (tunnel_id, quarter, requests, bytes_in, bytes_out, responses_1xx, responses_2xx,
                         responses_3xx, responses_4xx, responses_5xx, unreachable)
    select tunnel_id, ${quarter}, requests, bytes_in, bytes_out, a1, a2, a3, a4, a5, unreachable from counted
    on conflict (tunnel_id, quarter) do update set
      requests = traffic.requests + excluded.requests,
      bytes_in = traffic.bytes_in + excluded.bytes_in,
      bytes_out = traffic.bytes_out + excluded.bytes_out,
      responses_1xx = traffic.responses_1xx + excluded.responses_1xx,
      responses_2xx = traffic.responses_2xx + excluded.responses_2xx,
      responses_3xx = traffic.responses_3xx + excluded.responses_3xx,
      responses_4xx = traffic.responses_4xx + excluded.responses_4xx,
      responses_5xx = traffic.responses_5xx + excluded.responses_5xx,
      unreachable = traffic.unreachable + excluded.unreachable,
      version = traffic.version + 1`;
}

const timeOf = (ms: number) => (ms === 0 ? null : new Date(ms).toISOString());

/** Removes what is older than is kept here. */
export async function forgetOldTraffic(sql: Sql): Promise<void> {
  await sql`delete from traffic where quarter < now() - make_interval(days => ${keptDays})`;
}

/**
 * Flushes every few seconds, and soon when an origin has turned, and removes old rows every hour; the function it gives stops and flushes once more.
 * @param onStored called after each flush.
 */
export function keepTraffic(
  sql: Sql,
  traffic: Traffic,
  log: Log,
  onStored: () => void = () => {},
): () => Promise<void> {
  let running = Promise.resolve();
  const run = (what: string, work: () => Promise<void>) => {
    running = running
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, `${what} failed, retrying`));
    return running;
  };
  const flush = () =>
    run('storing traffic counts', async () => {
      await flushTraffic(sql, traffic);
      onStored();
    });
  let soon: NodeJS.Timeout | undefined;
  traffic.onTurn = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void flush();
    }, turnedMs);
  };
  const timers = [
    setInterval(flush, flushMs),
    setInterval(() => run('deleting old traffic counts', () => forgetOldTraffic(sql)), 3_600_000),
  ];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    clearTimeout(soon);
    await flush();
  };
}
