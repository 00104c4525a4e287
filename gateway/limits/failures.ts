import type { ErrorCode } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Attempt, AttemptLimit } from './attempts.ts';

/** A limit and whom it counts. */
export type Count = readonly [AttemptLimit, string];

const wrong: ReadonlySet<ErrorCode> = new Set([
  'invalid_credentials',
  'wrong_password',
  'reset_link_invalid',
  'reset_link_expired',
  'reset_link_used',
  'not_me_link_invalid',
  'not_me_link_expired',
  'not_me_link_used',
  'unsubscribe_link_invalid',
  'verification_link_invalid',
  'verification_link_expired',
  'verification_link_used',
  'invitation_invalid',
  'invitation_link_invalid',
  'enrolment_key_invalid',
  'challenge_ended',
  'wrong_code',
  'passkey_challenge_ended',
  'passkey_refused',
  'passkey_other_host',
  'sign_in_request_ended',
  'sign_in_response_invalid',
]);

/**
 * Begins an attempt with one limit after the other before the call, so that what one limit refuses uses up
 * nothing of the next. Only wrong secrets are counted.
 */
export async function countingFailures<T>(counts: readonly Count[], call: () => Promise<T>): Promise<T> {
  const attempts: Attempt[] = [];
  let isWrong = false;
  try {
    for (const [limit, key] of counts) attempts.push(await limit.begin(key));
    return await call();
  } catch (error) {
    isWrong = error instanceof AppError && wrong.has(error.code);
    throw error;
  } finally {
    await Promise.all(attempts.map((attempt) => attempt.end(isWrong)));
  }
}
