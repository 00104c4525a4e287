import type { AnySql } from '@talpa/service-kit/database/sql';

/** Whom a live message about a proxy goes to. */
export interface Reader {
  /** The proxy's, in the API. */
  readonly id: number;
  readonly userId: number;
}

/** The owner and the members of each proxy of a table or subquery, as `Reader`. */
export const selectReaders = (sql: AnySql) => sql`
  select distinct owners.id, readers.user_id from owners cross join lateral (
    select owners.user_id union select jsonb_array_elements(owners.member_ids)::bigint) as readers (user_id)`;
