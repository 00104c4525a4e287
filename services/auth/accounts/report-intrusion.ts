import { randomBytes, randomUUID } from 'node:crypto';
import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { revokeApiKeyAnnouncedBy } from '../api-keys/sql.ts';
import type { AuthContext } from '../context.ts';
import { takeBackAddress } from '../emails/sql.ts';
import { removeIdentityAnnouncedBy } from '../identities/sql.ts';
import { orderToken, requireToken, type Token, useToken, voidTokens } from '../one-time-tokens/sql.ts';
import { removePasskeyAnnouncedBy } from '../passkeys/sql.ts';
import { removeAppAnnouncedBy } from '../second-factors/sql.ts';
import { forgetDevices } from '../sessions/devices.ts';
import { endAllSessions } from '../sessions/sql.ts';
import { lockUser } from '../users/sql.ts';

const purpose = 'not_me';

/**
 * A user received an email about a sign-in or a change that was not theirs. All sessions end, the password is void, and the address
 * that received it counts again. Everything that another address got is void too, so that nobody can do the same from there.
 * A second factor, API key or identity is removed only if this email or a later one to the same address announced it: their reader could
 * report each. Earlier ones stay: otherwise a mailbox would be enough to get past them.
 * A reset link goes to the address: who reads its emails now opens the account again.
 */
export const reportIntrusion: Verb<Routes['POST /api/intrusion-report'], AuthContext> = async (
  context,
  { token },
) => {
  const found = await requireToken(context.sql, token, purpose);
  const { userId, addressId } = found;
  const nobodys = randomBytes(32).toString('base64url');
  const passwordHash = await context.whileWaiting(context.passwords.hash(nobodys));
  await context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_me_link_invalid');
    await useToken(tx, found, purpose);
    await tx.sql`update users set password_hash = ${passwordHash}, has_password = false where id = ${userId}`;
    await endAllSessions(tx, userId);
    await forgetDevices(tx, userId);
    for (const other of ['reset_password', 'verify_email'] as const) await voidTokens(tx, userId, other);
    await tx.sql`
      update one_time_tokens set voided_at = now()
      where user_id = ${userId} and purpose = ${purpose} and address_id <> ${addressId} and used_at is null`;
    const mailIds = await announcedSince(tx, found);
    const app = await removeAppAnnouncedBy(tx, userId, mailIds);
    const passkey = await removePasskeyAnnouncedBy(tx, userId, mailIds);
    const apiKey = await revokeApiKeyAnnouncedBy(tx, userId, mailIds);
    const identity = await removeIdentityAnnouncedBy(tx, userId, mailIds);
    const counts = await takeBackAddress(tx, userId, addressId);
    await tx.audit({
      actor: { userId, isAdmin: user.isAdmin, sessionId: null },
      target: { kind: 'user', id: userId, label: user.username },
      subjectUserId: userId,
      changes: {
        password: {},
        ...(app ? { authenticator: {} } : {}),
        ...(passkey ? { passkey: {} } : {}),
        ...(apiKey ? { apiKey: {} } : {}),
        ...(identity ? { identity: {} } : {}),
      },
    });
    if (!counts) return;
    const id = randomUUID();
    await orderToken(tx, { id, userId, purpose: 'reset_password', addressId });
    await tx.command('notifications.sendMail', {
      id,
      userId,
      at: new Date().toISOString(),
      mail: { kind: 'reset_password', params: {} },
    });
  });
  return null;
};

/** The emails that a report takes back: the one it answers, and those that came to the same address after it. */
async function announcedSince(tx: Tx, { id, userId, addressId }: Token & { readonly addressId: number }) {
  const rows = await tx.sql<{ id: string }[]>`
    select later.id from one_time_tokens as later, one_time_tokens as this
    where this.id = ${id} and later.user_id = ${userId} and later.purpose = ${purpose}
      and later.address_id = ${addressId} and later.created_at >= this.created_at`;
  return rows.map((row) => row.id);
}
