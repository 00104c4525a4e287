import type { InternalCalls, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { WorkerContext } from '../app.ts';
import { NoTurn } from '../budget/budget.ts';
import { ProviderError } from '../provider/errors.ts';
import { lastReport } from './sql.ts';

/** Compares all that bears this installation's name with what is wanted, now. */
export const reconcile: Verb<InternalCalls['worker.reconcile'], WorkerContext> = async (context, input) => {
  try {
    return await context.whileWaiting(context.reconciler.reconcile(input));
  } catch (error) {
    if (error instanceof ProviderError || error instanceof NoTurn)
      throw new AppError('provider_unavailable', { cause: error });
    throw error;
  }
};

/** What the last whole pass saw and did. */
export const getReconcileReport: Verb<InternalCalls['worker.getReconcileReport'], WorkerContext> = ({
  sql,
}) => lastReport(sql);
