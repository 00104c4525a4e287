import type { Actor, Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import { recordRead } from '@talpa/service-kit/database/record-read';
import type { AuditEntry, Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy } from '../proxy/find.ts';
import { lags } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { announceServer } from '../server/announce.ts';
import { auditOfServer } from '../server/audited.ts';
import { findServer, lockForAll, lockServer } from '../server/find.ts';
import { type LockedServer, saveServer } from '../server/row.ts';
import { refuseSuspendedServer } from '../server/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';

type Caller = ProxiesContext & { readonly actor: Actor };

/** The connector's token, asked of the provider each time and kept by nobody. */
export const getTunnelToken: Verb<
  Routes['GET /api/tunnel-configs/:id/tunnel-token'],
  ProxiesContext
> = async (context, { id }) => {
  const { userId } = await findProxy(context.reads, id, { ...context, role: 'view' });
  return tokenOf(context, userId, async (tx) => {
    const { locked, row } = await lockForAll(tx, id, context);
    refuseSuspended(row, context.actor);
    return { locked, audit: auditOf(row), isComing: lags(row) && row.status !== 'error' };
  });
};

/** The same of a server. */
export const getServerToken: Verb<Routes['GET /api/servers/:id/tunnel-token'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { userId } = (await findServer(context.reads, id, context)).row;
  return tokenOf(context, userId, async (tx) => {
    const locked = await lockServer(tx, id, context);
    refuseSuspendedServer(locked, context.actor);
    return { locked, audit: auditOfServer(locked.server), isComing: lags(locked.server) };
  });
};

interface Readable {
  readonly locked: LockedServer;
  readonly audit: Pick<AuditEntry, 'target' | 'subjectUserId'>;
  /** A tunnel is being made. */
  readonly isComing: boolean;
}

/** @param find locks the server, for a caller who may read its token */
async function tokenOf(context: Caller, userId: number, find: (tx: Tx) => Promise<Readable>) {
  const read = (tx: Tx) =>
    find(tx).then(async (found) => {
      const { server } = found.locked;
      if (!server.applied) throw new AppError(found.isComing ? 'proxy_pending' : 'no_tunnel');
      const isNew = await markShared(tx, found.locked, context.actor);
      return { ...found, isNew, tunnelId: server.applied.tunnelId };
    });
  const { locked, audit, isNew, tunnelId } = await withFreshProjections(context, userId, () =>
    context.transaction(read),
  );
  if (isNew) announceServer(context.nc, locked);
  const token = await context.whileWaiting(
    callInternal(context.nc, 'tunnel-worker.getTunnelToken', { tunnelId }, context),
  );
  await recordRead(context, audit);
  return token;
}

/**
 * Notes that somebody gets a locked server's token who is not its owner: from then on no proxy joins. An API key that is limited to proxies
 * is somebody else: with the token it would reach those that join.
 * @returns whether that is new
 */
export async function markShared(
  tx: Tx,
  locked: LockedServer,
  { userId, apiKey }: { readonly userId: number; readonly apiKey?: Actor['apiKey'] },
): Promise<boolean> {
  const { server } = locked;
  if ((userId === server.userId && !apiKey?.proxyIds) || server.tokenSharedAt) return false;
  await saveServer(tx, locked, { tokenSharedAt: new Date() });
  return true;
}
