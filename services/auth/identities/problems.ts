import type { ErrorCode } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Log } from '@talpa/service-kit/log';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

/** What the provider may say of itself in place of a code. */
const ownTrouble = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
]);
/** What the library says of a response that must not be believed. */
const untrue = new Set([
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_KEY_SELECTION_FAILED',
]);
const advice = {
  sign_in_provider_unavailable:
    'sign-in provider cannot be used: check its issuer, clientId and clientSecret in SIGN_IN_PROVIDERS, and whether this machine reaches it',
  sign_in_response_invalid:
    'response of a sign-in provider refused: if that happens more than once, check the clocks of both machines and clientId in SIGN_IN_PROVIDERS',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Speaks to a provider. @throws AppError `sign_in_provider_unavailable`, `sign_in_refused`, `sign_in_response_invalid` */
export async function inWords<T>(
  { id, label }: { readonly id: string; readonly label: string },
  log: Log,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'sign_in_refused') log.warn({ err: error, provider: id }, advice[code]);
    throw new AppError(code, { params: { provider: label } });
  }
}

function codeOf(error: unknown): keyof typeof advice | 'sign_in_refused' {
  if (error instanceof AuthorizationResponseError)
    return ownTrouble.has(error.error) ? 'sign_in_provider_unavailable' : 'sign_in_refused';
  // A code that was used, has expired or belongs to another client.
  if (error instanceof ResponseBodyError)
    return error.error === 'invalid_grant' ? 'sign_in_response_invalid' : 'sign_in_provider_unavailable';
  return error instanceof ClientError && untrue.has(error.code ?? '')
    ? 'sign_in_response_invalid'
    : 'sign_in_provider_unavailable';
}
