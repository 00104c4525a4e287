import type { LoggedRequests } from '@talpa/contracts';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import { createGates } from './gates.ts';

const test = useVisitorSide({ EDGE_BODY_LIMIT_BYTES: '1000', EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: '1' });
const visit = (options: object = {}) => ask({ port: test.port, host, ...options });

type Entry = LoggedRequests['entries'][number];
/** The entry of the only request that has ended since the last time. */
const entry = async (): Promise<Entry | undefined> => {
  let entries: Entry[] = [];
  await until('the entry', () => {
    entries = test.requests.take().stored.entries;
    return entries.length > 0;
  });
  expect(entries).toHaveLength(1);
  return entries[0];
};

it('each request of a visitor has one entry when it has ended, without query, header and cookie', async () => {
  await test.connect();
  test.origin = (request, response) =>
    request.resume().on('end', () => response.writeHead(201).end('created'));
  const headers = { 'user-agent': 'curl/8', cookie: 'sid=secret' };
  const { headers: received } = await visit({
    method: 'POST',
    path: '/a?key=secret',
    headers,
    body: '12345',
  });
  const logged = await entry();
  expect(logged).toEqual({
    ...{
      proxyId: 'p1',
      tunnelId: 't1',
      requestId: received['cf-ray'],
      at: expect.any(Number),
      duration: expect.any(Number),
    },
    ...{ method: 'POST', path: '/a', status: 201, bytesIn: 5, bytesOut: 7 },
    ...{ network: '127.0.0.0/24', agent: 'script', reason: null, rule: null },
  });
  expect(JSON.stringify(logged)).not.toContain('secret');
});

it('a refused request has an entry that says why', async () => {
  await visit();
  expect(await entry()).toMatchObject({ status: 503, reason: 'no_connector', bytesOut: 0 });
  await visit({ host: `off.${host}` });
  expect(await entry()).toMatchObject({ proxyId: 'p2', status: 403, reason: 'suspended' });
  await test.connect();
  test.origin = (_request, response) => response.writeHead(502, { 'x-test': '1' }).end();
  await visit({ method: 'POST', body: 'x'.repeat(2_000) });
  expect(await entry()).toMatchObject({ status: 413, reason: 'body_too_large' });
  for (const expected of [null, 'limit_sign_in']) {
    await visit({ method: 'POST', path: '/login', body: '{}' });
    expect(await entry()).toMatchObject({ reason: expected });
  }
});

it('a request that an access rule refuses has an entry that names the rule, and one that none lets in names none', async () => {
  const match = (network: string) => ({ match: { by: 'address', network }, expiresAt: null });
  const setRules = (...rules: object[]) => {
    test.gate = createGates()({
      ...{ proxyId: '00000000-0000-4000-8000-000000000000', version: 1, pinHash: null, passwordHash: null },
      policy: JSON.stringify({ kind: 'rules', otherwise: 'deny', rules }),
    });
  };
  setRules({ action: 'allow', ...match('192.0.2.0/24') }, { action: 'deny', ...match('127.0.0.1') });
  await visit();
  expect(await entry()).toMatchObject({ status: 403, reason: 'access_denied', rule: 2 });
  await visit({ from: '127.0.0.2' });
  expect(await entry()).toMatchObject({ status: 403, reason: 'access_denied', rule: null });
  setRules({ action: 'allow', match: { by: 'path', path: '/admin' }, expiresAt: null });
  await visit({ path: '/%61dmin' });
  expect(await entry()).toMatchObject({ status: 400, reason: 'ambiguous_path', rule: 1 });
  test.gate = undefined;
});

it('a visitor who leaves before a response has an entry without a status', async () => {
  await test.connect();
  let isThere = false;
  test.origin = () => {
    isThere = true;
  };
  const { socket } = rawSocket(test.port, `GET /slow HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await until('the request at the panel', () => isThere);
  socket.destroy();
  expect(await entry()).toMatchObject({ path: '/slow', status: null, reason: null });
});
