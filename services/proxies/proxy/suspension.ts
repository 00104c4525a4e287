import { type Actor, administersProxies, type ProxyConfig, type Suspension } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';

/** A proxy's own suspension and its owner's, as its row keeps them. */
export interface Suspensions {
  readonly suspendedAt: Date | null;
  readonly suspensionReason: string | null;
  readonly ownerSuspendedAt: Date | null;
  readonly ownerSuspensionReason: string | null;
}

/** Why a proxy is suspended, its owner's suspension before its own; null when it is not. */
export function suspensionOf(row: Suspensions): ProxyConfig['suspension'] {
  const { ownerSuspendedAt, ownerSuspensionReason } = row;
  if (ownerSuspendedAt)
    return { of: 'user', since: ownerSuspendedAt.toISOString(), reason: ownerSuspensionReason ?? '' };
  const own = ownSuspensionOf(row);
  return own && { of: 'proxy', ...own };
}

/** Why the proxy itself is suspended, whatever its owner is. */
export function ownSuspensionOf({ suspendedAt, suspensionReason }: Suspensions): Suspension | null {
  return suspendedAt && { since: suspendedAt.toISOString(), reason: suspensionReason ?? '' };
}

/** Refuses what may not be done with a suspended proxy. @throws AppError `account_suspended`, `proxy_suspended` */
export function refuseSuspended(row: Suspensions, actor: Actor): void {
  const suspension = suspensionOf(row);
  if (!suspension || administersProxies(actor)) return;
  const { of, reason } = suspension;
  throw new AppError(of === 'user' ? 'account_suspended' : 'proxy_suspended', { params: { reason } });
}
