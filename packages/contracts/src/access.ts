import type { ActingKey, Actor } from './actor.ts';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/** Who may make a call: anybody, signed-in users, administrators. */
export type Access = 'public' | 'user' | 'admin';

/** What the id in a path may name. `administrators`: they reach those of all users, as the owner does. */
export const resources = {
  proxy: { administrators: true },
  server: { administrators: true },
  user: { administrators: true },
  session: { administrators: false },
  mail: { administrators: true },
  proxyInvitation: { administrators: false },
  invitation: { administrators: true },
  announcement: { administrators: true },
  channel: { administrators: false },
  delivery: { administrators: false },
  installationChannel: { administrators: true },
  installationDelivery: { administrators: true },
  passkey: { administrators: false },
  apiKey: { administrators: false },
  enrolmentKey: { administrators: false },
  identity: { administrators: false },
} as const satisfies Record<string, { readonly administrators: boolean }>;

export type Resource = keyof typeof resources;

/** What the contract says about who may make a call. */
export interface CallAccess {
  readonly access: Access;
  readonly scope: Scope | null;
  /** Open to users who still have to set up the second factor that SECOND_FACTOR asks of them. */
  readonly withoutFactor?: boolean;
}

/** Whether a call is closed to users who still have to set up the second factor that SECOND_FACTOR asks of them. */
export function needsFactor({
  access,
  withoutFactor,
}: Pick<CallAccess, 'access' | 'withoutFactor'>): boolean {
  return access !== 'public' && !withoutFactor;
}

export type AccessError = Extract<
  ErrorCode,
  'not_signed_in' | 'forbidden' | 'session_required' | 'scope_missing' | 'second_factor_missing'
>;

/** The error of a call that the actor may not make, whatever its input; null: they may make it. */
export function accessError(
  call: CallAccess,
  actor: Pick<Actor, 'isAdmin' | 'lacksFactor' | 'apiKey'> | null,
): AccessError | null {
  if (actor?.apiKey && call.scope === null) return 'session_required';
  if (call.access === 'public') return null;
  if (!actor) return 'not_signed_in';
  if (call.access === 'admin' && !actor.isAdmin) return 'forbidden';
  if (actor.apiKey && !hasScope(actor.apiKey, call.scope)) return 'scope_missing';
  return actor.lacksFactor && needsFactor(call) ? 'second_factor_missing' : null;
}

/** How long a sign-in or a step-up counts as a recent one. */
const stepUpLifetimeMs = 10 * 60_000;

/** Whether the actor’s last sign-in or step-up is too old for a call with `stepUp`. */
export function needsStepUp({ provedAt = 0 }: Pick<Actor, 'provedAt'>, now = Date.now()): boolean {
  return provedAt < now - stepUpLifetimeMs;
}

/** Whether a call is closed to users without a verified address where EMAIL_REQUIRED is on: it lists the error they then get. */
export function needsEmail(errors: readonly ErrorCode[]): boolean {
  return errors.includes('email_unverified');
}

/** Whether a call is closed to users whose account is suspended: it lists the error they then get. */
export function isClosedToSuspended(errors: readonly ErrorCode[]): boolean {
  return errors.includes('account_suspended');
}

const hasScope = ({ scopes }: ActingKey, scope: Scope | null) => scope !== null && scopes.includes(scope);

/**
 * What somebody is to a proxy, if they are no member or more than one; null: nothing.
 * @param proxy its id, and its owner's
 */
export function ownRoleOn(proxy: { id: number; userId: number }, actor: Actor): 'owner' | null {
  if (!mayKeyReach(proxy.id, actor)) return null;
  const isOwner = proxy.userId === actor.userId;
  return isOwner || (resources.proxy.administrators && administersProxies(actor)) ? 'owner' : null;
}

/** Whether an API key, if one acts, is not limited to other proxies. */
export function mayKeyReach(proxyId: number, { apiKey }: Actor): boolean {
  return !apiKey?.proxyIds || apiKey.proxyIds.includes(proxyId);
}

/** Whether somebody acts on proxies as an administrator: an administrator’s key does only with its own scope for it. */
export function administersProxies({ isAdmin, apiKey }: Actor): boolean {
  return isAdmin && (!apiKey || hasScope(apiKey, 'admin:proxies'));
}
