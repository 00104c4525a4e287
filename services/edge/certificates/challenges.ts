import type { SecureContext } from 'node:tls';
import type { Sql } from '@talpa/service-kit/database/sql';

const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]{16,128})$/;

/** The token of a challenge that the path asks for; null for any other path. */
export const challengeTokenIn = (path: string) => path.match(challengePath)?.[1] ?? null;

/** What the authority must find at a challenge's address (HTTP-01); null when it has none open there. */
export async function findChallenge(sql: Sql, host: string, token: string): Promise<string | null> {
  const [row] = await sql<{ keyAuthorization: string }[]>`
    select key_authorization from tunnel_provider.acme_challenges
    where token = ${token} and host = ${host} and type = 'http-01'`;
  return row?.keyAuthorization ?? null;
}

/** What the authority must be shown for a name on port 443 (TLS-ALPN-01); null when it has no challenge open there. */
export async function findTlsChallenge(sql: Sql, host: string): Promise<SecureContext | null> {
  // An older one is what a killed process has left behind.
  const [row] = await sql<{ keyAuthorization: string }[]>`
    select key_authorization from tunnel_provider.acme_challenges
    where host = ${host} and type = 'tls-alpn-01' order by created_at desc limit 1`;
  if (!row) return null;
  // Loaded when it is needed: it takes 5 MB.
  const { createChallengeContext } = await import('./challenge-certificate.ts');
  return createChallengeContext(host, row.keyAuthorization);
}
