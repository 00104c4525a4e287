import type { EventOf } from '@talpa/contracts';
import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** Keeps the names of actors. A deleted user has none any more, here and in the trail. */
export async function keepUsers(tx: Tx, users: readonly EventOf<'user'>[]): Promise<void> {
  const ids = users.map(({ id }) => id);
  await lockUsers(tx, ids, 'alone');
  const changed = await tx.sql<{ userId: number; username: string | null }[]>`
    insert into users (user_id, username, version)
    select distinct on (id) id, case when not deleted then username end, version
    from jsonb_to_recordset(${jsonOf(tx.sql, users)}) as one (
      id bigint, username text, version integer, deleted boolean)
    order by id, version desc
    on conflict (user_id) do update set username = excluded.username, version = excluded.version
    where users.version < excluded.version
    returning user_id, username`;
  const gone = changed.filter(({ username }) => username === null).map(({ userId }) => userId);
  if (gone.length === 0) return;
  await tx.sql`
    update audit set target_label = null, changes = changes - 'username'
    where subject_user_id in ${tx.sql(gone)} and (target_label is not null or changes ? 'username')`;
  await tx.sql`
    update audit set actor_key_name = null
    where actor_user_id in ${tx.sql(gone)} and actor_key_name is not null`;
}

/**
 * So that no row with a name is written while the names of that user are removed. Taken in one order, so that
 * two transactions never wait for each other.
 */
export async function lockUsers(tx: Tx, userIds: readonly number[], how: 'alone' | 'shared'): Promise<void> {
  const lock = how === 'alone' ? tx.sql`lock_transaction` : tx.sql`lock_transaction_shared`;
  await tx.sql`
    select ${lock}(name) from (
      select 'user ' || id as name from unnest(${tx.sql.array([...userIds], 20)}) as id
      group by id order by hashtext('user ' || id)) as names`;
}
