import { AppError } from '@talpa/service-kit/app-error';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { checkReader, createOriginCheck } from './origin.ts';

/** What the check says to a request with these headers: `ok`, or the error's code. */
async function verdict(
  publicUrl: string | undefined,
  headers: Record<string, string>,
  reads = false,
): Promise<string> {
  const app = fastify();
  const check = createOriginCheck(publicUrl);
  app.post('/', (request) => {
    if (reads) checkReader(check, request);
    else check(request);
    return 'ok';
  });
  app.setErrorHandler((error) => (error instanceof AppError ? error.code : String(error)));
  return (await app.inject({ method: 'POST', url: '/', headers: { host: 'panel.test:8080', ...headers } }))
    .body;
}

describe('a change', () => {
  it.each([
    ['the browser says it is from our own page', { 'sec-fetch-site': 'same-origin' }],
    ['the person asked for it themselves', { 'sec-fetch-site': 'none' }],
    [
      'the person asked for it, from our own page',
      { 'sec-fetch-site': 'none', origin: 'http://panel.test:8080' },
    ],
    ['its Origin is the host it was sent to', { origin: 'http://panel.test:8080' }],
    ['its Origin is that host behind TLS', { origin: 'https://panel.test:8080' }],
  ])('passes when %s', async (_case, headers) => {
    expect(await verdict(undefined, headers)).toBe('ok');
  });

  it.each([
    ['nothing says where it is from', {}],
    ['it is from another site', { 'sec-fetch-site': 'cross-site', origin: 'http://panel.test:8080' }],
    ['it is from a sibling host', { 'sec-fetch-site': 'same-site', origin: 'http://a.panel.test' }],
    ['another page claims that the person asked', { 'sec-fetch-site': 'none', origin: 'http://evil.test' }],
    ['its Origin is another host', { origin: 'http://evil.test' }],
    ['its Origin is another port', { origin: 'http://panel.test:9090' }],
    ['its Origin is hidden', { origin: 'null' }],
    ['its Origin is no address', { origin: 'panel.test:8080' }],
    ['it is from another site, though it names ours', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ])('is refused when %s', async (_case, headers: Record<string, string>) => {
    expect(await verdict(undefined, headers)).toBe('cross_origin');
  });

  it('must come from the public address where one is set, whatever host it names', async () => {
    const publicUrl = 'https://panel.example/';
    expect(await verdict(publicUrl, { origin: 'https://panel.example' })).toBe('ok');
    expect(await verdict(publicUrl, { origin: 'http://panel.example' })).toBe('cross_origin');
    expect(await verdict(publicUrl, { origin: 'http://panel.test:8080' })).toBe('cross_origin');
  });
});

describe('a read that costs us something that stays', () => {
  it('is refused to other pages, and to nobody who says nothing', async () => {
    const read = (headers: Record<string, string>) => verdict(undefined, headers, true);
    expect(await read({})).toBe('ok');
    expect(await read({ 'sec-fetch-site': 'same-origin' })).toBe('ok');
    expect(await read({ origin: 'http://panel.test:8080' })).toBe('ok');
    expect(await read({ 'sec-fetch-site': 'cross-site' })).toBe('cross_origin');
    expect(await read({ origin: 'http://evil.test' })).toBe('cross_origin');
  });
});
