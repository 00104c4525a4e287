import type { Sql } from '@talpa/service-kit/database/sql';

const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]{16,128})$/;

/** The token of a challenge that the path asks for; null for any other path. */
export const challengeTokenIn = (path: string) => path.match(challengePath)?.[1] ?? null;

/** What the authority must find at a challenge's address; null when it has none open there. */
export async function findChallenge(sql: Sql, host: string, token: string): Promise<string | null> {
  const [row] = await sql<{ keyAuthorization: string }[]>`
    select key_authorization from tunnel_provider.acme_challenges where token = ${token} and host = ${host}`;
  return row?.keyAuthorization ?? null;
}
