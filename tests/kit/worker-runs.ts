import { randomUUID } from 'node:crypto';
import type { DesiredTunnel, Outcome } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { createLog } from '@talpa/service-kit/log';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { claimDueJobs } from '../../services/tunnel-worker/jobs/claim.ts';
import type { JobContext } from '../../services/tunnel-worker/jobs/context.ts';
import type { JobRun } from '../../services/tunnel-worker/jobs/history.ts';
import { runJob } from '../../services/tunnel-worker/jobs/run.ts';
import { enqueue, type JobRequest } from '../../services/tunnel-worker/jobs/sql.ts';
import { createProviderProblems } from '../../services/tunnel-worker/problems/problems.ts';
import type { TestProvider } from './embedded-provider.ts';
import { reportedOutcome, serverOf } from './lone-proxy.ts';
import { newSchemas } from './schemas.ts';
import type { TestStores } from './stores.ts';

export const want = { incarnation: 1, hostname: 'srv.example.com', origin: 'http://127.0.0.1:40120' };

interface JobEntry {
  failures: number;
  deadLetterReason: string | null;
  dueInMs: number | null;
}

/** A worker's database and single runs on it, one proxy at a time; empty before each test. */
export function useRuns(stores: TestStores, embedded: TestProvider) {
  let opened: Sql | undefined;
  const sql = () => {
    if (!opened) throw new Error('the database is not open');
    return opened;
  };
  beforeAll(async () => {
    const urlOf = await newSchemas(stores, 'tunnel-worker');
    opened = openDatabase(urlOf('tunnel-worker'), 8);
  });
  beforeEach(async () => {
    await sql()`delete from jobs`;
    await sql()`delete from job_runs`;
    await sql()`delete from provider_problems`;
  });
  afterAll(() => opened?.end({ timeout: 5 }));
  return {
    get sql() {
      return sql();
    },
    newProxy: () => new OneProxy(sql(), embedded),
    jobs: () => sql()<JobEntry[]>`
      select *, proxy_id as server_id, (extract(epoch from due_at - now()) * 1000)::float8 as due_in_ms from jobs`,
    runs: () => sql()<JobRun[]>`select *, proxy_id as server_id from job_runs order by id`,
    /** Time passes for what has been put off. */
    letRetryCome: () => sql()`update jobs set retry_at = now(), due_at = now()`,
    /** How much is at the provider. */
    counts: () =>
      embedded.sql<{ tunnels: number; records: number }[]>`
        select (select count(*)::integer from tunnels where deleted_at is null) as tunnels,
          (select count(*)::integer from dns_records) as records`,
  };
}

/** One proxy and the calls that concern it, with the responses of the service proxies. */
class OneProxy {
  readonly proxyId = randomUUID();
  state: DesiredTunnel | null;
  readonly reports: Outcome[] = [];
  /** Set to be unreachable. */
  down = false;

  private readonly sql: Sql;
  private readonly embedded: TestProvider;

  constructor(sql: Sql, embedded: TestProvider) {
    this.sql = sql;
    this.embedded = embedded;
    this.state = {
      proxyId: this.proxyId,
      generation: 1,
      want,
      applied: null,
      connected: false,
      settled: false,
    };
  }

  context(changes: Partial<JobContext> = {}): JobContext {
    const log = createLog('tunnel-worker', 'silent');
    return {
      sql: this.sql,
      log,
      provider: this.embedded.settings,
      budget: { acquire: async () => {}, pause: async () => {} },
      problems: createProviderProblems(this.sql, log),
      installationId: 'test1',
      suspendsSingly: true,
      attempts: 3,
      stopping: new AbortController().signal,
      getDesired: async () => {
        const state = this.reachable();
        return state && serverOf(state);
      },
      report: async (report) => {
        const state = this.reachable();
        const outcome = reportedOutcome(report);
        if (state?.generation !== report.generation || !outcome) return false;
        this.reports.push(outcome);
        if (outcome.kind === 'applied') this.state = { ...state, applied: outcome.applied, settled: true };
        if (outcome.kind === 'removed') this.state = null;
        if (outcome.kind === 'refused') this.state = { ...state, settled: true };
        return true;
      },
      mayBelieveGone: async () => true,
      mayRemoveUnknown: async () => true,
      ...changes,
    };
  }

  /** Wakes it and lets it be worked on once. */
  async run(changes: Partial<JobContext> = {}, how: Omit<JobRequest, 'serverId'> = {}): Promise<void> {
    await enqueue(this.sql, [{ ...how, serverId: this.proxyId }]);
    await this.runDue(changes);
  }

  /** Lets it be worked on if it is due. */
  async runDue(changes: Partial<JobContext> = {}): Promise<boolean> {
    const [job] = await claimDueJobs(this.sql, 1);
    if (job) await runJob(this.context(changes), job);
    return job !== undefined;
  }

  /** Raises the generation, as every change does. */
  change(wanted: DesiredTunnel['want']): void {
    if (this.state)
      this.state = { ...this.state, want: wanted, settled: false, generation: this.state.generation + 1 };
  }

  private reachable(): DesiredTunnel | null {
    if (this.down) throw new Error('nobody serves proxies');
    return this.state;
  }
}
