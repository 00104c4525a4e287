import { hash } from 'node:crypto';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { AuthContext } from '../context.ts';
import type { Checks } from './client.ts';

const lifetime = '10 minutes';
/** So many a user may have open. Those of people who sign in are bounded by the limits of the gateway. */
const mostOpen = 10;

/** What a request to a provider is for, and who may finish it. */
export type RequestScope =
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'link'; readonly userId: number; readonly sessionId: string };

/** The browser that began. @throws AppError `sign_in_request_ended` where it is not known */
export function deviceOf({ client: { device } }: Pick<AuthContext, 'client'>): string {
  if (!device) throw new AppError('sign_in_request_ended');
  return device;
}

/**
 * Stores that a browser is sent to a provider. A user's surplus requests end, the oldest first.
 * @throws AppError `not_signed_in` when the session has ended
 */
export async function createRequest(
  sql: AnySql,
  { provider, device }: { readonly provider: string; readonly device: string },
  scope: RequestScope,
): Promise<Checks> {
  // The purpose is no secret: the page to which the browser returns reads it.
  const checks = {
    state: `${scope.purpose}.${randomState()}`,
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
  };
  const { state, nonce, codeVerifier } = checks;
  if (scope.purpose === 'sign_in') {
    await sql`
      insert into provider_requests (state, provider, purpose, device, nonce, code_verifier, expires_at)
      values (${state}, ${provider}, ${scope.purpose}, ${device}, ${nonce}, ${codeVerifier},
        now() + ${lifetime}::interval)`;
    return checks;
  }
  // The session may end meanwhile.
  const { count } = await sql`
    insert into provider_requests
      (state, provider, purpose, device, nonce, code_verifier, user_id, session_id, expires_at)
    select ${state}, ${provider}, ${scope.purpose}, ${device}, ${nonce}, ${codeVerifier}, user_id, id,
      now() + ${lifetime}::interval
    from sessions where id = ${scope.sessionId} and user_id = ${scope.userId} for key share`;
  if (count === 0) throw new AppError('not_signed_in');
  await sql`
    delete from provider_requests where state in (
      select state from provider_requests where user_id = ${scope.userId}
      order by expires_at desc offset ${mostOpen})`;
  return checks;
}

/**
 * Uses a request up: of those who use it at once, for one alone, and also if the rest is wrong. Another browser does not use it up.
 * @throws AppError `sign_in_request_ended`
 */
export async function useRequest(
  sql: AnySql,
  { state, device }: { readonly state: string; readonly device: string },
  scope: RequestScope,
): Promise<{ readonly provider: string; readonly checks: Checks }> {
  const { userId, sessionId } = scope.purpose === 'sign_in' ? { userId: null, sessionId: null } : scope;
  const [row] = await sql<{ provider: string; nonce: string; codeVerifier: string; isOpen: boolean }[]>`
    delete from provider_requests
    where state = ${state} and purpose = ${scope.purpose} and device = ${device}
      and user_id is not distinct from ${userId} and session_id is not distinct from ${sessionId}
    returning provider, nonce, code_verifier, expires_at > now() as is_open`;
  if (!row?.isOpen) throw new AppError('sign_in_request_ended');
  const { provider, nonce, codeVerifier } = row;
  return { provider, checks: { state, nonce, codeVerifier } };
}

/** Identities that wait for their owner to name the account they get. */
interface NewIdentity {
  readonly provider: string;
  readonly subject: string;
  readonly name: string;
}

const hashOf = (challenge: string) => Buffer.from(hash('sha256', challenge, 'hex'), 'hex');

/** @returns the secret with which the same browser creates the account */
export async function holdNewIdentity(
  sql: AnySql,
  device: string,
  { provider, subject, name }: NewIdentity,
): Promise<string> {
  const challenge = randomState();
  await sql`
    insert into new_identities (hash, device, provider, subject, name, expires_at)
    values (${hashOf(challenge)}, ${device}, ${provider}, ${subject}, ${name}, now() + ${lifetime}::interval)`;
  return challenge;
}

/** Of those who use it at once, for one alone, if the transaction succeeds. @throws AppError `sign_in_request_ended` */
export async function useNewIdentity(sql: AnySql, device: string, challenge: string): Promise<NewIdentity> {
  const [row] = await sql<NewIdentity[]>`
    delete from new_identities
    where hash = ${hashOf(challenge)} and device = ${device} and expires_at > now()
    returning provider, subject, name`;
  if (!row) throw new AppError('sign_in_request_ended');
  return row;
}

export async function deleteEndedRequests(sql: AnySql): Promise<void> {
  await sql`delete from provider_requests where expires_at < now()`;
  await sql`delete from new_identities where expires_at < now()`;
}
