import { randomUUID } from 'node:crypto';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { type Tx, withTransaction } from '@talpa/service-kit/database/transaction';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { findEmails, findUserByEmail } from '../emails/sql.ts';
import { findUserByName } from '../users/sql.ts';
import { lockUser, orderToken, waitForMail } from './tokens.ts';

const lookEveryMs = 1_000;
const purpose = 'reset_password';

interface ResetRequest {
  readonly id: number;
  readonly account: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** Looks now and then who has forgotten their password, and orders the emails with their links. */
export function startResetRequests(base: ServiceBase, lifecycle: Lifecycle): void {
  const work = async (signal: AbortSignal) => {
    while (!signal.aborted && (await handleNext(base)));
  };
  lifecycle.every(lookEveryMs, work, { failed: 'requests for reset links could not be handled, retrying' });
}

/** @returns whether there was one */
async function handleNext(base: ServiceBase): Promise<boolean> {
  const [request] = await base.sql<ResetRequest[]>`select * from reset_requests order by id limit 1`;
  if (!request) return false;
  const { id, clientAddress: address, userAgent, requestId } = request;
  const author = {
    actor: null,
    audit: 'user.requestPasswordReset',
    client: { address, userAgent },
    requestId,
  } as const;
  await withTransaction(
    base,
    async (tx) => {
      // Another process may have been faster.
      const { count } = await tx.sql`delete from reset_requests where id = ${id}`;
      if (count > 0) await orderLink(tx, request.account);
    },
    author,
  );
  return true;
}

/** User names have no “@”. */
const findAccount = (sql: AnySql, account: string) =>
  account.includes('@') ? findUserByEmail(sql, account) : findUserByName(sql, account);

/** Nothing happens without such an account, without a verified address, and beyond the limit. */
async function orderLink(tx: Tx, account: string): Promise<void> {
  const user = await findAccount(tx.sql, account);
  if (!user || !(await lockUser(tx, user.id))) return;
  const { id: userId, username } = user;
  const { verified } = await findEmails(tx.sql, userId);
  if (!verified || (await waitForMail(tx.sql, { userId, purpose, addressKey: verified.addressKey })) > 0)
    return;
  const id = randomUUID();
  await orderToken(tx, { id, userId, purpose, addressId: verified.id });
  await tx.command('notifications.sendMail', {
    ...{ id, userId, at: new Date().toISOString() },
    mail: { kind: 'reset_password', params: {} },
  });
  await tx.audit({ target: { kind: 'user', id: userId, label: username }, subjectUserId: userId });
}
