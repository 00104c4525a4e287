import { AppError } from '@talpa/service-kit/app-error';
import { BudgetExhausted } from '../budget/budget.ts';
import type { WorkerContext } from '../context.ts';
import { createProvider, type Provider } from '../provider/client.ts';
import { isProviderError, ProviderError } from '../provider/errors.ts';

/** Time to respond to the caller that the provider was too slow, in ms. */
const marginMs = 500;

/**
 * Asks the provider on behalf of somebody who waits, for as long as they do.
 * @returns null for an object the provider does not know
 * @throws AppError `provider_unavailable`
 */
export async function askProvider<T>(
  context: WorkerContext,
  question: (provider: Provider) => Promise<T>,
): Promise<T | null> {
  const left = Math.max(0, context.deadlineAt - Date.now() - marginMs);
  const signal = AbortSignal.timeout(left);
  const provider = createProvider(context.settings, {
    signal,
    acquire: () => context.budget.acquire('interactive', left, signal),
    onRateLimited: (ms) => context.budget.pause(ms),
    problems: context.problems,
  });
  try {
    return await context.whileWaiting(question(provider));
  } catch (error) {
    if (isProviderError(error, 'missing')) return null;
    if (error instanceof ProviderError || error instanceof BudgetExhausted || signal.aborted)
      throw new AppError('provider_unavailable', { cause: error });
    throw error;
  }
}
