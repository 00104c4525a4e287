import type { ProviderFault } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { type OperationName, operations } from '../provider/operations.ts';
import { reportFaults } from './report.ts';
import { clearProblems, hasProblems, recordProblem } from './sql.ts';

/** What a problem belongs to: a call, or the resync. */
type Subject = OperationName | 'compare tunnels';

/** Keeps what an operator has to fix at the provider, for all workers together. Never fails. */
export interface ProviderProblems {
  /** An operation has failed for a reason an operator has to remove. */
  failed(operation: Subject, fault: ProviderFault, detail: string): Promise<void>;
  /** An operation works; costs something only where it had failed. */
  worked(operation: Subject): Promise<void>;
}

const lookEveryMs = 5_000;

/** @returns beside them `look`, to be called now and then: other workers store problems, too. */
export function createProviderProblems(sql: Sql, log: Log): ProviderProblems & { look(): Promise<void> } {
  let some = true;
  const safely = (work: Promise<unknown>) =>
    work.catch((error) => log.warn({ err: error }, 'provider problem could not be stored'));
  const look = async () => {
    some = await hasProblems(sql);
  };
  return {
    look,
    failed: async (operation, fault, detail) => {
      some = true;
      const isNew = await safely(recordProblem(sql, operation, fault, detail));
      if (isNew)
        log.error(
          { fault, detail },
          'provider settings must be fixed: look up `fault` in docs/cloudflare.md',
        );
    },
    worked: async (operation) => {
      if (some) await safely(clearProblems(sql, operation, disprovedBy(operation)).then(look));
    },
  };
}

/** Faults that no operation of this kind would work with. A right may be lacking for one alone. */
const disprovedBy = (operation: Subject): ProviderFault[] =>
  operation === 'compare tunnels' ? [] : ['token_malformed', `${operations[operation].of}_unknown`];

/** The problems of a process: what the other workers have stored is known here a few seconds later. */
export function startProviderProblems(base: ServiceBase, lifecycle: Lifecycle): ProviderProblems {
  const problems = createProviderProblems(base.sql, lifecycle.log);
  const look = async () => {
    await problems.look();
    await reportFaults(base);
  };
  lifecycle.every(lookEveryMs, look, {
    failed: 'problems could not be read',
    level: 'debug',
    delayed: true,
  });
  return problems;
}
