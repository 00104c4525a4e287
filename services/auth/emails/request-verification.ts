import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { lockUser } from '../users/sql.ts';
import { orderVerification } from './order-verification.ts';
import { findEmails } from './sql.ts';

/** Sends the link that verifies the user's address again; also to a verified one that emails did not reach. */
export const requestEmailVerification: Verb<
  Routes['POST /api/user/email-verification'],
  AuthContext
> = async (context) => {
  const { userId } = context.actor;
  await context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    const { verified, unverified } = await findEmails(tx.sql, userId);
    const address = unverified ?? (verified?.isUndeliverable ? verified : undefined);
    if (!address) throw new AppError('email_verified');
    await tx.sql`update users set language = ${context.language} where id = ${userId}`;
    await orderVerification(tx, userId, address);
    await tx.audit({
      target: { kind: 'user', id: userId, label: user.username },
      subjectUserId: userId,
    });
  });
  return null;
};
