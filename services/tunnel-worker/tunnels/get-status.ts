import type { InternalCalls, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { WorkerContext } from '../context.ts';
import { areManyMissing } from '../problems/held-back.ts';
import { askProvider } from './ask.ts';

/** The provider's own word on a tunnel; `not_found` for one it does not know or has deleted. */
export const getTunnelStatus: Verb<InternalCalls['tunnel-worker.getTunnelStatus'], WorkerContext> = async (
  context,
  { tunnelId },
) => {
  const status = await askProvider(context, (provider) => provider.getTunnelStatus(tunnelId));
  // Where many are missing, it is rather the account that is wrong.
  if (status === null && (await areManyMissing(context.sql))) throw new AppError('provider_unavailable');
  return { tunnelId, status: status ?? 'not_found' };
};
