import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { findGamePort } from './row.ts';

/** Closes a game port. Its public port stays reserved for some days. */
export const removeGamePort: Verb<
  Routes['DELETE /api/tunnel-configs/:id/ports/:portId'],
  ProxiesContext
> = async (context, { id, portId }) => {
  await context.transaction(async (tx) => {
    const row = await lockProxy(tx, id, context);
    const { publicPort } = await findGamePort(tx.sql, portId, id);
    await tx.sql`update game_ports set removed_at = now() where id = ${portId} and removed_at is null`;
    await saveProxy(tx, row);
    await tx.audit({ ...auditOf(row), changes: { gamePort: { from: publicPort } } });
  });
  return null;
};
