import type { CertificateProblem } from '@talpa/contracts';
import { describe, expect, it } from 'vitest';
import { CertificateError, type ChallengeType, challengeAfter, failureOf } from './problems.ts';

const challenges = ['http-01', 'tls-alpn-01', 'dns-01'] as const;
const failed = new Error('failed');

/** Every error of RFC 8555 (6.7) that an order can meet, and what it means by an edge and by a record. */
const meanings: Record<
  string,
  CertificateProblem | readonly [edge: CertificateProblem, dns: CertificateProblem]
> = {
  accountDoesNotExist: 'account_refused',
  alreadyRevoked: 'unknown',
  badCSR: 'unknown',
  badNonce: 'unknown',
  badPublicKey: 'unknown',
  badSignatureAlgorithm: 'account_refused',
  caa: 'name_refused',
  compound: 'unknown',
  connection: 'port_closed',
  dns: ['name_not_resolving', 'record_not_seen'],
  externalAccountRequired: 'account_refused',
  incorrectResponse: ['wrong_server', 'record_not_seen'],
  invalidContact: 'account_refused',
  malformed: 'unknown',
  orderNotReady: 'unknown',
  rateLimited: 'rate_limited',
  rejectedIdentifier: 'name_refused',
  serverInternal: 'authority_failed',
  tls: 'wrong_server',
  unauthorized: ['wrong_server', 'record_not_seen'],
  unsupportedContact: 'account_refused',
  unsupportedIdentifier: 'name_refused',
  userActionRequired: 'account_refused',
};

describe('what an operator is shown', () => {
  it.each(Object.entries(meanings))('of the authority’s error %s is what to do about it', (type, meaning) => {
    for (const challenge of challenges) {
      const said = failureOf(failed, { status: 400, problem: { type, detail: 'why' } }, challenge);
      const [edge, dns] = typeof meaning === 'string' ? [meaning, meaning] : meaning;
      expect(said).toMatchObject({ problem: challenge === 'dns-01' ? dns : edge, detail: 'why' });
    }
  });

  it.each<[string, Parameters<typeof failureOf>, CertificateProblem]>([
    [
      'no response',
      [Object.assign(new Error('refused'), { isAxiosError: true }), {}, 'http-01'],
      'authority_unreachable',
    ],
    [
      'no address of the authority',
      [Object.assign(new Error('no'), { isAxiosError: true, code: 'EAI_AGAIN' }), {}, 'http-01'],
      'resolver_failed',
    ],
    [
      'name servers that fail, for a CAA record',
      [
        failed,
        { problem: { type: 'caa', detail: 'DNS problem: SERVFAIL looking up CAA for a.test' } },
        'http-01',
      ],
      'name_servers_failed',
    ],
    [
      'name servers that are silent',
      [
        failed,
        { problem: { type: 'dns', detail: 'DNS problem: query timed out looking up A for a.test' } },
        'dns-01',
      ],
      'name_servers_failed',
    ],
    ['a status of 503', [failed, { status: 503 }, 'http-01'], 'authority_failed'],
    ['a status of 429 without more', [failed, { status: 429 }, 'http-01'], 'rate_limited'],
    ['an order that never ends', [new Error('pending or processing'), {}, 'http-01'], 'authority_failed'],
    ['nothing that we know', [failed, { status: 418 }, 'http-01'], 'unknown'],
    [
      'a name without an address, called a connection',
      [failed, { problem: { type: 'connection', detail: 'could not resolve' } }, 'http-01'],
      'name_not_resolving',
    ],
    [
      'a closed port, called unauthorized',
      [failed, { problem: { type: 'unauthorized', detail: 'Connection refused' } }, 'tls-alpn-01'],
      'port_closed',
    ],
    ['a clock 11 minutes behind', [failed, { clockAheadMs: 660_000, status: 503 }, 'http-01'], 'clock_wrong'],
    ['a clock 11 minutes ahead', [failed, { clockAheadMs: -660_000 }, 'http-01'], 'clock_wrong'],
    [
      'a clock 9 minutes behind',
      [failed, { clockAheadMs: 540_000, status: 503 }, 'http-01'],
      'authority_failed',
    ],
    [
      'a certificate of the authority that is not valid yet',
      [Object.assign(new Error('tls'), { code: 'CERT_NOT_YET_VALID' }), {}, 'http-01'],
      'clock_wrong',
    ],
    [
      'what we found ourselves, whatever came before',
      [
        new CertificateError('dns_access_refused', 'the key is wrong'),
        { status: 429, problem: { type: 'rateLimited', detail: 'slow' }, clockAheadMs: 10 ** 9 },
        'dns-01',
      ],
      'dns_access_refused',
    ],
  ])('of %s is what to do about it', (_what, given, problem) => {
    expect(failureOf(...given)).toMatchObject({ problem });
  });

  it('is no longer than 500 characters, and says when the authority wants to be asked again', () => {
    const detail = 'ä'.repeat(10_000);
    const given = { status: 429, retryAfterMs: 7_000, problem: { type: 'rateLimited', detail } };
    expect(failureOf(failed, given, 'http-01')).toEqual({
      ...{ problem: 'rate_limited', detail: 'ä'.repeat(500), retryAfterMs: 7_000 },
    });
    expect(failureOf(new CertificateError('name_refused', detail), {}, 'http-01').detail).toHaveLength(500);
  });
});

it('the other port is tried where the authority did not find us on one, and nothing else changes the challenge', () => {
  const others = Object.values(meanings).flat();
  const changed: Record<ChallengeType, ChallengeType> = {
    ...{ 'http-01': 'tls-alpn-01', 'tls-alpn-01': 'http-01', 'dns-01': 'dns-01' },
  };
  for (const challenge of challenges)
    for (const problem of others)
      expect([problem, challengeAfter(challenge, problem)]).toEqual([
        problem,
        problem === 'port_closed' || problem === 'wrong_server' ? changed[challenge] : challenge,
      ]);
});
