import { ApiError } from '@talpa/service-kit/cloudflare-api';
import { describe, expect, it } from 'vitest';
import { hasCode, isProviderError, ProviderError, providerError } from './errors.ts';

const response = (status: number, code?: number, headers: Record<string, string> = {}) =>
  new ApiError(status, new Headers(headers), code === undefined ? undefined : [{ code, message: 'text' }]);
const mapped = (error: unknown) => {
  const result = providerError(error, 'delete tunnel');
  if (!(result instanceof ProviderError)) throw new Error('it was not mapped');
  return result;
};

describe('a failure of the provider', () => {
  it.each([
    ['a server error', response(500)],
    ['a gateway page', response(502)],
    ['a rate limit', response(429, 10_429)],
    ['no response', new ApiError()],
    ['a wrong token', response(401, 10_000)],
    ['a missing right', response(403, 9109)],
    ['active connections', response(400, 1022)],
    ['a 404 that is not the API’s own', response(404)],
    ['an unknown route', response(404, 7000)],
    ['a request that came too late', response(408, 1)],
    ['a request that came too early', response(425, 1)],
  ])('is passing: %s', (_, error) => {
    expect(mapped(error)).toMatchObject({ kind: 'passing', reason: 'provider_unavailable' });
  });

  it('is a missing object for the API’s own 404', () => {
    expect(mapped(response(404, 81_044))).toMatchObject({ kind: 'missing', codes: [81_044] });
  });

  it('is no missing object where the call names none', () => {
    expect(providerError(response(404, 81_044), 'create tunnel')).toMatchObject({ kind: 'passing' });
  });

  it('is a full zone by its code, whatever the status', () => {
    expect(mapped(response(400, 81_045))).toMatchObject({
      ...{ kind: 'refused', reason: 'zone_full', fault: 'zone_full', codes: [81_045] },
    });
  });

  it('is all calls’ when there were too many, and only then', () => {
    expect(mapped(response(429, 1)).isRateLimited).toBe(true);
    expect(mapped(response(500, 1)).isRateLimited).toBe(false);
  });

  it.each([
    [6003, 400, 'token_malformed'],
    [9106, 400, 'token_malformed'],
    [9109, 400, 'token_refused'],
    [10_000, 403, 'token_refused'],
    [10_001, 400, 'token_refused'],
    [1, 401, 'token_refused'],
    [1, 403, 'token_refused'],
    [7003, 404, 'account_unknown'],
    [1034, 400, undefined],
  ])('with code %d and status %d is for the operator to fix: %s', (code, status, fault) => {
    expect(mapped(response(status, code)).fault).toBe(fault);
  });

  it('with several errors reports them all', () => {
    const errors = [
      { code: 1, message: 'one' },
      { code: 2, message: 'two' },
    ];
    const error = mapped(new ApiError(400, new Headers(), errors));
    expect([error.message, error.name]).toEqual(['delete tunnel: 400 1 one, 2 two', 'ProviderError']);
    expect([hasCode(error, 3, 2), hasCode(error, 3), hasCode({ codes: [2] }, 2)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isProviderError(error, 'refused'), isProviderError(error, 'missing')]).toEqual([true, false]);
    expect(isProviderError({ kind: 'refused' }, 'refused')).toBe(false);
  });

  it('that is made by us is of one call, and to be tried on', () => {
    const plain = { codes: [], isRateLimited: false, withoutRetry: false, fault: undefined };
    expect(new ProviderError('passing', 'why')).toMatchObject({ ...plain, reason: 'provider_unavailable' });
    expect(new ProviderError('missing', 'why')).toMatchObject({ ...plain, reason: 'tunnel_refused' });
  });

  it('of our own is passed on as it is', () => {
    const error = new TypeError('ours');
    expect(providerError(error, 'delete tunnel')).toBe(error);
  });

  it('without a response says so', () => {
    expect(mapped(new ApiError()).message).toBe('delete tunnel: no response');
  });

  it('is definitive for any other refusal', () => {
    expect(mapped(response(400, 1034))).toMatchObject({ kind: 'refused', reason: 'tunnel_refused' });
    expect(mapped(response(409, 1013))).toMatchObject({ kind: 'refused', codes: [1013] });
  });

  it('returns how long to wait, from seconds or a date', () => {
    expect(mapped(response(429, 10_429, { 'retry-after': '3' })).retryAfterMs).toBe(3_000);
    const past = mapped(response(429, 10_429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }));
    expect(past.retryAfterMs).toBe(0);
    expect(mapped(response(429, 1, { 'retry-after': 'soon' })).retryAfterMs).toBeUndefined();
    expect(mapped(response(429, 1, { 'retry-after': '-1' })).retryAfterMs).toBe(0);
    expect(mapped(response(500)).retryAfterMs).toBeUndefined();
  });

  it('returns how long its window lasts where the provider says nothing else', () => {
    const ratelimit = '"default"; r=0; t=30';
    expect(mapped(response(429, 10_429, { ratelimit })).retryAfterMs).toBe(30_000);
    expect(mapped(response(429, 10_429, { ratelimit, 'retry-after': '3' })).retryAfterMs).toBe(3_000);
    expect(mapped(response(500, 1, { ratelimit: '"default";r=50;t=30' })).retryAfterMs).toBeUndefined();
  });

  it.each([
    ['an object', { code: 1013, message: 'text' }, [1013]],
    ['nothing', null, []],
    ['a text', 'text', []],
    ['an object whose code is a text', { code: '1013', message: 'text' }, []],
    ['a list with nothing in it', [null], []],
  ])('is read where its errors are %s', (_, errors, codes) => {
    const error = new ApiError(400, new Headers(), errors);
    expect(mapped(error)).toMatchObject({ kind: 'refused', codes });
  });

  it('keeps nothing of the response but codes and texts', () => {
    const error = mapped(response(400, 1013, { 'set-cookie': 'session=secret' }));
    expect(JSON.stringify({ ...error, message: error.message, cause: error.cause })).not.toContain('secret');
    expect(error.message).toBe('delete tunnel: 400 1013 text');
  });
});
