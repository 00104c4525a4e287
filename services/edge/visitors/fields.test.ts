import { bytesLeftBy } from '@talpa/test-kit/memory';
import { expect, it, vi } from 'vitest';
import { isHopByHop, mayTrail, readRequestFields } from './fields.ts';
import { forgeableKinds } from './forgeable.ts';

const fieldsOf = (...raw: string[]) => ({ ...readRequestFields(raw).fields });

it('passes on what is meant for the panel, repeated headers included', () => {
  const raw = ['Host', 'a', 'X-Txadmin-CsrfToken', 't', 'X-A', '1', 'x-a', '2', 'X-A', '3', 'Accept', '*/*'];
  expect(fieldsOf(...raw)).toEqual({ 'x-txadmin-csrftoken': 't', 'x-a': ['1', '2', '3'], accept: '*/*' });
});

it.each(forgeableKinds.flatMap(({ says, examples }) => examples.map((name) => [name, says])))(
  'drops what a visitor could forge, however it is spelled: %s, %s',
  (name) => {
    const upper = name.toUpperCase();
    const mixed = name.replace(/(^|-)./g, (start) => start.toUpperCase());
    const spellings = [name, upper, mixed, ...['_', '.', '~', '+'].map((mark) => name.replaceAll('-', mark))];
    for (const spelling of [...spellings, name.replace('-', '_'), upper.replace('-', '.')])
      expect(fieldsOf(spelling, '1.2.3.4'), spelling).toEqual({});
  },
);

it.each([
  'Transfer_Encoding',
  'Content_Length',
  'HTTP_PROXY',
  'X_Anything',
  'Content.Length',
  'Host~',
  'coo.kie_',
])('drops what servers could read as another name: %s', (name) =>
  expect(fieldsOf(name, '1')).toEqual(name === 'Host~' ? { 'host~': '1' } : {}),
);

it('passes on what programs send for themselves', () => {
  const names = [
    ...[
      'accept',
      'accept-language',
      'authorization',
      'cache-control',
      'content-type',
      'depth',
      'destination',
    ],
    ...[
      'dnt',
      'git-protocol',
      'grpc-timeout',
      'hx-request',
      'if',
      'last-event-id',
      'origin',
      'overwrite',
      'priority',
    ],
    ...[
      'range',
      'referer',
      'rsc',
      'sec-ch-ua-platform',
      'sec-fetch-mode',
      'sec-websocket-protocol',
      'soapaction',
    ],
    ...[
      'traceparent',
      'upgrade-insecure-requests',
      'user-agent',
      'via',
      'x-amz-content-sha256',
      'x-amz-date',
    ],
    ...[
      'x-api-key',
      'x-auth-key',
      'x-auth-token',
      'x-client-data',
      'x-client-version',
      'x-csrf-token',
      'x-emby-authorization',
    ],
    ...[
      'x-github-event',
      'x-gitlab-token',
      'x-goog-api-key',
      'x-grafana-org-id',
      'x-grpc-web',
      'x-http-method-override',
    ],
    ...[
      'x-hub-signature-256',
      'x-inertia',
      'x-ms-version',
      'x-plex-token',
      'x-request-id',
      'x-requested-with',
    ],
    ...[
      'x-socket-id',
      'x-transmission-session-id',
      'x-txadmin-csrftoken',
      'x-user-agent',
      'x-user-id',
      'smart-home',
      'x-xsrf-token',
      'x.custom',
    ],
  ];
  const raw = names.flatMap((name) => [name, '1']);
  expect(fieldsOf(...raw)).toEqual(Object.fromEntries(names.map((name) => [name, '1'])));
});

it.each([
  ['x-checksum', true],
  ['grpc-status', true],
  ...[
    'x-forwarded-for',
    'x-azure-clientip',
    'x_checksum',
    'host',
    'cookie',
    'content-length',
    'te',
    'cf-ray',
  ].map((name) => [name, false] as const),
] as const)('lets a trailer say no more than a header: %s', (name, may) => {
  expect(mayTrail(name)).toBe(may);
});

it('drops what concerns this hop alone, and what Connection names', () => {
  const raw = [
    'Connection',
    'close, X-Hop',
    'X-Hop',
    '1',
    'Keep-Alive',
    '5',
    'TE',
    'deflate',
    'Upgrade',
    'h2c',
  ];
  expect(fieldsOf(...raw, 'Transfer-Encoding', 'chunked', 'Expect', '100-continue', 'X-Stays', '1')).toEqual({
    'x-stays': '1',
  });
});

it('does not let Connection take away who asks and how long the body is', () => {
  const stays = {
    ...{ cookie: 'a', authorization: 'Basic YTpi', origin: 'https://a.example' },
    ...{ 'content-length': '3', 'content-type': 'text/plain' },
  };
  const raw = ['Connection', Object.keys(stays).join(', '), ...Object.entries(stays).flat()];
  expect(fieldsOf(...raw)).toEqual(stays);
});

it('joins cookies that came in several headers, and keeps the first of what is given once', () => {
  const raw = ['cookie', 'a=1', 'cookie', 'b=2', 'authorization', 'x', 'authorization', 'y'];
  expect(fieldsOf(...raw, 'If-None-Match', '"a"', 'If-None-Match', '"b"')).toEqual({
    cookie: 'a=1; b=2',
    authorization: 'x',
    'if-none-match': '"a", "b"',
  });
});

it('says when two different hosts are named', () => {
  expect(readRequestFields(['Host', 'a', 'host', 'b']).host).toBeNull();
  expect(readRequestFields([':authority', 'a', 'host', 'a']).host).toBe('a');
  expect(readRequestFields([':authority', 'a', 'Host', 'b']).host).toBeNull();
  expect(readRequestFields([]).host).toBeUndefined();
});

it('drops what every Connection header names, and HTTP/2’s own headers', () => {
  const raw = ['Connection', 'X-One', 'connection', 'X-Two , X-Three', ':path', '/', ':method', 'GET'];
  expect(fieldsOf(...raw, 'X-One', '1', 'X-Two', '2', 'X-Three', '3', 'X-Stays', '1')).toEqual({
    'x-stays': '1',
  });
});

it('sends the panel that trailers are accepted, and nothing else of TE', () => {
  expect(fieldsOf('Te', 'deflate, trailers')).toEqual({ te: 'trailers' });
});

it('says whether the body comes in chunks', () => {
  expect(readRequestFields(['transfer-encoding', 'chunked']).chunked).toBe(true);
  expect(readRequestFields(['Content-Length', '1']).chunked).toBe(false);
});

it('knows what of a response concerns the origin’s own connection alone', () => {
  expect(['keep-alive', 'transfer-encoding', 'upgrade'].map(isHopByHop)).toEqual([true, true, true]);
  expect(['set-cookie', 'content-length'].map(isHopByHop)).toEqual([false, false]);
});

it('does not fill the memory with many names', async () => {
  const left = await bytesLeftBy((round) => {
    for (let count = 0; count < 40_000; count += 1)
      readRequestFields([`x-${round}-${count}-${'x'.repeat(40)}`, '1']);
  });
  expect(left).toBeLessThan(2 * 1_048_576);
});

it('does not fill the memory with long names', async () => {
  const modules: unknown[] = [];
  const left = await bytesLeftBy(async (round) => {
    // One that has seen nothing yet, so that the number of names leaves room for the long ones.
    vi.resetModules();
    const fresh = await import('./fields.ts');
    modules.push(fresh);
    for (let count = 0; count < 1_000; count += 1)
      fresh.readRequestFields([`${round}-${count}${'x'.repeat(14_000)}`, '1']);
  });
  expect(modules).toHaveLength(2);
  expect(left).toBeLessThan(2 * 1_048_576);
});
