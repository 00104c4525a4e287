import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';

/** How notifications can leave the panel. */
export const getChannels: Verb<
  Routes['GET /api/user/notifications/channels'],
  NotificationsContext
> = async ({ smtp }) => ({ email: smtp !== null });
