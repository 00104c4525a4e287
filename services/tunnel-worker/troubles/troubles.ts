import type { ProviderFault } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/connect';
import type { Log } from '@talpa/service-kit/log';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { type OperationName, operations } from '../provider/operations.ts';
import { clearTroubles, hasTroubles, noteTrouble } from './sql.ts';

/** What a trouble is noted of: a call, or the reconciler's look at all tunnels. */
type Subject = OperationName | 'compare tunnels';

/** Keeps what an operator has to fix at the provider, for all workers together. Never fails. */
export interface Troubles {
  /** An operation has failed for a reason an operator has to remove. */
  failed(operation: Subject, fault: ProviderFault, detail: string): Promise<void>;
  /** An operation works; costs something only where it had failed. */
  worked(operation: Subject): Promise<void>;
}

const lookEveryMs = 5_000;

/** @returns beside them `look`, to be called now and then: other workers note troubles, too. */
export function createTroubles(sql: Sql, log: Log): Troubles & { look(): Promise<void> } {
  let some = true;
  const safely = (work: Promise<unknown>) =>
    work.catch((error) => log.warn({ err: error }, 'trouble with the provider could not be noted'));
  const look = async () => {
    some = await hasTroubles(sql);
  };
  return {
    look,
    failed: async (operation, fault, detail) => {
      some = true;
      const isNew = await safely(noteTrouble(sql, operation, fault, detail));
      if (isNew) log.error({ fault, detail }, 'the provider needs an operator: see docs/troubleshooting.md');
    },
    worked: async (operation) => {
      if (some) await safely(clearTroubles(sql, operation, disprovedBy(operation)).then(look));
    },
  };
}

/** Faults that no operation of this kind would work with. A right may be lacking for one alone. */
const disprovedBy = (operation: Subject): ProviderFault[] =>
  operation === 'compare tunnels' ? [] : ['token_malformed', `${operations[operation].of}_unknown`];

/** The troubles of a process: what the other workers have noted is known here a few seconds later. */
export function startTroubles(sql: Sql, lifecycle: Lifecycle): Troubles {
  const troubles = createTroubles(sql, lifecycle.log);
  const timer = setInterval(() => {
    troubles.look().catch((error) => lifecycle.log.debug({ err: error }, 'troubles could not be read'));
  }, lookEveryMs);
  lifecycle.onStop('troubles', () => clearInterval(timer));
  return troubles;
}
