import { randomUUID } from 'node:crypto';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { Counted } from './count.ts';

/** Above every version there is: what is gone for good comes back by no late event. Ids are never used again. */
const lastVersion = 2_147_483_647;

/** A later rebuild has taken over. */
export class Overtaken extends Error {}

/** Begins a rebuild: from now on the totals are not known. @returns its id */
export async function beginRun(tx: Tx): Promise<string> {
  const run = randomUUID();
  await tx.sql`
    update totals_state set known = false, run = ${run}, started_at = now(), alive_at = now()`;
  tx.invalidateAll();
  return run;
}

/** Stores what an owner reports; a newer state from an event stays. @throws Overtaken */
export async function takePage(tx: Tx, run: string, rows: readonly Counted[]): Promise<void> {
  await holdRun(tx, run);
  if (rows.length === 0) return;
  // In one order everywhere, so that two writers never wait for each other.
  const sorted = rows
    .map((row) => ({ ...row, run }))
    .sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
  await tx.sql`
    insert into counted ${tx.sql(sorted, 'kind', 'id', 'version', 'present', 'active', 'run')}
    on conflict (kind, id) do update set
      run = excluded.run,
      version = greatest(counted.version, excluded.version),
      present = case when excluded.version >= counted.version then excluded.present else counted.present end,
      active = case when excluded.version >= counted.version then excluded.active else counted.active end`;
}

/**
 * Ends a rebuild whose owners have reported all rows: what none of them has, and no event has brought since it
 * began, is gone; the totals are counted anew and are known from here on. @throws Overtaken
 */
export async function endRun(tx: Tx, run: string): Promise<void> {
  await holdRun(tx, run);
  await tx.sql`
    update counted set present = false, active = false, version = ${lastVersion}
    where (kind, id) in (
      select kind, id from counted
      where present and run is distinct from ${run} and changed_at < (select started_at from totals_state)
      order by kind, id for update)`;
  // After the rows, as events do. A transaction that changes the totals waits, or has committed what we then count.
  await tx.sql`lock table totals in share row exclusive mode`;
  await tx.sql`
    update totals set value = (
      select count(*) from counted where present and case totals.name
        when 'users' then kind = 'user' when 'proxies' then kind = 'proxy' else active end)`;
  await tx.sql`update totals_state set known = true`;
  tx.invalidateAll();
}

async function holdRun(tx: Tx, run: string): Promise<void> {
  const { count } = await tx.sql`update totals_state set alive_at = now() where run = ${run}`;
  if (count === 0) throw new Overtaken('another rebuild has begun');
}
