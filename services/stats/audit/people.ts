import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** Keeps the names of actors. Whoever is gone has none any more, here and in the trail. */
export async function keepPerson(tx: Tx, user: EventOf<'user'>): Promise<void> {
  await lockPerson(tx, user.id, 'alone');
  const { count } = await tx.sql`
    insert into people (user_id, username, version)
    values (${user.id}, ${user.deleted ? null : user.username}, ${user.version})
    on conflict (user_id) do update set username = excluded.username, version = excluded.version
    where people.version < excluded.version`;
  if (count > 0 && user.deleted)
    await tx.sql`
      update audit set target_label = null, changes = changes - 'username'
      where subject_user_id = ${user.id} and (target_label is not null or changes ? 'username')`;
}

/** So that no row with a name is written while the names of that person are removed. */
export async function lockPerson(tx: Tx, userId: number, how: 'alone' | 'shared'): Promise<void> {
  const key = `person ${userId}`;
  if (how === 'alone') await tx.sql`select pg_advisory_xact_lock(hashtext(${key}))`;
  else await tx.sql`select pg_advisory_xact_lock_shared(hashtext(${key}))`;
}
