import type { ProviderFault } from '@talpa/contracts';
import type { AnySql, Sql } from '@talpa/service-kit/database/sql';

/** What was not met for so long is over, or nobody asks for it: longer than anything waits to be tried again. */
const lasting = '15 minutes';

export interface ProviderProblem {
  readonly fault: ProviderFault;
  readonly detail: string;
  readonly since: Date;
}

/** @returns whether this fault is new */
export async function recordProblem(
  sql: Sql,
  operation: string,
  fault: ProviderFault,
  detail: string,
): Promise<boolean> {
  const [row] = await sql<{ isNew: boolean }[]>`
    insert into provider_problems as known (operation, fault, detail) values (${operation}, ${fault}, ${detail})
    on conflict (operation) do update set fault = excluded.fault, detail = excluded.detail, seen_at = now(),
      since = case when known.fault = excluded.fault and known.seen_at > now() - ${lasting}::interval
        then known.since else now() end
    returning since = now() as is_new`;
  return row?.isNew ?? false;
}

/** Removes the operation's problem, and these faults whatever they were met at. */
export async function clearProblems(
  sql: Sql,
  operation: string,
  faults: readonly ProviderFault[],
): Promise<void> {
  await sql`delete from provider_problems where operation = ${operation} or fault = any(${sql.array([...faults], 25)})`;
}

export async function hasProblems(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ some: boolean }[]>`select exists (select 1 from provider_problems) as some`;
  return row?.some ?? false;
}

/** Each fault once, with what was met last, oldest first. */
export async function listProviderProblems(sql: AnySql): Promise<ProviderProblem[]> {
  return sql<ProviderProblem[]>`
    select fault, (array_agg(detail order by seen_at desc))[1] as detail, min(since) as since
    from provider_problems where seen_at > now() - ${lasting}::interval group by fault order by since, fault`;
}
