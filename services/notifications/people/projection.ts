import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runBatchProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';

/** Keeps the names of users, and removes what was sent to those who are deleted. */
export function keepPeople(base: ServiceBase, lifecycle: Lifecycle): void {
  runBatchProjection('notifications', 'user', storePeople, base, lifecycle);
}

async function storePeople(tx: Tx, users: readonly EventOf<'user'>[]): Promise<void> {
  const news = await tx.sql<{ userId: number; username: string | null }[]>`
    insert into people (user_id, username, username_key, version)
    select distinct on (id) id, case when not deleted then username end,
      case when not deleted then lower(username) end, version
    from jsonb_to_recordset(${tx.sql.json(users as never)}) as one (
      id bigint, username text, version integer, deleted boolean)
    order by id, version desc
    on conflict (user_id) do update set
      username = excluded.username, username_key = excluded.username_key, version = excluded.version
    where people.version < excluded.version
    returning user_id, username`;
  const gone = news.filter(({ username }) => username === null).map(({ userId }) => userId);
  if (gone.length > 0) await tx.sql`delete from mails where user_id in ${tx.sql(gone)}`;
}
