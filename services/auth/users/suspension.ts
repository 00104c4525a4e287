import type { Actor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { changesBetween } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { watchProjections } from '@talpa/service-kit/events/watch';
import type { AuthContext } from '../context.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { emitUser, findUser, lockAsAdministrator, type UserRow } from './sql.ts';

type Suspension = Pick<UserRow, 'suspendedAt' | 'suspensionReason'>;

/**
 * Stores what `decide` makes of a user's suspension, and waits until their proxies know of it (or a second has
 * passed: the event is not lost). It runs while no administrator can go or come.
 * @throws AppError `not_found`, `step_up_required` for an administrator
 */
export async function saveSuspension(
  context: AuthContext & { readonly actor: Actor },
  userId: number,
  decide: (tx: Tx, row: UserRow) => Promise<Suspension>,
): Promise<UserRow> {
  const watch = await watchProjections(context, 'user', userId, ['proxies']);
  try {
    const saved = await context.transaction(async (tx) => {
      await lockAsAdministrator(tx.sql, context.actor);
      const row = await findUser(tx.sql, userId);
      if (!row) throw new AppError('not_found');
      if (row.isAdmin) requireStepUp(context.actor);
      const { suspendedAt, suspensionReason } = await decide(tx, row);
      const [changed] = await tx.sql<{ version: number }[]>`
        update users set suspended_at = ${suspendedAt}, suspension_reason = ${suspensionReason},
          version = version + 1
        where id = ${userId} returning version`;
      if (!changed) throw new AppError('not_found');
      const next = { ...row, suspendedAt, suspensionReason, ...changed };
      await emitUser(tx, next);
      if (row.suspensionReason !== suspensionReason)
        await tx.audit({
          target: { kind: 'user', id: userId, label: row.username },
          subjectUserId: userId,
          changes: changesBetween({ reason: row.suspensionReason }, { reason: suspensionReason }),
        });
      tx.invalidate(userId);
      return next;
    });
    await context.whileWaiting(watch.reached((snapshot) => snapshot.version >= saved.version));
    return saved;
  } finally {
    watch.close();
  }
}
