import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimHome } from '@talpa/instance/home';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets, type Secrets } from '@talpa/instance/secrets';
import { roomy, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { readLive } from '@talpa/test-kit/live';
import { until } from '@talpa/test-kit/wait';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnNats, startNats } from '../../launcher/stores/nats.ts';
import { type OwnRedis, startRedis } from '../../launcher/stores/redis.ts';

const folders = homeFolders(mkdtempSync(join(tmpdir(), 'talpa-outage-')));
const quiet = () => {};
let nats: OwnNats;
let redis: OwnRedis;
let secrets: Secrets;
beforeAll(async () => {
  await claimHome(folders, quiet);
  secrets = readSecrets(folders.secrets);
  [nats, redis] = await Promise.all([
    startNats(folders, secrets, quiet),
    startRedis(folders, secrets, quiet),
  ]);
});
afterAll(async () => {
  await Promise.all([nats.running.stop(), redis.running.stop()]);
  rmSync(folders.home, { recursive: true, force: true });
});
const gateways = useGateways(() => ({
  adminUrl: '',
  redisUrl: (user) => redis.url(user),
  natsUrl: (user) => nats.url(user),
}));

const actor = { userId: 7, isAdmin: false, sessionId: randomUUID() };
const headers = { cookie: `talpa_session=${signedSession(actor)}`, 'sec-fetch-site': 'same-origin' };
const responseOf = (value: unknown) => ({ body: JSON.stringify(value) });
const subscription = (app: FastifyInstance) => app.inject({ url: '/api/user/subscription', headers });

describe('without Redis', () => {
  it('nothing is cached, nobody is signed out, limits still hold, and it is used again when it is back', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 });
    const sessions = await gateways.play('auth.getSession', () => signedAssertion(actor));
    const calls = await gateways.play('billing.getSubscription', () => responseOf({ proxyLimit: 1 }));
    await subscription(app);
    await subscription(app);
    expect([sessions.length, calls.length]).toEqual([1, 1]);

    await redis.running.stop();
    for (let i = 0; i < 2; i += 1) expect((await subscription(app)).statusCode).toBe(200);
    expect([sessions.length, calls.length]).toEqual([3, 3]);
    await gateways.play('stats.getTotals', () => responseOf({ totalUsers: 1 }));
    expect((await app.inject({ url: '/api/system/stats', headers })).statusCode).toBe(200);
    await gateways.play('auth.login', () => ({
      body: '{}',
      headers: { 'Error-Code': 'invalid_credentials' },
    }));
    const signIn = () =>
      app.inject({
        method: 'POST',
        url: '/api/login',
        headers,
        payload: { username: 'mole', password: 'x' },
      });
    const statuses = [await signIn(), await signIn(), await signIn()].map((response) => response.statusCode);
    expect(statuses).toEqual([401, 401, 429]);

    redis = await startRedis(folders, secrets, quiet);
    await until('responses are cached again', async () => {
      await subscription(app);
      const before = calls.length;
      await subscription(app);
      return calls.length === before;
    });
  });
});

describe('without NATS', () => {
  it('it is not ready and refuses at once, and works again when NATS is back', async () => {
    const app = await gateways.start();
    await gateways.play('auth.getSession', () => signedAssertion(actor));
    await gateways.play('auth.listPasskeys', () => responseOf([]));
    const list = () => app.inject({ url: '/api/user/passkeys', headers });
    const readiness = async () => (await app.inject('/readyz')).statusCode;
    expect([await readiness(), (await list()).statusCode]).toEqual([200, 200]);

    await app.listen({ host: '127.0.0.1', port: 0 });
    const reader = await readLive(app.listeningOrigin, headers.cookie);
    await reader.saw({ type: 'refetch' });

    process.kill(nats.running.pid() ?? 0, 'SIGKILL');
    await until('the gateway says it is not ready', async () => (await readiness()) === 503);
    const refused = await list();
    // Who waits for it to the end of a call’s time gets a 504.
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'service_unavailable']);
    expect((await app.inject('/livez')).statusCode).toBe(200);

    await until('the gateway is ready again', async () => (await readiness()) === 200);
    await until('calls are served again', async () => (await list()).statusCode === 200);
    await until(
      'the open stream says that something may have been missed',
      () => reader.messages.filter(({ type }) => type === 'refetch').length === 2,
    );
    expect(reader.ended()).toBe(false);
    reader.close();
  });
});
