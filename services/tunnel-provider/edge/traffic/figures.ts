import type { AnySql } from '@talpa/service-kit/database/connect';

/** Sums of a span of time. Bytes are those of bodies. */
export interface TrafficSum {
  readonly requests: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Answers by class. */
  readonly answers: { readonly [K in '1xx' | '2xx' | '3xx' | '4xx' | '5xx']: number };
  /** Requests for which the panel behind the tunnel could not be reached. */
  readonly unreachable: number;
}

/** What the panel shows of a tunnel. Days are those of the installation's time zone. */
export interface TrafficFigures {
  readonly today: TrafficSum;
  readonly yesterday: TrafficSum;
  readonly dayBeforeYesterday: TrafficSum;
  /** Today and the six days before it. */
  readonly last7Days: TrafficSum;
  /** The bytes both ways of those seven days, by day, on average. */
  readonly averageBytesADay: number;
}

interface DayRow {
  /** 0 is today. */
  daysAgo: number;
  requests: number;
  bytesIn: number;
  bytesOut: number;
  '1xx': number;
  '2xx': number;
  '3xx': number;
  '4xx': number;
  '5xx': number;
  unreachable: number;
}

/**
 * A tunnel's traffic today, yesterday, the day before and in the last seven days.
 * @param timeZone an IANA name: where a day begins.
 */
export async function trafficFigures(
  sql: AnySql,
  tunnelId: string,
  timeZone: string,
  now = new Date(),
): Promise<TrafficFigures> {
  const rows = await sql<DayRow[]>`
    with day as (select (${now}::timestamptz at time zone ${timeZone})::date as today)
    select day.today - (quarter at time zone ${timeZone})::date as days_ago,
      sum(requests)::bigint as requests, sum(bytes_in)::bigint as bytes_in, sum(bytes_out)::bigint as bytes_out,
      sum(answers_1xx)::bigint as "1xx", sum(answers_2xx)::bigint as "2xx", sum(answers_3xx)::bigint as "3xx",
      sum(answers_4xx)::bigint as "4xx", sum(answers_5xx)::bigint as "5xx",
      sum(unreachable)::bigint as unreachable
    from traffic, day
    where tunnel_id = ${tunnelId} and quarter >= (day.today - 6)::timestamp at time zone ${timeZone}
      and quarter <= ${now}
    group by 1`;
  const sumOf = (isMeant: (daysAgo: number) => boolean) =>
    rows.filter(({ daysAgo }) => isMeant(daysAgo)).reduce(add, nothing);
  const last7Days = sumOf(() => true);
  return {
    today: sumOf((days) => days === 0),
    yesterday: sumOf((days) => days === 1),
    dayBeforeYesterday: sumOf((days) => days === 2),
    last7Days,
    averageBytesADay: Math.round((last7Days.bytesIn + last7Days.bytesOut) / 7),
  };
}

const nothing: TrafficSum = {
  requests: 0,
  bytesIn: 0,
  bytesOut: 0,
  answers: { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 },
  unreachable: 0,
};

function add(sum: TrafficSum, row: DayRow): TrafficSum {
  return {
    requests: sum.requests + row.requests,
    bytesIn: sum.bytesIn + row.bytesIn,
    bytesOut: sum.bytesOut + row.bytesOut,
    answers: {
      '1xx': sum.answers['1xx'] + row['1xx'],
      '2xx': sum.answers['2xx'] + row['2xx'],
      '3xx': sum.answers['3xx'] + row['3xx'],
      '4xx': sum.answers['4xx'] + row['4xx'],
      '5xx': sum.answers['5xx'] + row['5xx'],
    },
    unreachable: sum.unreachable + row.unreachable,
  };
}

/** What was last heard of the panel behind a tunnel; nulls when nothing was. */
export interface OriginSignal {
  readonly lastAnswerAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastUnreachableAt: Date | null;
}

export async function originSignal(sql: AnySql, tunnelId: string): Promise<OriginSignal> {
  const [row] = await sql<OriginSignal[]>`
    select last_answer_at, last_status, last_unreachable_at from origins where tunnel_id = ${tunnelId}`;
  return row ?? { lastAnswerAt: null, lastStatus: null, lastUnreachableAt: null };
}
