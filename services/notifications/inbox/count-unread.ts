import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { unreadOf } from './sql.ts';

/** How many of one's notifications are unread. */
export const countUnread: Verb<
  Routes['GET /api/user/notifications/unread-count'],
  NotificationsContext
> = async ({ reads, actor }) => unreadOf(reads, actor.userId);
