import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { saveProxy } from '../proxy/row.ts';
import { announceServer } from '../server/announce.ts';
import { auditOfServer } from '../server/audited.ts';
import { findServer, lockServer } from '../server/find.ts';
import { shownServer } from '../server/public.ts';
import { saveServer } from '../server/row.ts';
import { refuseSuspendedServer } from '../server/suspension.ts';
import { refuseWhileUpgrading } from '../server/upgrade.ts';
import { withFreshProjections } from '../users/fresh.ts';

/** Renames a server. What somebody has named they want to keep: it is a machine from then on. */
export const updateServer: Verb<Routes['PUT /api/servers/:id'], ProxiesContext> = async (
  context,
  { id, name, expected },
) => {
  const { actor } = context;
  const { userId } = (await findServer(context.reads, id, context)).row;
  const rename = async (tx: Tx) => {
    const locked = await lockServer(tx, id, context);
    const before = locked.server;
    refuseSuspendedServer(locked, actor);
    refuseEditConflict(expected, { name: before.name });
    if (before.kind === 'implicit') await refuseWhileUpgrading(tx);
    await saveServer(tx, locked, { name, kind: 'machine' });
    // Their snapshots have its name.
    for (const row of locked.proxies) await saveProxy(tx, row);
    await tx.audit({
      ...auditOfServer(locked.server),
      changes: changesBetween({ name: before.name }, { name }),
    });
    return locked;
  };
  const locked = await withFreshProjections(context, userId, () => context.transaction(rename));
  announceServer(context.nc, locked);
  return shownServer(context.reads, locked.server, actor);
};
