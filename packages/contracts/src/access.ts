import type { Actor } from './actor.ts';
import type { ErrorCode } from './errors.ts';

/** Who may make a call: anybody, signed-in users, administrators. */
export type Access = 'public' | 'user' | 'admin';

/** What the id in a path may name. `administrators`: they reach those of all users, as the owner does. */
export const resources = {
  proxy: { administrators: true },
  user: { administrators: true },
  session: { administrators: false },
  mail: { administrators: true },
  invitation: { administrators: true },
  announcement: { administrators: true },
  channel: { administrators: false },
  delivery: { administrators: false },
  passkey: { administrators: false },
} as const satisfies Record<string, { readonly administrators: boolean }>;

export type Resource = keyof typeof resources;

/** What the contract says about who may make a call. */
export interface CallAccess {
  readonly access: Access;
  /** Open to users who still have to set up the second factor that SECOND_FACTOR asks of them. */
  readonly withoutFactor?: boolean;
}

/** Whether a call is closed to users who still have to set up the second factor that SECOND_FACTOR asks of them. */
export function needsFactor({ access, withoutFactor }: CallAccess): boolean {
  return access !== 'public' && !withoutFactor;
}

/** The error of a call that the actor may not make, whatever its input; null: they may make it. */
export function accessError(
  call: CallAccess,
  actor: Pick<Actor, 'isAdmin' | 'lacksFactor'> | null,
): Extract<ErrorCode, 'not_signed_in' | 'forbidden' | 'second_factor_missing'> | null {
  if (call.access === 'public') return null;
  if (!actor) return 'not_signed_in';
  if (call.access === 'admin' && !actor.isAdmin) return 'forbidden';
  return actor.lacksFactor && needsFactor(call) ? 'second_factor_missing' : null;
}

/** How long a sign-in or a step-up counts as a recent one. */
const stepUpLifetimeMs = 10 * 60_000;

/** Whether the actor’s last sign-in or step-up is too old for a call with `stepUp`. */
export function needsStepUp({ provedAt = 0 }: Pick<Actor, 'provedAt'>, now = Date.now()): boolean {
  return provedAt < now - stepUpLifetimeMs;
}

/** Whether a call is closed to people without a verified address where EMAIL_REQUIRED is on: it lists the error they then get. */
export function needsEmail(errors: readonly ErrorCode[]): boolean {
  return errors.includes('email_unverified');
}

/** Whether a call is closed to people whose account is suspended: it lists the error they then get. */
export function isClosedToSuspended(errors: readonly ErrorCode[]): boolean {
  return errors.includes('account_suspended');
}

/** Whether somebody reaches what belongs to a user. To whom does not, it must look as if it did not exist. */
export function mayReach(
  resource: Resource,
  ownerId: number,
  actor: Pick<Actor, 'userId' | 'isAdmin'>,
): boolean {
  return ownerId === actor.userId || (actor.isAdmin && resources[resource].administrators);
}
