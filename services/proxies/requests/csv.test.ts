import type { LoggedRequest } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

const request: LoggedRequest = {
  requestId: 'a-TLP',
  at: '2026-06-10T08:00:00.000Z',
  method: 'GET',
  path: '/',
  status: null,
  duration: 3,
  bytesIn: 0,
  bytesOut: 12,
  network: '203.0.113.0/24',
  agent: 'other',
  reason: 'access_denied',
  rule: 3,
};

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['/a;=1+1', '"/a;\'=1+1"'],
  ['/a;b', '"/a;b"'],
  ['/a,"b"', '"/a,""b"""'],
  ['=a,b', '"\'=a,b"'],
  ['/plain', '/plain'],
])('a cell of a CSV is never a formula and never two: %j', (path, cell) => {
  expect(csvOf([{ ...request, path }], false)).toBe(
    `2026-06-10T08:00:00.000Z,GET,${cell},,3,0,12,203.0.113.0/24,other,access_denied,3,a-TLP\r\n`,
  );
});

it('only the first page of a CSV begins with the names of the columns', () => {
  expect(csvOf([], true)).toBe(
    'at,method,path,status,duration,bytesIn,bytesOut,network,agent,reason,rule,requestId\r\n',
  );
  expect(csvOf([], false)).toBe('');
});
