import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { limitedFetch } from './limited-fetch.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  const { method, url = '', headers } = request;
  asked.push(`${method} ${url} ${headers['x-kept'] ?? ''}`);
  if (url === '/moved') return response.writeHead(302, { location: '/elsewhere' }).end();
  if (url === '/empty') return response.writeHead(204).end();
  return url === '/silent' ? undefined : response.end('x'.repeat(Number(url.slice(1))));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;
type Options = Parameters<typeof limitedFetch>[1];
const ask = (path: string, more: Partial<Options> = {}) =>
  limitedFetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method: 'GET', body: null, headers: {}, redirect: 'manual', ...more },
  } as Options);

describe('a request to a sign-in provider', () => {
  it('follows no redirect, wherever it leads', async () => {
    const response = await ask('/moved');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/elsewhere']);
    expect(asked.filter((one) => one.includes('/elsewhere'))).toEqual([]);
  });

  it('reads 256 KB of the response, and fails when there is more', async () => {
    expect((await (await ask('/262144')).text()).length).toBe(262_144);
    await expect(ask('/262145')).rejects.toThrow('larger than 262144 bytes');
  });

  it('is what its caller asks for, and takes a response without a body', async () => {
    const response = await ask('/empty', { method: 'POST', body: 'a=1', headers: { 'x-kept': 'yes' } });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(asked).toContain('POST /empty yes');
  });

  it('ends when its caller no longer waits', async () => {
    await expect(ask('/silent', { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  });
});
