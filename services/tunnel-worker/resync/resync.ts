import type { InternalCalls, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { BudgetExhausted } from '../budget/budget.ts';
import type { WorkerContext } from '../context.ts';
import { ProviderError } from '../provider/errors.ts';
import { lastReport } from './sql.ts';

/** Compares all tunnels and records of this installation with the desired state, now. */
export const resync: Verb<InternalCalls['tunnel-worker.resync'], WorkerContext> = async (context, input) => {
  try {
    return await context.whileWaiting(context.resync.resync(input));
  } catch (error) {
    if (error instanceof ProviderError || error instanceof BudgetExhausted)
      throw new AppError('provider_unavailable', { cause: error });
    throw error;
  }
};

/** What the last whole pass saw and did. */
export const getResyncReport: Verb<InternalCalls['tunnel-worker.getResyncReport'], WorkerContext> = ({
  sql,
}) => lastReport(sql);
