import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';

/** Whom passkeys are made for: the panel at its public address, whatever a request says. */
export interface RelyingParty {
  /** RP ID */
  readonly host: string;
  readonly origin: string;
}

/** @throws AppError `passkeys_unavailable` */
export function relyingPartyOf({
  passkeyHost: host,
  publicUrl,
}: Pick<AuthContext, 'passkeyHost' | 'publicUrl'>): RelyingParty {
  if (host === null || publicUrl === undefined) throw new AppError('passkeys_unavailable');
  return { host, origin: new URL(publicUrl).origin };
}
