import { type AccessPolicy, tunnelProviders } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesSettings } from '../settings.ts';

/** Whether proxies can be closed to all who have no account here. */
export const canProtect = (settings: Pick<ProxiesSettings, 'TUNNEL_PROVIDER' | 'PUBLIC_URL'>): boolean =>
  tunnelProviders[settings.TUNNEL_PROVIDER].accessPolicies && settings.PUBLIC_URL !== undefined;

/** @throws AppError `access_unavailable`, `access_sign_in_unavailable`, `access_email_unavailable` where this installation would not enforce the policy */
export function refuseNotEnforced(policy: AccessPolicy, settings: ProxiesSettings): void {
  // Cloudflare would let everyone in, whatever the policy says.
  if (!tunnelProviders[settings.TUNNEL_PROVIDER].accessPolicies) throw new AppError('access_unavailable');
  const methods = policy.kind === 'wall' ? policy.methods : [];
  if (methods.includes('member') && settings.PUBLIC_URL === undefined)
    throw new AppError('access_sign_in_unavailable');
  if (methods.includes('email') && settings.MAIL_FROM === undefined)
    throw new AppError('access_email_unavailable');
}
