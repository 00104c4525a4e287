import type { InternalCalls, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../app.ts';
import { askProvider } from './ask.ts';

/** The provider's own word on a tunnel; `not_found` for one it does not know or has deleted. */
export const getTunnelStatus: Verb<InternalCalls['worker.getTunnelStatus'], WorkerContext> = async (
  context,
  { tunnelId },
) => {
  const status = await askProvider(context, (provider) => provider.getTunnelStatus(tunnelId));
  return { tunnelId, status: status ?? 'not_found' };
};
