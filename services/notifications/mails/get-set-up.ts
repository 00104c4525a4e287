import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';

/** Whether emails are sent. */
export const getMailSetUp: Verb<Routes['GET /api/admin/mail-setup'], NotificationsContext> = async ({
  smtp,
}) => ({ isSetUp: smtp !== null, from: smtp?.from ?? null });
