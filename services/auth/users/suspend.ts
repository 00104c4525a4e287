import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { AuthContext } from '../context.ts';
import { hasOtherAdministrator, publicUser } from './sql.ts';
import { saveSuspension } from './suspension.ts';

/**
 * An administrator suspends a user, who may still sign in, look, delete and leave. Their administrator's rights
 * rest meanwhile, their proxies follow by the event. Another reason leaves the date.
 */
export const suspendUser: Verb<Routes['POST /api/admin/users/:id/suspension'], AuthContext> = async (
  context,
  input,
) => {
  if (input.id === context.actor.userId) throw new AppError('self_suspension');
  const user = await saveSuspension(context, input.id, async (tx, row) => {
    refuseEditConflict(input.expected, { reason: row.suspensionReason });
    if (row.isAdmin && !(await hasOtherAdministrator(tx.sql, row.id)))
      throw new AppError('last_administrator');
    return { suspendedAt: row.suspendedAt ?? new Date(), suspensionReason: input.reason };
  });
  return publicUser(user);
};
