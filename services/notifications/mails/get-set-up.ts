import type { InternalCalls, MailSetUp, Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';

const setUpOf = ({ smtp }: NotificationsContext): MailSetUp => ({
  isSetUp: smtp !== null,
  from: smtp?.from ?? null,
});

/** Whether emails are sent. */
export const getMailSetUp: Verb<Routes['GET /api/admin/mail-setup'], NotificationsContext> = async (
  context,
) => setUpOf(context);

/** The same, for a service. */
export const readMailSetUp: Verb<InternalCalls['notifications.readMailSetUp'], NotificationsContext> = async (
  context,
) => setUpOf(context);
