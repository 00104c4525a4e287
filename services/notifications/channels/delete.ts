import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext, SignedInContext } from '../context.ts';
import { aboutChannel, lockChannel, type Owner } from './sql.ts';

/** Deletes a channel and what was sent to it. */
export const deleteChannel: Verb<Routes['DELETE /api/user/channels/:id'], NotificationsContext> = (
  context,
  { id },
) => remove(context, id, context.actor.userId);

/** The same for the installation. */
export const deleteInstallationChannel: Verb<
  Routes['DELETE /api/admin/channels/:id'],
  NotificationsContext
> = (context, { id }) => remove(context, id, null);

function remove(context: SignedInContext, id: number, owner: Owner): Promise<null> {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    const { name } = await lockChannel(tx.sql, id, owner);
    await tx.sql`delete from channels where id = ${id}`;
    await tx.audit(aboutChannel(owner, id, name, userId));
    tx.invalidate(userId);
    return null;
  });
}
