import type { DesiredServer, ServerReport } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import type { Budget } from '../budget/budget.ts';
import type { ProviderProblems } from '../problems/problems.ts';
import type { ProviderSettings } from '../provider/client.ts';

/** What a run stands on. */
export interface JobContext {
  readonly sql: Sql;
  readonly log: Log;
  readonly provider: ProviderSettings;
  readonly budget: Budget;
  readonly problems: ProviderProblems;
  readonly installationId: string;
  /** See `Scope`. */
  readonly suspendsSingly: boolean;
  /** How often a passing failure is tried before it becomes a dead letter. */
  readonly attempts: number;
  /** Ends every running provider call when the process stops. */
  readonly stopping: AbortSignal;
  /** Fetches the desired state; null for a server nobody knows. */
  getDesired(serverId: string): Promise<DesiredServer | null>;
  /** Reports how a run ended; false when not all of it counts any more. */
  report(report: ServerReport): Promise<boolean>;
  /** Whether a tunnel that is missing may be taken for gone: not while many are. */
  mayBelieveGone(): Promise<boolean>;
  /** Whether what nobody wants may be looked for and removed: not while the database may be older than the provider. */
  mayRemoveUnknown(): Promise<boolean>;
}
