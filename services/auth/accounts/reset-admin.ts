import type { InternalCalls, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { changesBetween } from '@talpa/service-kit/database/changes';
import type { AuthContext } from '../context.ts';
import { removeIdentities } from '../identities/sql.ts';
import { voidResetTokens } from '../one-time-tokens/sql.ts';
import { removedChanges, removeFactors } from '../second-factors/sql.ts';
import { endAllSessions } from '../sessions/sql.ts';
import { emitUser, findUserByName, type UserRow } from '../users/sql.ts';

/**
 * The operator lets somebody in again: new password, administrator's rights, no
 * suspension, no second factor, no linked identity, every open session ended.
 */
export const resetAdmin: Verb<InternalCalls['auth.resetAdmin'], AuthContext> = async (context, input) => {
  const user = await findUserByName(context.sql, input.username);
  if (!user) throw new AppError('not_found');
  const passwordHash = await context.whileWaiting(context.passwords.hash(input.password));
  await context.transaction(async (tx) => {
    const [row] = await tx.sql<UserRow[]>`
      update users set password_hash = ${passwordHash}, has_password = true, is_admin = true, suspended_at = null,
        suspension_reason = null, version = version + 1
      where id = ${user.id} returning id, username, is_admin, created_at, version, suspended_at, suspension_reason,
        preferences`;
    if (!row) throw new AppError('not_found');
    await voidResetTokens(tx, user.id);
    const removed = await removeFactors(tx, user.id);
    const identities = await removeIdentities(tx, user.id);
    await endAllSessions(tx, user.id);
    await emitUser(tx, row);
    await tx.audit({
      target: { kind: 'user', id: user.id, label: row.username },
      subjectUserId: user.id,
      changes: {
        password: {},
        ...removedChanges(removed),
        ...(identities > 0 ? { identities: { from: identities, to: 0 } } : {}),
        ...changesBetween(
          { isAdmin: user.isAdmin, reason: user.suspensionReason },
          { isAdmin: true, reason: null },
        ),
      },
    });
  });
  return null;
};
