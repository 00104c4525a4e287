import type { ErrorCode, Routes, SessionActor, Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { provePasskey } from '../passkeys/prove.ts';
import { refusePasswordAlone } from '../second-factors/policy.ts';
import { proveOwnFactor } from '../second-factors/prove.ts';
import { hasApp } from '../second-factors/sql.ts';
import { proveOwnPassword } from '../users/prove-password.ts';
import { lockUser } from '../users/sql.ts';

/** The signed-in user proves their identity again: with a passkey, or a code if they have an app, otherwise with their password. */
export const stepUp: Verb<Routes['POST /api/user/step-up'], AuthContext> = async (context, input) => {
  try {
    return await proveAgain(context, input);
  } catch (error) {
    if (error instanceof AppError && failures.has(error.code))
      await context.transaction((tx) =>
        tx.audit({ ...entryOn(context.actor), action: 'session.failStepUp' }),
      );
    throw error;
  }
};

/** Something was wrong, and not merely missing. */
const failures: ReadonlySet<ErrorCode> = new Set(['wrong_password', 'wrong_code', 'passkey_refused']);

const entryOn = ({ userId, sessionId }: SessionActor) => ({
  target: { kind: 'session', id: sessionId, label: null } as const,
  subjectUserId: userId,
});

const proveAgain: typeof stepUp = async (context, { password, code, passkey }) => {
  const { actor } = context;
  const { userId, sessionId } = actor;
  if (passkey !== undefined) {
    const scope = { purpose: 'step_up', userId, sessionId } as const;
    await provePasskey(context, passkey, scope, (tx) => recordStepUp(tx, actor, true));
    return null;
  }
  if (await hasApp(context.sql, actor.userId)) {
    if (code === undefined) throw invalidField('code', 'required');
    await proveOwnFactor(context, code, (tx) => recordStepUp(tx, actor, true));
    return null;
  }
  await refusePasswordAlone(context.sql, context, { id: userId, isAdmin: actor.isAdmin });
  if (password === undefined) throw invalidField('password', 'required');
  await proveOwnPassword(context, 'password', password, ({ passwordHash }) =>
    context.transaction(async (tx) => {
      if (!(await lockUser(tx, actor.userId))) throw new AppError('not_signed_in');
      const [unchanged] = await tx.sql`
        select 1 from users where id = ${actor.userId} and password_hash = ${passwordHash}`;
      if (!unchanged) return null;
      // An app may have been confirmed in another tab meanwhile.
      if (await hasApp(tx.sql, actor.userId)) throw invalidField('code', 'required');
      await refusePasswordAlone(tx.sql, context, { id: userId, isAdmin: actor.isAdmin });
      await recordStepUp(tx, actor, false);
      return true;
    }),
  );
  return null;
};

async function recordStepUp(tx: Tx, actor: SessionActor, withFactor: boolean): Promise<void> {
  const { userId, sessionId } = actor;
  await tx.sql`
    update sessions set proved_at = now(), with_factor = with_factor or ${withFactor} where id = ${sessionId}`;
  await tx.audit(entryOn(actor));
  tx.invalidate(userId);
}
