import { randomUUID } from 'node:crypto';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { type Tx, withTransaction } from '@talpa/service-kit/database/transaction';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { findEmails, findUserByEmail } from '../emails/sql.ts';
import { orderToken, waitForMail } from '../one-time-tokens/sql.ts';
import { findUserByName, lockUser } from '../users/sql.ts';

const lookEveryMs = 1_000;
const purpose = 'reset_password';
/** How long a request waits after each failure. After the last one its user has asked again. */
const pauses = ['10 seconds', '1 minute', '5 minutes', '30 minutes'] as const;

interface ResetRequest {
  readonly id: number;
  readonly account: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly failures: number;
}

type Context = ServiceBase & Pick<Lifecycle, 'log'>;

/** Looks now and then who has forgotten their password, and orders the emails with their links. */
export function startResetRequests(base: ServiceBase, lifecycle: Lifecycle): void {
  const context = { ...base, log: lifecycle.log };
  const work = async (signal: AbortSignal) => {
    while (!signal.aborted && (await handleNext(context)));
  };
  lifecycle.every(lookEveryMs, work, { failed: 'requests for reset links could not be handled, retrying' });
}

/** @returns whether there was one */
async function handleNext(context: Context): Promise<boolean> {
  const [request] = await context.sql<ResetRequest[]>`
    select * from reset_requests where due_at <= now() order by due_at, id limit 1`;
  if (!request) return false;
  await handle(context, request).catch((error) => putOff(context, request, error));
  return true;
}

async function handle(context: Context, request: ResetRequest): Promise<void> {
  const { id, clientAddress: address, userAgent, requestId } = request;
  const author = {
    actor: null,
    audit: 'user.requestPasswordReset',
    client: { address, userAgent },
    requestId,
  } as const;
  await withTransaction(
    context,
    async (tx) => {
      // Another process may have been faster.
      const { count } = await tx.sql`delete from reset_requests where id = ${id}`;
      if (count > 0) await orderLink(tx, request.account);
    },
    author,
  );
}

/** One request that cannot be handled must not hold up the others: it is tried later, and given up in the end. */
async function putOff({ sql, log }: Context, request: ResetRequest, error: unknown): Promise<void> {
  const { id, failures, requestId } = request;
  const pause = pauses[failures];
  if (pause === undefined) {
    await sql`delete from reset_requests where id = ${id}`;
    log.error({ err: error, requestId }, 'request for a reset link given up: its user has to ask again');
    return;
  }
  await sql`
    update reset_requests set failures = failures + 1, due_at = now() + ${pause}::interval
    where id = ${id} and failures = ${failures}`;
  log.warn({ err: error, requestId, pause }, 'request for a reset link could not be handled, retrying');
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
    id,
    userId,
    at: new Date().toISOString(),
    mail: { kind: 'reset_password', params: {} },
  });
  await tx.audit({ target: { kind: 'user', id: userId, label: username }, subjectUserId: userId });
}
