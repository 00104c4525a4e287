import type { Routes, Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../app.ts';
import { findProxy, lockProxy, saveProxy } from '../proxies/row.ts';

/** What the provider says of a proxy's tunnel now. A tunnel it no longer knows is noted as gone. */
export const getTunnelStatus: Verb<Routes['GET /api/tunnel-status/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const row = await findProxy(context.sql, input.id, context.actor);
  if (!row.applied) return { tunnelId: null, status: 'not_found' };
  const { tunnelId } = row.applied;
  const status = await context.whileWaiting(
    callInternal(context.nc, 'worker.getTunnelStatus', { tunnelId }, context),
  );
  if (status.status === 'not_found')
    await context.transaction(async (tx) => {
      const now = await lockProxy(tx, input.id, context.actor);
      if (now.applied?.tunnelId !== tunnelId) return;
      await saveProxy(tx, { ...now, applied: null, status: 'error', statusReason: 'tunnel_gone' });
    });
  return status;
};
