import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { unreadOf } from './sql.ts';

/** Marks notifications of the caller as read; those of others, and those that are read already, stay as they are. */
export const markRead: Verb<Routes['POST /api/user/notifications/read'], NotificationsContext> = async (
  { transaction, actor },
  { ids = [], upTo = 0 },
) =>
  transaction(async (tx) => {
    const { userId } = actor;
    const { count } = await tx.sql`
      update inbox set read_at = now()
      where user_id = ${userId} and read_at is null and (id <= ${upTo} or id = any(${ids}::bigint[]))`;
    if (count > 0) tx.invalidate(userId);
    return unreadOf(tx.sql, userId);
  });
