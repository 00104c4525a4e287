import { errorText } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { endPlan, publishExpiry } from '@talpa/test-kit/plans';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();

describe('the plan’s limit', () => {
  it('lets exactly one of two simultaneous creates through when one place is left', async () => {
    const { client } = await newUser(system.url, 'free');
    const answers = await Promise.all([
      client.try('POST /api/tunnel-configs', proxyInput()),
      client.try('POST /api/tunnel-configs', proxyInput()),
    ]);
    expect(answers.map((response) => response.status).sort()).toEqual([201, 403]);
    const refused = answers.find((response) => response.status === 403);
    expect(refused?.body).toMatchObject({
      code: 'proxy_limit_reached',
      message: errorText('proxy_limit_reached', 'de', { limit: 1 }),
    });
    expect(await client.call('GET /api/tunnel-configs', {})).toHaveLength(1);
  });

  it('shows everywhere at once after a plan change', async () => {
    const { client } = await newUser(system.url, 'free');
    for (const [planId, limit] of [
      ['basic', 3],
      ['enterprise', 25],
      ['free', 1],
    ] as const) {
      await client.call('POST /api/user/subscription', { planId });
      const user = await client.call('GET /api/user', {});
      const canCreate = await client.call('GET /api/user/subscription/can-create-proxy', {});
      const subscription = await client.call('GET /api/user/subscription', {});
      expect([user.proxyLimit, canCreate.limit, subscription.proxyLimit]).toEqual([limit, limit, limit]);
      expect([user.subscriptionTier, subscription.tier]).toEqual([planId, planId]);
      expect(user.subscriptionExpiry).toBe(subscription.expiry);
      expect(subscription.expiry === null).toBe(planId === 'free');
    }
  });

  it('refuses no user by a projection that is late, and every user beyond what billing says', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`update proxies.users set proxy_limit = 0, subscription_version = 0 where user_id = ${user.id}`;
    await sql.end();
    await client.call('POST /api/tunnel-configs', proxyInput());
    const { error } = await client.fail('POST /api/tunnel-configs', proxyInput());
    expect(error.code).toBe('proxy_limit_reached');
  });

  it('cannot be the same plan twice', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { status, error } = await client.fail('POST /api/user/subscription', { planId: 'basic' });
    expect([status, error.message]).toEqual([409, 'Sie haben dieses Abonnement bereits abgeschlossen']);
  });

  it('that an administrator sets holds at once and keeps what exists', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await client.call('POST /api/tunnel-configs', proxyInput());
    await client.call('POST /api/tunnel-configs', proxyInput());
    const admin = await system.admin();
    await admin.call('PUT /api/admin/users/:id', {
      id: user.id,
      username: user.username,
      isAdmin: false,
      proxyLimit: 1,
      subscriptionTier: 'basic',
    });
    expect(await client.call('GET /api/user/subscription/can-create-proxy', {})).toEqual({
      canCreate: false,
      limit: 1,
      current: 2,
    });
    expect((await client.fail('POST /api/tunnel-configs', proxyInput())).status).toBe(403);
  });
});

/** Brings a user’s expiry forward. */
async function expireIn(userId: number, ms: number): Promise<Date> {
  const expiresAt = new Date(Date.now() + ms);
  await publishExpiry(system.talpa, userId, expiresAt);
  return expiresAt;
}

describe('a plan that runs out', () => {
  it('ends for every figure and for creates at the same moment, whatever was cached', async () => {
    const { client, user } = await newUser(system.url, 'premium');
    await client.call('POST /api/tunnel-configs', proxyInput());
    const figures = async () => {
      const [me, quota, subscription] = await Promise.all([
        client.call('GET /api/user', {}),
        client.call('GET /api/user/subscription/can-create-proxy', {}),
        client.call('GET /api/user/subscription', {}),
      ]);
      return { me, quota, subscription };
    };
    const expiresAt = await expireIn(user.id, 4_000);
    await until('all services know the new expiry', async () => {
      const { me, subscription } = await figures();
      return [me.subscriptionExpiry, subscription.expiry].every((time) => time === expiresAt.toISOString());
    });
    await until('it has run out', async () => {
      const before = await figures();
      if (Date.now() >= expiresAt.getTime()) return true;
      expect([before.me.proxyLimit, before.quota.limit, before.subscription.tier]).toEqual([
        10,
        10,
        'premium',
      ]);
      return false;
    });
    const [after, refused] = await Promise.all([
      figures(),
      client.fail('POST /api/tunnel-configs', proxyInput()),
    ]);
    expect(refused.error.code).toBe('proxy_limit_reached');
    expect(after.quota).toEqual({ canCreate: false, limit: 1, current: 1 });
    expect(after.me).toMatchObject({ proxyLimit: 1, subscriptionTier: 'free', subscriptionExpiry: null });
    expect(after.subscription).toMatchObject({ proxyLimit: 1, tier: 'free', expiredTier: 'premium' });
  });
});

describe('a plan that has run out', () => {
  it('holds everywhere when an administrator gives it again', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await endPlan(system.talpa, client, new Date(Date.now() - 60_000));
    const admin = await system.admin();
    const { id, username } = user;
    const basic = { isAdmin: false, proxyLimit: 3, subscriptionTier: 'basic' } as const;
    const saved = await admin.call('PUT /api/admin/users/:id', { id, username, ...basic });
    expect(saved).toMatchObject({ subscriptionTier: 'basic', subscriptionExpiry: null, proxyLimit: 3 });
    expect(await client.call('GET /api/user', {})).toEqual(saved);
    expect(await client.call('GET /api/user/subscription', {})).toMatchObject({
      tier: 'basic',
      expiry: null,
    });
    const quota = await client.call('GET /api/user/subscription/can-create-proxy', {});
    expect(quota).toEqual({ canCreate: true, limit: 3, current: 0 });
  });
});

describe('the totals', () => {
  it('count users and proxies as they come and go', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await client.call('GET /api/system/stats', {});
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await expect
      .poll(async () => (await client.call('GET /api/system/stats', {})).totalProxies)
      .toBe(before.totalProxies + 1);
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    await expect
      .poll(async () => (await client.call('GET /api/system/stats', {})).totalProxies)
      .toBe(before.totalProxies);
  });
});
