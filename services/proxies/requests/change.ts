import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { describeLog, unavailableBy } from './log.ts';

/** Changes how a proxy's requests are logged. Nothing is stored from then on that the mode does not allow, wherever the edges are. */
export const changeRequestLog: Verb<
  Routes['PUT /api/tunnel-configs/:id/request-log'],
  ProxiesContext
> = async (context, { id, mode }) => {
  if (unavailableBy(context.settings)) throw new AppError('request_log_unavailable');
  const changed = await context.transaction(async (tx) => {
    const row = await lockProxy(tx, id, context);
    refuseSuspended(row, context.actor);
    if (row.requestLog === mode) return row;
    await tx.audit({ ...auditOf(row), changes: { requestLog: { from: row.requestLog, to: mode } } });
    return saveProxy(tx, { ...row, requestLog: mode });
  });
  return describeLog(context, changed);
};
