import type { InternalCalls } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { z } from 'zod';
import type { ProviderProblems } from '../problems/problems.ts';
import type { Provider } from '../provider/client.ts';
import type { Seen } from './compare.ts';

/** What a pass stands on. */
export interface PassContext {
  readonly sql: Sql;
  readonly provider: Provider;
  readonly problems: ProviderProblems;
  readonly installationId: string;
  /** How old a leftover must be, in ms. */
  readonly graceMs: number;
  /** More leftovers than that are not removed, nor more tunnels taken for gone, without an operator's word. */
  readonly brake: number;
  listServers(after: string): Promise<z.output<InternalCalls['proxies.listServers']['response']>>;
  /** @returns how many servers have changed */
  observe(seen: readonly Seen[]): Promise<number>;
}

export interface PassOptions {
  readonly dryRun: boolean;
  /** Removes what is left over although it is much, or the database was restored. */
  readonly confirm: boolean;
  /** Looks for leftovers too, not at health alone. */
  readonly whole: boolean;
}
