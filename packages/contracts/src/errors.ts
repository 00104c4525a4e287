import { accessErrors } from './errors/access.ts';
import { accountsErrors } from './errors/accounts.ts';
import { apiKeysErrors } from './errors/api-keys.ts';
import { domainsErrors } from './errors/domains.ts';
import { enrolmentErrors } from './errors/enrolment.ts';
import { gamePortsErrors } from './errors/game-ports.ts';
import { generalErrors } from './errors/general.ts';
import { membersErrors } from './errors/members.ts';
import { messagesErrors } from './errors/messages.ts';
import { proxiesErrors } from './errors/proxies.ts';
import { requestsErrors } from './errors/requests.ts';
import { serversErrors } from './errors/servers.ts';
import { signInErrors } from './errors/sign-in.ts';
import { fill, type Language, type TextParams } from './language.ts';

/** Every error the API can respond with: its code, HTTP status and text. One file of `errors/` for each domain. */
export const errors = {
  ...generalErrors,
  ...requestsErrors,
  ...signInErrors,
  ...apiKeysErrors,
  ...accountsErrors,
  ...proxiesErrors,
  ...serversErrors,
  ...enrolmentErrors,
  ...membersErrors,
  ...accessErrors,
  ...domainsErrors,
  ...gamePortsErrors,
  ...messagesErrors,
} as const;

export type ErrorCode = keyof typeof errors;

/** Errors any call may respond with, whatever its entry says. */
export const commonErrors = [
  'invalid_input',
  'invalid_json',
  'unsupported_media_type',
  'payload_too_large',
  'cross_origin',
  'too_many_requests',
  // Of callers with an API key.
  'api_key_invalid',
  'api_key_address',
  'internal',
  'service_unavailable',
  'deadline_exceeded',
] as const satisfies readonly ErrorCode[];

/** The text of an error for people. */
export function errorText(code: ErrorCode, language: Language, params?: TextParams): string {
  return fill(errors[code][language], params);
}

/** Whether a text is one of our error codes (for what arrives over a wire). */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}
