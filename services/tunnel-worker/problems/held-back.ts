import type { Sql } from '@talpa/service-kit/database/sql';

/** Whether nothing may be removed because the database was restored. */
export async function isHeldBack(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`select held_back_at is not null as held from resync`;
  return row?.held ?? true;
}

/** An operator has looked at what would be removed. */
export async function letGo(sql: Sql): Promise<void> {
  await sql`update resync set held_back_at = null`;
}

/** Whether so many tunnels are missing that none of them is believed to be gone. */
export async function areManyMissing(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ many: boolean }[]>`select many_missing_at is not null as many from resync`;
  return row?.many ?? false;
}
