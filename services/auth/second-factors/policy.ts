import { type Actor, asksForFactor, needsStepUp } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { AuthContext } from '../context.ts';
import { countPasskeys } from '../passkeys/sql.ts';
import { hasApp } from './sql.ts';

/**
 * Where SECOND_FACTOR asks for a second factor the password alone is not enough for users whose only one is a passkey.
 * @throws AppError `passkey_required`
 */
export async function refusePasswordAlone(
  sql: AnySql,
  context: Pick<AuthContext, 'factorPolicy' | 'passkeyHost'>,
  { id, isAdmin }: { readonly id: number; readonly isAdmin: boolean },
): Promise<void> {
  if (!asksForFactor(context.factorPolicy, { isAdmin }) || (await hasApp(sql, id))) return;
  if ((await countPasskeys(sql, context, id)) > 0) throw new AppError('passkey_required');
}

/**
 * For verbs that take the password: it is enough for users without a second factor.
 * @throws AppError `step_up_required`
 */
export async function requireStepUpWithFactor({
  sql,
  actor,
}: AuthContext & { readonly actor: Actor }): Promise<void> {
  if (needsStepUp(actor) && (await hasApp(sql, actor.userId))) throw new AppError('step_up_required');
}
