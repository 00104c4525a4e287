import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxies/audited.ts';
import { lockProxy } from '../proxies/find.ts';
import { saveProxy } from '../proxies/row.ts';
import { closeGamePorts } from './close.ts';
import { findGamePort } from './row.ts';

/** Closes a game port. Its public port stays reserved for some days. */
export const removeGamePort: Verb<
  Routes['DELETE /api/tunnel-configs/:id/ports/:portId'],
  ProxiesContext
> = async (context, { id, portId }) => {
  await context.transaction(async (tx) => {
    const row = await lockProxy(tx, id, context);
    const { publicPort } = await findGamePort(tx.sql, portId, id);
    await closeGamePorts(tx, id, portId);
    await saveProxy(tx, row);
    await tx.audit({ ...auditOf(row), changes: { gamePort: { from: publicPort } } });
  });
  return null;
};
