import type { LoggedRequests } from '@talpa/contracts';
import { agentFamilyOf } from '@talpa/service-kit/agent-family';
import { bytesLeftBy } from '@talpa/test-kit/memory';
import { expect, it } from 'vitest';
import { handOn } from './hand-on.ts';
import { loggedMethod, loggedPath } from './path.ts';
import { createRequestLog, type EndedRequest } from './request-log.ts';

const request = (changes: Partial<EndedRequest> = {}): EndedRequest => ({
  proxyId: 'p1',
  tunnelId: 't1',
  mode: 'metadata',
  requestId: 'a-TLP',
  method: 'GET',
  path: '/',
  address: '203.0.113.77',
  userAgent: undefined,
  begunAt: performance.now(),
  status: 200,
  bytesIn: 0,
  bytesOut: 0,
  reason: null,
  rule: null,
  ...changes,
});

it.each([
  ['/a/b?token=secret', '/a/b'],
  ['/a#secret', '/a'],
  ['?secret', ''],
  ['/plain', '/plain'],
  ['/a\r\nb\0\t', '/a%0D%0Ab%00%09'],
  ['/\xc3\xbc\xff', '/%C3%BC%FF'],
  ['/\u202e\ud800', '/%E2%80%AE%EF%BF%BD'],
  [`/${'x'.repeat(600)}?secret`, `/${'x'.repeat(508)}...`],
  [`/${'\xff'.repeat(512)}`, `/${'%FF'.repeat(169)}%...`],
])('a path is recorded without its query, as printable ASCII, and cut: %j', (path, recorded) => {
  expect(loggedPath(path)).toBe(recorded);
});

it('an entry does not hold the query of its request in memory', async () => {
  const logs = [createRequestLog(), createRequestLog()];
  const left = await bytesLeftBy((round) => {
    for (let index = 0; index < 500; index += 1) {
      const query = `${round}-${index}`.padEnd(10).repeat(2_000);
      logs[round]?.record(request({ path: `/some/longer/path/${index}?${query}` }));
    }
  });
  expect(left).toBeLessThan(1_000_000);
  expect(logs[1]?.take().stored.entries).toHaveLength(500);
});

it('a visitor’s method and program are one of a closed list, whatever they send', () => {
  expect(['GET', 'PROPFIND', '=x', ''].map(loggedMethod)).toEqual(['GET', 'OTHER', 'OTHER', 'OTHER']);
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  const agents = [
    chrome,
    `${chrome} Edg/140.0`,
    'Mozilla/5.0 (X11) Gecko/20100101 Firefox/140.0',
    'curl/8.5.0',
  ];
  expect([...agents, 'Googlebot/2.1', '', '=cmd'].map(agentFamilyOf)).toEqual([
    ...['chrome', 'edge', 'firefox', 'script', 'bot', 'other', 'other'],
  ]);
});

it('of a visitor’s address only the network is recorded', () => {
  const log = createRequestLog();
  for (const address of ['203.0.113.77', '2001:db8:1:2:3:4:5:6']) log.record(request({ address }));
  const networks = log.take().stored.entries.map(({ network }) => network);
  expect(networks).toEqual(['203.0.113.0/24', '2001:db8:1::/48']);
});

it('what has no room is counted as missing; a flood on one proxy leaves room for the others', () => {
  const log = createRequestLog({ proxy: 3, all: 5 });
  for (let count = 0; count < 10; count += 1) log.record(request());
  for (let count = 0; count < 3; count += 1) log.record(request({ proxyId: 'p2' }));
  for (let count = 0; count < 9; count += 1) log.record(request({ proxyId: 'p3', mode: 'live' }));
  const { stored, live } = log.take();
  expect(stored.entries.map(({ proxyId }) => proxyId)).toEqual(['p1', 'p1', 'p1', 'p2', 'p2']);
  expect(stored.missed).toEqual([
    { proxyId: 'p1', tunnelId: 't1', count: 7 },
    { proxyId: 'p2', tunnelId: 't1', count: 1 },
  ]);
  expect(live.entries).toEqual([]);
});

it('hands on again what could not be stored, and shows what is not stored to watchers alone', async () => {
  const log = createRequestLog({ proxy: 1_200, all: 2_000 });
  for (let count = 0; count < 1_300; count += 1) log.record(request());
  log.record(request({ proxyId: 'p2', mode: 'live' }));
  const shown: LoggedRequests[] = [];
  const stored: LoggedRequests[] = [];
  let left = 1;
  const out = {
    show: (requests: LoggedRequests) => void shown.push(requests),
    store: async (requests: LoggedRequests) => {
      left -= 1;
      if (left < 0) throw new Error('the bus is away');
      stored.push(requests);
    },
  };
  await expect(handOn(log, out)).rejects.toThrow('away');
  left = 9;
  await handOn(log, out);
  expect(stored.map(({ entries }) => entries.length)).toEqual([500, 500, 200]);
  expect(stored.flatMap(({ missed }) => missed)).toEqual([{ proxyId: 'p1', tunnelId: 't1', count: 100 }]);
  expect(shown.flatMap(({ entries }) => entries)).toMatchObject([{ proxyId: 'p2' }]);
});
