import { readKeyRing } from '@talpa/service-kit/key-ring';
import { createLog } from '@talpa/service-kit/log';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import type Cloudflare from 'cloudflare';
import { APIConnectionError } from 'cloudflare';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';

const stores = useStores();
const provider = useProvider(stores);
const account = { account_id: 'account1' };
let tunnels: Cloudflare['zeroTrust']['tunnels']['cloudflared'];

beforeAll(() => {
  tunnels = provider.client().zeroTrust.tunnels.cloudflared;
});

const create = (name: string) => tunnels.create({ ...account, name });
const names = async () => (await tunnels.list(account)).result.map(({ name }) => name);

describe('a fault', () => {
  it('drops the connection before the work', async () => {
    await provider.fault({ match: { operation: 'createTunnel' }, fault: 'drop', times: 1 });
    await expect(create('one')).rejects.toBeInstanceOf(APIConnectionError);
    expect(await names()).toEqual([]);
    await create('one');
  });

  it('loses the response after the work', async () => {
    await provider.fault({ match: { operation: 'createTunnel' }, fault: 'lose_response', times: 1 });
    await expect(create('one')).rejects.toBeInstanceOf(APIConnectionError);
    expect(await names()).toEqual(['one']);
  });

  it('answers 429 with retry-after, 500, or any refusal', async () => {
    await provider.fault({ fault: '429', retryAfter: 7, times: 1 });
    const limited = await create('one').catch((error) => error);
    expect([limited.status, limited.errors[0].code, limited.headers.get('retry-after')]).toEqual([
      429,
      10_429,
      '7',
    ]);
    await provider.fault({ fault: '500', times: 1 });
    await expect(create('one')).rejects.toMatchObject({ status: 500 });
    await provider.fault({ fault: 'refuse', status: 418, code: 4711, times: 1 });
    await expect(create('one')).rejects.toMatchObject({ status: 418, errors: [{ code: 4711 }] });
    expect(await names()).toEqual([]);
  });

  it('hits only what it matches', async () => {
    await provider.fault({ match: { method: 'post', path: '/cfd_tunnel$' }, fault: '500' });
    expect(await names()).toEqual([]);
    await expect(create('one')).rejects.toMatchObject({ status: 500 });
    await provider.send('DELETE', '/fault-injection/faults');
    await create('one');
  });
});

describe('the injector', () => {
  it('count every call by operation', async () => {
    await create('one');
    await names();
    await names();
    expect(await provider.calls()).toEqual({ createTunnel: 1, listTunnels: 2 });
  });

  it('are not there unless they are opened', async () => {
    const keys = readKeyRing(`k1:${'A'.repeat(43)}`);
    const context = { sql: provider.sql, keys, accountId: 'account1', zoneId: 'zone1' };
    const app = buildApp(context, { token: 'right', faultInjection: false, log: createLog('x', 'silent') });
    const headers = { authorization: 'Bearer right' };
    const { statusCode } = await app.inject({ method: 'GET', url: '/fault-injection/calls', headers });
    expect(statusCode).toBe(404);
  });

  it('ask for the token', async () => {
    const url = new URL('/fault-injection/calls', provider.settings.CLOUDFLARE_BASE_URL);
    expect((await fetch(url)).status).toBe(401);
  });
});
