import type { AccessPolicy } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesSettings } from '../settings.ts';

/** @throws AppError `access_unavailable`, `access_sign_in_unavailable` where this installation would not enforce the policy */
export function refuseNotEnforced(policy: AccessPolicy, settings: ProxiesSettings): void {
  // Cloudflare would let everyone in, whatever the policy says.
  if (settings.TUNNEL_PROVIDER === 'cloudflare') throw new AppError('access_unavailable');
  const asksForSignIn = policy.kind === 'wall' && policy.methods.includes('member');
  if (asksForSignIn && settings.PUBLIC_URL === undefined) throw new AppError('access_sign_in_unavailable');
}
