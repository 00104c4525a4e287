import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy, lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { auditedPort, comparedPort } from './audited.ts';
import { rangeOf } from './availability.ts';
import { findGamePort, publicGamePort } from './row.ts';
import { refuseLoop, refuseName } from './target.ts';
import { useOf } from './traffic.ts';

/** Changes where a game port leads, and who may connect: for new connections, and for those that are open. */
export const updateGamePort: Verb<
  Routes['PUT /api/tunnel-configs/:id/ports/:portId'],
  ProxiesContext
> = async (context, { id, portId, expected, ...input }) => {
  const { actor, settings } = context;
  const proxy = await findProxy(context.reads, id, context);
  rangeOf(settings);
  await findGamePort(context.reads, portId, id);
  await refuseLoop(proxy, input.targetPort, settings);
  const save = async (tx: Tx) => {
    const row = await lockProxy(tx, id, context);
    refuseSuspended(row, actor);
    const before = await findGamePort(tx.sql, portId, id);
    refuseEditConflict(expected && comparedPort(expected), comparedPort(before));
    refuseName(row);
    const after = { ...before, ...input };
    const changes = changesBetween(auditedPort(before), auditedPort(after));
    await tx.sql`
      update game_ports set target_port = ${input.targetPort}, preset = ${input.preset}, rules = ${tx.sql.json(input.rules)},
        proxy_protocol = ${input.proxyProtocol}
      where id = ${portId}`;
    await saveProxy(tx, row);
    await tx.audit({ ...auditOf(row), changes: { gamePort: { to: before.publicPort }, ...changes } });
    return { row, after };
  };
  const { row, after } = await withFreshProjections(context, proxy.userId, () => context.transaction(save));
  const use = await useOf(context.sql, [after]);
  return publicGamePort(after, row, settings, use.get(portId));
};
