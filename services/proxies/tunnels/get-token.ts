import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import { recordRead } from '@talpa/service-kit/database/record-read';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { lags } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';

/** The connector's token, asked of the provider each time and kept by nobody. */
export const getTunnelToken: Verb<
  Routes['GET /api/tunnel-configs/:id/tunnel-token'],
  ProxiesContext
> = async (context, input) => {
  const { reads, actor } = context;
  const { userId } = await findProxy(reads, input.id, context);
  const row = await withFreshProjections(context, userId, async () => {
    const found = await findProxy(reads, input.id, context);
    refuseSuspended(found, actor);
    return found;
  });
  if (!row.applied) throw new AppError(lags(row) && row.status !== 'error' ? 'proxy_pending' : 'no_tunnel');
  const { tunnelId } = row.applied;
  const token = await context.whileWaiting(
    callInternal(context.nc, 'tunnel-worker.getTunnelToken', { tunnelId }, context),
  );
  await recordRead(context, {
    target: { kind: 'proxy', id: row.id, label: row.serverName },
    subjectUserId: row.userId,
  });
  return token;
};
