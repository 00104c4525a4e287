import { preferences, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import type { AuthContext } from '../context.ts';
import { lockUser } from '../users/sql.ts';
import { publishPreferences } from './publish.ts';

/** Turns notifications by email off, and nothing else. Doing it again changes nothing. */
export const unsubscribe: Verb<Routes['POST /api/unsubscription'], AuthContext> = async (
  context,
  { token },
) => {
  const userId = await context.transaction(async (tx) => {
    const [address] = await tx.sql<{ userId: number }[]>`
      select user_id from email_addresses
      where unsubscribe_token = ${token} and verified_at is not null and ended_at is null`;
    const user = address && (await lockUser(tx, address.userId));
    if (!user) throw new AppError('unsubscribe_link_invalid');
    const { userId: id } = address;
    const [row] = await tx.sql<{ preferences: object }[]>`select preferences from users where id = ${id}`;
    const stored = preferences.parse({ ...row?.preferences, email: '' });
    if (!stored.notifications.email) return id;
    const { email: _apart, ...others } = stored;
    const wanted = { ...others, notifications: { ...stored.notifications, email: false } };
    await tx.sql`update users set preferences = ${tx.sql.json(wanted)} where id = ${id}`;
    await publishPreferences(tx, id);
    await tx.audit({
      actor: { userId: id, isAdmin: user.isAdmin, sessionId: null },
      target: { kind: 'user', id, label: user.username },
      subjectUserId: id,
      changes: { notifications: {} },
    });
    tx.invalidate(id);
    return id;
  });
  context.nc.publish(preferencesSubject(userId));
  return null;
};
