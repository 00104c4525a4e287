import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy, lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { readPortLimit } from '../users/limits.ts';
import { allocatePort } from './allocate.ts';
import { auditedPort } from './audited.ts';
import { rangeOf } from './availability.ts';
import { countGamePorts, findGamePort, publicGamePort } from './row.ts';
import { refuseLoop, refuseName } from './target.ts';

/** Makes a TCP port of a proxy's server public. */
export const addGamePort: Verb<Routes['POST /api/tunnel-configs/:id/ports'], ProxiesContext> = async (
  context,
  { id, ...input },
) => {
  const { actor, settings } = context;
  const proxy = await findProxy(context.reads, id, context);
  const range = rangeOf(settings);
  refuseName(proxy);
  await refuseLoop(proxy, input.targetPort, settings);
  const insert = async (tx: Tx) => {
    const { userId } = proxy;
    // The owner before the proxy, as where a user is suspended: two that wait for each other would fail.
    const limit = await readPortLimit(tx.sql, userId, true);
    const row = await lockProxy(tx, id, context);
    refuseSuspended(row, actor);
    // The proxy may have been changed since.
    refuseName(row);
    if ((await countGamePorts(tx.sql, userId)) >= limit)
      throw new AppError('game_port_limit_reached', { params: { limit } });
    const added = await findGamePort(tx.sql, await allocatePort(tx, row, range, input), id);
    await saveProxy(tx, row);
    await tx.audit({
      ...auditOf(row),
      changes: { gamePort: { to: added.publicPort }, ...firstState(auditedPort(added)) },
    });
    return publicGamePort(added, row, settings);
  };
  return withFreshProjections(context, proxy.userId, () => context.transaction(insert));
};
