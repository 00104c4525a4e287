import type { Routes, Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { lockWithServer } from '../server/find.ts';
import { afterSeeing, takeInSeen } from './health.ts';

/** What the provider says of a proxy's tunnel now; the list shows it from then on, too. That it is gone is believed of the resync alone. */
export const getTunnelStatus: Verb<Routes['GET /api/tunnel-status/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const row = await findProxy(context.reads, input.id, context);
  if (!row.applied) return { tunnelId: null, status: 'not_found' };
  const { tunnelId } = row.applied;
  const status = await context.whileWaiting(
    callInternal(context.nc, 'tunnel-worker.getTunnelStatus', { tunnelId }, context),
  );
  if (status.status === 'not_found') return status;
  const health = status.status;
  if (afterSeeing(row, health))
    await context.transaction(async (tx) => {
      const { locked } = await lockWithServer(tx, input.id, context);
      await takeInSeen(tx, locked, tunnelId, health);
    });
  return status;
};
