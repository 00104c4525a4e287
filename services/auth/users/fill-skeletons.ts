import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { skeletonsOf } from './skeleton.ts';

const intervalMs = 60_000;
const batch = 500;

/** Notes what names look like that were given by an older version, which does so too while it still runs. */
export function fillSkeletons(sql: Sql, lifecycle: Lifecycle): void {
  let stopping = false;
  const fill = async () => {
    while (!stopping && (await fillBatch(sql)) === batch);
  };
  const look = () =>
    fill().catch((error) =>
      lifecycle.log.warn({ err: error }, 'skeletons of user names could not be stored, retrying'),
    );
  void look();
  const timer = setInterval(look, intervalMs);
  lifecycle.onStop('skeletons', () => {
    stopping = true;
    clearInterval(timer);
  });
}

/** @returns how many rows it found */
export async function fillBatch(sql: Sql): Promise<number> {
  const rows = await sql<{ id: number; username: string }[]>`
    select id, username from users where skeletons = '{}' order by id limit ${batch}`;
  for (const { id, username } of rows)
    await sql`
      update users set skeletons = ${skeletonsOf(username)} where id = ${id} and username = ${username}`;
  return rows.length;
}
