import { type AuditChanges, type Preferences, preferences, type Routes, type Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { orderFirstVerification } from '../emails/order-verification.ts';
import { enterAddress, findEmails, shownAddress } from '../emails/sql.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { publishPreferences } from './publish.ts';

/** Saves all preferences of the caller. */
export const setPreferences: Verb<Routes['POST /api/user/preferences'], AuthContext> = async (
  context,
  { expected, ...given },
) => {
  const { userId } = context.actor;
  const saved = await context.transaction(async (tx) => {
    const [before] = await tx.sql<{ username: string; preferences: object }[]>`
      select username, preferences from users where id = ${userId} for update`;
    if (!before) throw new AppError('not_signed_in');
    const email = shownAddress(await findEmails(tx.sql, userId));
    const stored = preferences.parse({ ...before.preferences, email });
    if (expected && Object.keys(namesOfChanges(stored, expected)).length > 0)
      throw new AppError('edit_conflict');
    const typed = given.email ?? email;
    if (context.emailRequired && typed === '' && email !== '') throw invalidField('email', 'required');
    if (typed !== email) requireStepUp(context.actor);
    const { email: _apart, ...others } = given;
    await tx.sql`update users set preferences = ${tx.sql.json(others)}, language = ${context.language}
      where id = ${userId}`;
    const { entered, removed } = await enterAddress(tx, userId, typed);
    if (entered) await orderFirstVerification(tx, userId, entered);
    if (removed) {
      const params = { changedAt: new Date().toISOString() };
      await orderSecurityMail(tx, userId, { kind: 'email_changed', params }, removed);
    }
    if (differs(stored.notifications, given.notifications)) await publishPreferences(tx, userId);
    await tx.audit({
      target: { kind: 'user', id: userId, label: before.username },
      subjectUserId: userId,
      changes: namesOfChanges(stored, { ...given, email: typed }),
    });
    tx.invalidate(userId);
    return { ...given, email: typed };
  });
  // The cache is invalidated: a request that follows gets what was saved.
  context.nc.publish(preferencesSubject(userId));
  return saved;
};

const differs = (before: unknown, after: unknown) => JSON.stringify(before) !== JSON.stringify(after);

/** Which groups have changed: what somebody prefers is nobody's business. */
function namesOfChanges(before: Preferences, after: Preferences): AuditChanges {
  const names = Object.keys(after) as (keyof Preferences)[];
  return Object.fromEntries(
    names.filter((name) => differs(before[name], after[name])).map((name) => [name, {}]),
  );
}
