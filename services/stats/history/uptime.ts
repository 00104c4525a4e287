import type { Uptime, UptimeBar, UptimeSpan } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

interface BarRow {
  from: Date;
  to: Date;
  up: number;
  down: number;
}

/**
 * When visitors got through to a proxy's connector: the last 24 hours by hours, 7 and 90 days by days. The time before
 * the first connection is not downtime: nobody could have got through.
 * @param timeZone an IANA name: where a day begins.
 */
export async function readUptime(
  sql: AnySql,
  proxyId: string,
  timeZone: string,
  now = new Date(),
): Promise<Uptime> {
  const hours = await readBars(sql, proxyId, now, hoursBefore(sql, now));
  const days = await readBars(sql, proxyId, now, daysBefore(sql, now, timeZone));
  return {
    firstConnectedAt: await readFirstConnection(sql, proxyId),
    last24h: spanOf(hours),
    last7d: spanOf(days.slice(-7)),
    last90d: spanOf(days),
  };
}

async function readFirstConnection(sql: AnySql, proxyId: string): Promise<string | null> {
  const [first] = await sql<{ at: Date }[]>`
    select at from states where proxy_id = ${proxyId} and state = 'up' order by version limit 1`;
  return first?.at.toISOString() ?? null;
}

const hoursBefore = (sql: AnySql, now: Date) => sql`
  select hour as "from", least(hour + interval '1 hour', ${now}::timestamptz) as "to"
  from generate_series(date_trunc('hour', ${now}::timestamptz) - interval '23 hours', ${now}::timestamptz,
    interval '1 hour') as hour`;

/** By their dates: a day of 23 or 25 hours is one too. */
const daysBefore = (sql: AnySql, now: Date, timeZone: string) => sql`
  select (today - ago)::timestamp at time zone ${timeZone} as "from",
    least((today - ago + 1)::timestamp at time zone ${timeZone}, ${now}::timestamptz) as "to"
  from (select (${now}::timestamptz at time zone ${timeZone})::date as today) as calendar
    cross join generate_series(0, 89) as ago`;

/**
 * A state lasts until the next version's; where a version is lacking, nobody knows how long. A proxy is down only after
 * it has been up.
 */
async function readBars(
  sql: AnySql,
  proxyId: string,
  now: Date,
  spans: ReturnType<typeof hoursBefore>,
): Promise<UptimeBar[]> {
  const rows = await sql<BarRow[]>`
    with span as (${spans}),
    lasting as (
      select at as began, lead(at, 1, ${now}::timestamptz) over versions as ended,
        case when lead(version, 1, version + 1) over versions = version + 1
          and bool_or(state = 'up') over versions then state end as state
      from states where proxy_id = ${proxyId}
      window versions as (order by version)),
    shared as (
      select span.*, state,
        extract(epoch from least("to", ended) - greatest("from", began))::float8 as seconds
      from span left join lasting on began < "to" and ended > "from" and state in ('up', 'down'))
    select "from", "to", coalesce(sum(seconds) filter (where state = 'up'), 0) as up,
      coalesce(sum(seconds) filter (where state = 'down'), 0) as down
    from shared where "from" < "to" group by "from", "to" order by "from"`;
  return rows.map(({ from, to, up, down }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    up,
    down,
    unknown: Math.max(0, Math.round(to.getTime() - from.getTime() - (up + down) * 1_000) / 1_000),
  }));
}

function spanOf(bars: UptimeBar[]): UptimeSpan {
  const up = bars.reduce((sum, bar) => sum + bar.up, 0);
  const known = bars.reduce((sum, bar) => sum + bar.up + bar.down, 0);
  return { share: known > 0 ? Math.min(1, up / known) : null, bars };
}
