import type { AnySql } from '@talpa/service-kit/database/sql';

/** Removes what was sent, or is to be sent, about users to channels of the installation. Events of others in the same message stay. */
export async function forgetInDeliveries(sql: AnySql, userIds: readonly number[]): Promise<void> {
  const isTheirs = sql`coalesce((event ->> 'userId')::bigint = any(${userIds}::bigint[]), false)`;
  const concerned = sql`
    channel_id in (select id from channels where user_id is null)
    and exists (select 1 from jsonb_array_elements(notifications) as event where ${isTheirs})`;
  // Locked before the two statements, so that both are about the same messages.
  const rows = await sql<
    { id: number }[]
  >`select id from deliveries where ${concerned} order by id for update`;
  const ids = rows.map(({ id }) => id);
  // A message without events would be a test.
  await sql`
    delete from deliveries where id = any(${ids}::bigint[])
      and not exists (select 1 from jsonb_array_elements(notifications) as event where not ${isTheirs})`;
  await sql`
    update deliveries set request = null, answer = null, notifications = (
      select jsonb_agg(event order by place)
      from jsonb_array_elements(notifications) with ordinality as one (event, place) where not ${isTheirs})
    where id = any(${ids}::bigint[])`;
}
