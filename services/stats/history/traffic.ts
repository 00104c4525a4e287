import type { TrafficFigures, TrafficRow, TrafficSum } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { countedAs } from '../proxies/counted-as.ts';

/** Takes sums over, where they are newer than what is known. */
export async function keepTraffic(sql: AnySql, rows: readonly TrafficRow[]): Promise<void> {
  // Ordered, so that two messages with the same rows cannot wait for each other.
  await sql`
    insert into traffic (tunnel_id, quarter, version, requests, bytes_in, bytes_out, responses_1xx, responses_2xx,
      responses_3xx, responses_4xx, responses_5xx, unreachable)
    select distinct on ("tunnelId", quarter) "tunnelId", quarter, version, requests, "bytesIn", "bytesOut",
      (responses ->> '1xx')::bigint, (responses ->> '2xx')::bigint, (responses ->> '3xx')::bigint,
      (responses ->> '4xx')::bigint, (responses ->> '5xx')::bigint, unreachable
    from jsonb_to_recordset(${sql.json([...rows])}) as one (
      "tunnelId" text, quarter timestamptz, version bigint, requests bigint, "bytesIn" bigint,
      "bytesOut" bigint, responses jsonb, unreachable bigint)
    order by "tunnelId", quarter, version desc
    on conflict (tunnel_id, quarter) do update set
      version = excluded.version, requests = excluded.requests, bytes_in = excluded.bytes_in,
      bytes_out = excluded.bytes_out, responses_1xx = excluded.responses_1xx, responses_2xx = excluded.responses_2xx,
      responses_3xx = excluded.responses_3xx, responses_4xx = excluded.responses_4xx,
      responses_5xx = excluded.responses_5xx, unreachable = excluded.unreachable
    where traffic.version < excluded.version`;
}

const shownDays = 30;

type Count = Omit<TrafficSum, 'responses'> & TrafficSum['responses'];
interface DayRow extends Count {
  date: string;
}

/**
 * A proxy's traffic by days.
 * @param timeZone an IANA name: where a day begins.
 */
export async function readFigures(
  sql: AnySql,
  proxyId: string,
  timeZone: string,
  now = new Date(),
): Promise<TrafficFigures> {
  const rows = await sql<DayRow[]>`
    with today as (select (${now}::timestamptz at time zone ${timeZone})::date as date),
    counted as (
      select (quarter at time zone ${timeZone})::date as date, traffic.* from traffic
      where tunnel_id in ${countedAs(sql, proxyId)}
        and quarter >= ((select date from today) - ${shownDays - 1}::integer)::timestamp at time zone ${timeZone}
        and quarter <= ${now})
    select to_char(today.date - days_ago, 'YYYY-MM-DD') as date,
      coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(bytes_in), 0)::bigint as bytes_in,
      coalesce(sum(bytes_out), 0)::bigint as bytes_out, coalesce(sum(responses_1xx), 0)::bigint as "1xx",
      coalesce(sum(responses_2xx), 0)::bigint as "2xx", coalesce(sum(responses_3xx), 0)::bigint as "3xx",
      coalesce(sum(responses_4xx), 0)::bigint as "4xx", coalesce(sum(responses_5xx), 0)::bigint as "5xx",
      coalesce(sum(unreachable), 0)::bigint as unreachable
    from today cross join generate_series(0, ${shownDays - 1}::integer) as days_ago
      left join counted on counted.date = today.date - days_ago
    group by 1 order by 1`;
  const days = rows.map(({ date, ...count }) => ({ date, ...sumOf(count) }));
  const last7Days = days.slice(-7).reduce(add, nothing);
  return {
    today: days.at(-1) ?? nothing,
    yesterday: days.at(-2) ?? nothing,
    dayBeforeYesterday: days.at(-3) ?? nothing,
    last7Days,
    averageBytesADay: Math.round((last7Days.bytesIn + last7Days.bytesOut) / 7),
    days,
  };
}

const nothing = sumOf({
  requests: 0,
  bytesIn: 0,
  bytesOut: 0,
  '1xx': 0,
  '2xx': 0,
  '3xx': 0,
  '4xx': 0,
  '5xx': 0,
  unreachable: 0,
});

function sumOf({ requests, bytesIn, bytesOut, unreachable, ...responses }: Count): TrafficSum {
  return { requests, bytesIn, bytesOut, responses, unreachable };
}

function add(sum: TrafficSum, one: TrafficSum): TrafficSum {
  const both = (pick: (of: TrafficSum) => number) => pick(sum) + pick(one);
  return sumOf({
    requests: both((of) => of.requests),
    bytesIn: both((of) => of.bytesIn),
    bytesOut: both((of) => of.bytesOut),
    unreachable: both((of) => of.unreachable),
    '1xx': both((of) => of.responses['1xx']),
    '2xx': both((of) => of.responses['2xx']),
    '3xx': both((of) => of.responses['3xx']),
    '4xx': both((of) => of.responses['4xx']),
    '5xx': both((of) => of.responses['5xx']),
  });
}
