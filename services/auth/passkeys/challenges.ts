import { randomBytes } from 'node:crypto';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** How long a browser may take, in ms. */
export const lifetimeMs = 5 * 60_000;
/** So many a user may have open. Those of people who sign in are bounded by the limits of the gateway. */
const mostOpen = 10;

/** What a challenge is for, and who may use it. */
export type ChallengeScope =
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'add' | 'step_up'; readonly userId: number; readonly sessionId: string };

/** Makes a challenge. A user's surplus ones end, the oldest first. @throws AppError `not_signed_in` when the session has ended */
export async function createPasskeyChallenge(sql: AnySql, scope: ChallengeScope): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const lifetime = `${lifetimeMs} ms`;
  if (scope.purpose === 'sign_in') {
    await sql`
      insert into passkey_challenges (challenge, purpose, expires_at)
      values (${challenge}, ${scope.purpose}, now() + ${lifetime}::interval)`;
    return challenge;
  }
  // The session may end meanwhile.
  const { count } = await sql`
    insert into passkey_challenges (challenge, purpose, user_id, session_id, expires_at)
    select ${challenge}, ${scope.purpose}, user_id, id, now() + ${lifetime}::interval from sessions
    where id = ${scope.sessionId} and user_id = ${scope.userId} for key share`;
  if (count === 0) throw new AppError('not_signed_in');
  await sql`
    delete from passkey_challenges where challenge in (
      select challenge from passkey_challenges where user_id = ${scope.userId}
      order by expires_at desc offset ${mostOpen})`;
  return challenge;
}

/**
 * Uses up the challenge that a browser has signed: of those who use it at once, for one alone, and also if the rest is wrong.
 * @param clientData what the browser signed, in base64url
 * @throws AppError `passkey_challenge_ended`, `passkey_refused` when it was signed in a frame of another page
 */
export async function usePasskeyChallenge(
  sql: AnySql,
  clientData: string,
  scope: ChallengeScope,
): Promise<string> {
  const { challenge, isEmbedded } = readClientData(clientData);
  const { userId, sessionId } = ownerOf(scope);
  const [row] = await sql<{ isOpen: boolean }[]>`
    delete from passkey_challenges
    where challenge = ${challenge} and purpose = ${scope.purpose}
      and user_id is not distinct from ${userId} and session_id is not distinct from ${sessionId}
    returning expires_at > now() as is_open`;
  if (!row?.isOpen) throw new AppError('passkey_challenge_ended');
  if (isEmbedded) throw new AppError('passkey_refused');
  return challenge;
}

export async function deleteEndedPasskeyChallenges(sql: AnySql): Promise<void> {
  await sql`delete from passkey_challenges where expires_at < now()`;
}

const ownerOf = (scope: ChallengeScope) =>
  scope.purpose === 'sign_in'
    ? { userId: null, sessionId: null }
    : { userId: scope.userId, sessionId: scope.sessionId };

/** The challenge is empty, which is nobody's, for what is no client data. `isEmbedded`: a page of somebody else showed ours. */
function readClientData(clientData: string): { readonly challenge: string; readonly isEmbedded: boolean } {
  try {
    const said = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    const { challenge, crossOrigin = false, topOrigin } = said;
    const isOne = typeof challenge === 'string' && /^[\w-]{1,100}$/.test(challenge);
    return {
      challenge: isOne ? challenge : '',
      isEmbedded: crossOrigin !== false || topOrigin !== undefined,
    };
  } catch {
    return { challenge: '', isEmbedded: false };
  }
}
