import { randomUUID } from 'node:crypto';
import { trustProxyOf } from '@talpa/service-kit/trust-proxy';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { roomy, signedSession, useGateways } from '../kit/gateway.ts';
import { useStores } from '../kit/stores.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);
const actor = () => ({ userId: Math.ceil(Math.random() * 1e9), sessionId: randomUUID() });

let addresses = 0;
/** Each test comes from addresses of its own: the counts are in one Redis. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

function signIn(
  app: FastifyInstance,
  username: string,
  remoteAddress: string,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    payload: { username, password: 'guess' },
  });
}
const refuseAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Error-Code': 'invalid_credentials' } }));
const acceptAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Effect-Session': signedSession(actor()) } }));
const statuses = async (times: number, send: (n: number) => Promise<{ statusCode: number }>) => {
  const seen: number[] = [];
  for (let n = 0; n < times; n += 1) seen.push((await send(n)).statusCode);
  return seen;
};

describe('sign-in attempts', () => {
  it('are limited by name, from wherever they come, on all gateways together', async () => {
    const limits = { ...roomy, SIGN_IN_LIMIT: 3 };
    const both = await Promise.all([gateways.start(limits), gateways.start(limits)]);
    const attempts = await refuseAll();
    const name = randomUUID();
    const seen = await statuses(5, (n) =>
      signIn(both[n % 2] as FastifyInstance, n % 2 ? name : name.toUpperCase(), newAddress()),
    );
    expect(seen).toEqual([401, 401, 401, 429, 429]);
    expect(attempts).toHaveLength(3);
  });

  it('are limited by address, whatever the names', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT: 3 });
    await refuseAll();
    const address = newAddress();
    expect(await statuses(4, () => signIn(app, randomUUID(), address))).toEqual([401, 401, 401, 429]);
    const refused = await signIn(app, randomUUID(), address, { 'accept-language': 'en' });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({
      code: 'too_many_requests',
      message: `Too many requests. Please try again in ${seconds} seconds.`,
    });
  });

  it('that succeed, or that nobody could check, use nothing up', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT: 2 });
    const [name, address] = [randomUUID(), newAddress()];
    await acceptAll();
    expect(await statuses(4, () => signIn(app, name, address))).toEqual([200, 200, 200, 200]);
    await gateways.play('auth.login', () => ({
      body: '{}',
      headers: { 'Error-Code': 'service_unavailable' },
    }));
    expect(await statuses(3, () => signIn(app, name, address))).toEqual([503, 503, 503]);
    await refuseAll();
    expect(await statuses(3, () => signIn(app, name, address))).toEqual([401, 401, 429]);
  });

  it('made at once do not slip through together', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT: 3 });
    const attempts = await refuseAll();
    const [name, address] = [randomUUID(), newAddress()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(app, name, address)));
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(3);
    expect(attempts).toHaveLength(3);
  });
});

describe('an address in X-Forwarded-For', () => {
  const forged = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });

  it('counts for nothing unless a proxy is trusted', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT: 2 });
    await refuseAll();
    const address = newAddress();
    expect(await statuses(3, (n) => signIn(app, randomUUID(), address, forged(n)))).toEqual([401, 401, 429]);
  });

  it.each(['1', '198.51.100.0/24'])('counts when TRUST_PROXY is %s', async (setting) => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT: 2 }, { trustProxy: trustProxyOf(setting) });
    const received = await refuseAll();
    const address = newAddress();
    const seen = await statuses(3, (n) =>
      signIn(app, randomUUID(), address, forged(100 + 10 * setting.length + n)),
    );
    expect(seen).toEqual([401, 401, 401]);
    expect(received[0]?.origin.address).toBe(`203.0.113.${100 + 10 * setting.length}`);
  });
});

describe('other requests', () => {
  it('are limited: registrations by address, changes and reads by user', async () => {
    const app = await gateways.start({ ...roomy, REGISTER_LIMIT: 2, MUTATION_LIMIT: 3, REQUEST_LIMIT: 8 });
    await gateways.play('auth.register', () => ({
      body: '{}',
      headers: { 'Effect-Session': signedSession(actor()) },
    }));
    const remoteAddress = newAddress();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const register = () =>
      app.inject({
        method: 'POST',
        url: '/api/register',
        remoteAddress,
        headers,
        payload: { username: 'mole', password: 'long enough' },
      });
    expect(await statuses(3, register)).toEqual([201, 201, 429]);

    const user = { ...actor(), isAdmin: false };
    const cookie = `talpa_session=${signedSession(user)}`;
    await gateways.play('auth.getSession', () => ({ body: JSON.stringify(user) }));
    await gateways.play('billing.changePlan', () => ({ body: '{}' }));
    await gateways.play('auth.getPreferences', () => ({ body: '{}' }));
    const change = () =>
      app.inject({
        method: 'POST',
        url: '/api/user/subscription',
        headers: { ...headers, cookie },
        payload: { planId: 'free' },
      });
    const read = () => app.inject({ url: '/api/user/preferences', headers: { cookie } });
    expect(await statuses(4, change)).toEqual([200, 200, 200, 429]);
    expect(await statuses(5, read)).toEqual([200, 200, 200, 200, 429]);
  });
});
