import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { lockChannel } from './sql.ts';

/** Deletes a channel and what was sent to it. */
export const deleteChannel: Verb<Routes['DELETE /api/user/channels/:id'], NotificationsContext> = (
  context,
  { id },
) => {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    const { name } = await lockChannel(tx.sql, id, userId);
    await tx.sql`delete from channels where id = ${id}`;
    await tx.audit({ target: { kind: 'channel', id, label: name }, subjectUserId: userId });
    tx.invalidate(userId);
    return null;
  });
};
