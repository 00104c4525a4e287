import type { CertificateProblem } from '@talpa/contracts';
import type { LastResponse } from './authority-calls.ts';

/** The challenges that edges answer. */
export type EdgeChallenge = 'http-01' | 'tls-alpn-01';
export type ChallengeType = EdgeChallenge | 'dns-01';

/** Why a certificate could not be ordered. */
export interface Failure {
  readonly problem: CertificateProblem;
  /** What the authority or the DNS provider said. */
  readonly detail: string;
  /** It said when to come again. */
  readonly retryAfterMs?: number | undefined;
}

/** A failure that our side of the order has found itself. */
export class CertificateError extends Error {
  readonly problem: CertificateProblem;

  constructor(problem: CertificateProblem, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.problem = problem;
  }
}

const longestDetail = 500;
/** Certificates are dated back by an hour at most: with more, ours or theirs would not be valid. */
const clockToleranceMs = 10 * 60_000;

/** Problems that depend on how the name was to be shown to be ours: by an edge, or by a record. */
interface ByChallenge {
  readonly edge: CertificateProblem;
  readonly dns: CertificateProblem;
}

const byType: Readonly<Record<string, CertificateProblem | ByChallenge>> = {
  accountDoesNotExist: 'account_refused',
  badSignatureAlgorithm: 'account_refused',
  caa: 'name_refused',
  connection: 'port_closed',
  dns: { edge: 'name_not_resolving', dns: 'record_not_seen' },
  externalAccountRequired: 'account_refused',
  incorrectResponse: { edge: 'wrong_server', dns: 'record_not_seen' },
  invalidContact: 'account_refused',
  rateLimited: 'rate_limited',
  rejectedIdentifier: 'name_refused',
  serverInternal: 'authority_failed',
  tls: 'wrong_server',
  unauthorized: { edge: 'wrong_server', dns: 'record_not_seen' },
  unsupportedContact: 'account_refused',
  unsupportedIdentifier: 'name_refused',
  userActionRequired: 'account_refused',
};
const resolverErrors = new Set(['EAI_AGAIN', 'ENOTFOUND']);
const clockErrors = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

/** What a failed order means for the operator. @param challenge how the name was to be shown to be ours */
export function failureOf(error: unknown, last: LastResponse, challenge: ChallengeType): Failure {
  const { problem: said, retryAfterMs } = last;
  const own = error instanceof Error ? error.message : String(error);
  const detail = (said?.detail || own).slice(0, longestDetail);
  if (error instanceof CertificateError)
    return { problem: error.problem, detail: own.slice(0, longestDetail) };
  if (isClockWrong(error, last)) return { problem: 'clock_wrong', detail: clockDetail(last) || detail };
  if (said?.type === 'rateLimited' || last.status === 429)
    return { problem: 'rate_limited', detail, retryAfterMs };
  if (resolverErrors.has(codeOf(error))) return { problem: 'resolver_failed', detail };
  if (isOfNetwork(error)) return { problem: 'authority_unreachable', detail };
  // Whatever was asked of them: the address, a CAA record, or ours.
  if (said && /SERVFAIL|(DNS|looking up|lookup).*tim(ed out|eout)/i.test(said.detail))
    return { problem: 'name_servers_failed', detail };
  // Not every authority has a type of its own for a name without an address, or a closed port.
  if (said?.type === 'connection' && /could not resolve|no such host|NXDOMAIN/i.test(said.detail))
    return { problem: 'name_not_resolving', detail };
  if (said && challenge !== 'dns-01' && /failed to connect|connection refused/i.test(said.detail))
    return { problem: 'port_closed', detail };
  const known = said && byType[said.type];
  if (known) {
    const kind = challenge === 'dns-01' ? 'dns' : 'edge';
    return { problem: typeof known === 'string' ? known : known[kind], detail };
  }
  if ((last.status ?? 0) >= 500 || /pending or processing/.test(own))
    return { problem: 'authority_failed', detail, retryAfterMs };
  return { problem: 'unknown', detail };
}

function isClockWrong(error: unknown, { clockAheadMs = 0 }: LastResponse): boolean {
  return Math.abs(clockAheadMs) > clockToleranceMs || clockErrors.has(codeOf(error));
}

const clockDetail = ({ clockAheadMs }: LastResponse) =>
  clockAheadMs === undefined
    ? ''
    : `the authority's clock differs from ours by ${Math.round(clockAheadMs / 1_000)} s`;

/** Axios marks what got no response with a code. */
const isOfNetwork = (error: unknown) =>
  error instanceof Error && 'isAxiosError' in error && !('response' in error && error.response);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/**
 * The challenge of the next order. Where the authority did not find us on one port, it may on the other: only one of
 * them may be open, or another server may hold the first.
 */
export function challengeAfter(challenge: ChallengeType, problem: CertificateProblem): ChallengeType {
  if (challenge === 'dns-01' || (problem !== 'port_closed' && problem !== 'wrong_server')) return challenge;
  return challenge === 'http-01' ? 'tls-alpn-01' : 'http-01';
}
