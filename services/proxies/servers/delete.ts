import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { announceServer } from '../server/announce.ts';
import { auditOfServer } from '../server/audited.ts';
import { lockServer } from '../server/find.ts';
import { stillServes } from '../server/leave.ts';
import { removeServer } from '../server/remove.ts';

/** Deletes a server that has no proxies; the worker removes its tunnel. */
export const deleteServer: Verb<Routes['DELETE /api/servers/:id'], ProxiesContext> = async (
  context,
  { id },
) => {
  const locked = await context.transaction(async (tx) => {
    const found = await lockServer(tx, id, context);
    const isUsed = found.proxies.some(({ removedAt }) => removedAt === null);
    if (isUsed || (await stillServes(tx, found))) throw new AppError('server_not_empty');
    await tx.audit(auditOfServer(found.server));
    await removeServer(tx, found);
    return found;
  });
  announceServer(context.nc, locked);
  return null;
};
