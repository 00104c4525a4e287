import type { InternalCalls, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { WorkerContext } from '../context.ts';
import { askProvider } from './ask.ts';

/** A tunnel's token, asked of the provider each time: it is kept and logged nowhere. */
export const getTunnelToken: Verb<InternalCalls['tunnel-worker.getTunnelToken'], WorkerContext> = async (
  context,
  { tunnelId },
) => {
  const token = await askProvider(context, (provider) => provider.getToken(tunnelId));
  if (token === null) throw new AppError('no_tunnel');
  return { token };
};
