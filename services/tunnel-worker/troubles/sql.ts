import type { ProviderFault } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/connect';

/** What was not met for so long is over, or nobody asks for it: longer than anything waits to be tried again. */
const lasting = '15 minutes';

export interface Trouble {
  readonly fault: ProviderFault;
  readonly detail: string;
  readonly since: Date;
}

/** @returns whether this fault is new */
export async function noteTrouble(
  sql: Sql,
  operation: string,
  fault: ProviderFault,
  detail: string,
): Promise<boolean> {
  const [row] = await sql<{ isNew: boolean }[]>`
    insert into troubles as known (operation, fault, detail) values (${operation}, ${fault}, ${detail})
    on conflict (operation) do update set fault = excluded.fault, detail = excluded.detail, seen_at = now(),
      since = case when known.fault = excluded.fault and known.seen_at > now() - ${lasting}::interval
        then known.since else now() end
    returning since = now() as is_new`;
  return row?.isNew ?? false;
}

/** Removes the operation's trouble, and these faults whatever they were met at. */
export async function clearTroubles(
  sql: Sql,
  operation: string,
  faults: readonly ProviderFault[],
): Promise<void> {
  await sql`delete from troubles where operation = ${operation} or fault = any(${sql.array([...faults], 25)})`;
}

export async function hasTroubles(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ some: boolean }[]>`select exists (select 1 from troubles) as some`;
  return row?.some ?? false;
}

/** Each fault once, with what was met last, oldest first. */
export async function listTroubles(sql: Sql): Promise<Trouble[]> {
  return sql<Trouble[]>`
    select fault, (array_agg(detail order by seen_at desc))[1] as detail, min(since) as since
    from troubles where seen_at > now() - ${lasting}::interval group by fault order by since, fault`;
}
