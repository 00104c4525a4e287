import type { Sql } from '@talpa/service-kit/database/sql';
import { gauge, histogram, readOnScrape } from '@talpa/service-kit/telemetry/metrics';

const jobs = gauge('talpa_jobs', 'Jobs: due, running, delayed, or dead letters', ['state']);
const oldestDue = gauge('talpa_jobs_oldest_due_seconds', 'How long the oldest one has been due');
const runs = histogram('talpa_run_duration_seconds', 'Runs of jobs, by outcome', ['outcome']);
const resynced = gauge(
  'talpa_resync_age_seconds',
  'How long ago everything at the provider was last compared',
);
const heldBack = gauge('talpa_resync_held_back', 'Whether removing leftovers waits for an operator’s word');

/** Reads what there is to do; the table holds no more than that. */
export function measureJobs(sql: Sql): void {
  readOnScrape('work', [jobs, oldestDue, resynced, heldBack], async () => {
    const [row] = await sql<Record<'due' | 'running' | 'delayed' | 'deadLetter' | 'oldestDue', number>[]>`
      select
        count(*) filter (where holder is null and due_at <= now()) as due,
        count(*) filter (where holder is not null) as running,
        count(*) filter (where holder is null and due_at > now() and dead_letter_at is null) as delayed,
        count(*) filter (where dead_letter_at is not null) as dead_letter,
        coalesce(max(extract(epoch from now() - due_at)) filter (where holder is null and due_at <= now()), 0)::float8
          as oldest_due
      from jobs`;
    if (!row) return;
    jobs.set({ state: 'due' }, row.due);
    jobs.set({ state: 'running' }, row.running);
    jobs.set({ state: 'delayed' }, row.delayed);
    jobs.set({ state: 'dead_letter' }, row.deadLetter);
    oldestDue.set(row.oldestDue);
    const [last] = await sql<{ seconds: number; held: boolean }[]>`
      select extract(epoch from now() - resynced_at)::float8 as seconds, held_back_at is not null as held
      from resync`;
    resynced.set(last?.seconds ?? 0);
    heldBack.set(Number(last?.held ?? true));
  });
}

export const measureRun = (outcome: string, ms: number) => runs.labels(outcome).observe(ms / 1_000);
