import type { Actor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { seal, unseal } from '@talpa/service-kit/sealed-secret';
import type { AuthContext } from '../context.ts';
import { newTotpSecret } from './totp.ts';

/** A set-up that nobody has finished is forgotten after this. */
const pendingHours = 24;

type Keys = Pick<AuthContext, 'factorKeys'>;
type Session = Pick<Actor, 'userId' | 'sessionId'>;

const isRecent = (sql: AnySql) => sql`created_at > now() - ${`${pendingHours} hours`}::interval`;

/** The secret that a session was given for an app, as bytes; null: none, or too long ago. */
export async function findPending(sql: AnySql, { factorKeys }: Keys, { userId, sessionId }: Session) {
  const [row] = await sql<{ secret: Buffer; keyId: string }[]>`
    select secret, key_id from pending_authenticators
    where session_id = ${sessionId} and user_id = ${userId} and ${isRecent(sql)}`;
  return row ? unseal(factorKeys, 'FACTOR_KEYS', String(sessionId), row) : null;
}

/** Gives a session a secret for an app. @throws AppError `not_signed_in` when the session has ended */
export async function makePending(
  tx: Tx,
  { factorKeys }: Keys,
  { userId, sessionId }: Session,
): Promise<Buffer> {
  const secret = newTotpSecret();
  const sealed = seal(factorKeys, String(sessionId), secret);
  const { count } = await tx.sql`
    insert into pending_authenticators (session_id, user_id, secret, key_id)
    select id, user_id, ${sealed.secret}, ${sealed.keyId} from sessions
    where id = ${sessionId} and user_id = ${userId} for key share
    on conflict (session_id) do update set
      secret = excluded.secret, key_id = excluded.key_id, created_at = excluded.created_at`;
  if (count === 0) throw new AppError('not_signed_in');
  return secret;
}

/** Whether an app of a user waits to be confirmed; of one session, where it is named. */
export async function hasPending(sql: AnySql, userId: number, sessionId: string | null): Promise<boolean> {
  const [row] = await sql`
    select 1 from pending_authenticators
    where user_id = ${userId} and (${sessionId}::uuid is null or session_id = ${sessionId}) and ${isRecent(sql)}`;
  return row !== undefined;
}

export async function endPending(sql: AnySql, userId: number): Promise<void> {
  await sql`delete from pending_authenticators where user_id = ${userId}`;
}

export async function deleteOldPending(sql: AnySql): Promise<void> {
  await sql`delete from pending_authenticators where not (${isRecent(sql)})`;
}
