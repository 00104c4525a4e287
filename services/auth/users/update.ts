import type { Routes, User, Verb } from '@talpa/contracts';
import { usernameKey } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { orderEntitlement } from '../entitlements/order.ts';
import { voidResetTokens } from '../one-time-tokens/sql.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { endOtherSessions } from '../sessions/sql.ts';
import {
  emitUser,
  findUser,
  hasOtherAdministrator,
  holdName,
  lockAsAdministrator,
  publicUser,
  type UserRow,
} from './sql.ts';

/** An administrator changes a user. A new password ends their sessions, a changed flag acts at once. */
export const updateUser: Verb<Routes['PUT /api/admin/users/:id'], AuthContext> = async (context, input) => {
  // A password signs in, which no API key may bring about for an account that exists.
  if (input.password && context.actor.apiKey) throw new AppError('session_required');
  const passwordHash = input.password
    ? await context.whileWaiting(context.passwords.hash(input.password))
    : null;
  await orderEntitlement(context, input.id, async (tx) => {
    await lockAsAdministrator(tx.sql, context.actor);
    const before = await findUser(tx.sql, input.id);
    // Also of the administrator's own account: this call sets a password without the current one.
    if (before && (before.isAdmin || input.isAdmin)) requireStepUp(context.actor);
    if (before) refuseEditConflict(input.expected, auditedState(publicUser(before)));
    if (!input.isAdmin) await keepAnAdministrator(tx, input.id);
    // A name that was given before look-alikes were refused may stay.
    if (before && before.username !== input.username) await rename(tx, input);
    const user = await changeRow(tx, { ...input, passwordHash });
    // A link for a user could be made without a step-up; one that opens an administrator's account takes it.
    if (passwordHash || input.isAdmin) await voidResetTokens(tx, input.id);
    if (passwordHash) {
      await endOtherSessions(tx, { userId: input.id, sessionId: context.actor.sessionId });
    }
    await emitUser(tx, user);
    await tx.audit({
      target: { kind: 'user', id: input.id, label: user.username },
      subjectUserId: input.id,
      changes: {
        ...(before ? changesBetween(auditedState(publicUser(before)), auditedState(input)) : {}),
        ...(passwordHash ? { password: {} } : {}),
      },
    });
    tx.invalidate(input.id);
    return {
      userId: input.id,
      tier: input.subscriptionTier,
      proxyLimit: input.proxyLimit,
      version: user.version,
    };
  });
  const user = await findUser(context.sql, input.id);
  if (!user) throw new AppError('not_found');
  return { ...publicUser(user), subscriptionTier: input.subscriptionTier, proxyLimit: input.proxyLimit };
};

type AuditedField = 'username' | 'isAdmin' | 'subscriptionTier' | 'proxyLimit';

const auditedState = ({
  username,
  isAdmin,
  subscriptionTier,
  proxyLimit,
}: Pick<User, AuditedField>): Pick<User, AuditedField> => ({
  username,
  isAdmin,
  subscriptionTier,
  proxyLimit,
});

async function keepAnAdministrator(tx: Tx, userId: number): Promise<void> {
  const [row] = await tx.sql<{ isAdmin: boolean }[]>`select is_admin from users where id = ${userId}`;
  if (row?.isAdmin && !(await hasOtherAdministrator(tx.sql, userId)))
    throw new AppError('last_administrator');
}

interface Change {
  readonly id: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly passwordHash: string | null;
}

/** @throws AppError `username_taken`, `username_similar` */
async function rename(tx: Tx, { id, username }: Pick<Change, 'id' | 'username'>): Promise<void> {
  const skeletons = await holdName(tx, { id, username });
  await tx.sql`
    update users set username = ${username}, username_key = ${usernameKey(username)}, skeletons = ${skeletons}
    where id = ${id}`;
}

async function changeRow(tx: Tx, change: Change): Promise<UserRow> {
  const [row] = await tx.sql<UserRow[]>`
    update users set is_admin = ${change.isAdmin},
      password_hash = coalesce(${change.passwordHash}, password_hash),
      has_password = has_password or ${change.passwordHash !== null}, version = version + 1
    where id = ${change.id}
    returning id, username, is_admin, created_at, version, suspended_at, suspension_reason, preferences`;
  if (!row) throw new AppError('not_found');
  return row;
}
