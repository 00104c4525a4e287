import { once } from 'node:events';
import { appliedSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import { type CacheVersions, createCacheVersions } from '@talpa/service-kit/cache-versions';
import { connectRedis } from '@talpa/service-kit/redis/connect';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { admin, useOwners } from '@talpa/test-kit/proxy-owners';
import { useServices } from '@talpa/test-kit/services';
import { planSnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const stores = useStores();
const talpa = useServices(stores, ['billing', 'proxies'], { PROVISION_WAIT_MS: '10000' });
const { newUser, uuidOf } = useOwners(talpa);
const gateway = newProcess();
let versions: CacheVersions;
beforeAll(async () => {
  const redis = connectRedis(stores.stores.redisUrl('gateway'), gateway.lifecycle);
  await once(redis, 'ready');
  versions = createCacheVersions(redis, gateway.lifecycle);
});
afterAll(() => gateway.stop());

type User = Awaited<ReturnType<typeof newUser>>;
const since = new Date().toISOString();
const suspend = (id: number) =>
  talpa.call('POST /api/admin/tunnel-configs/:id/suspension', admin, { id, reason: 'Spam' });
async function observe(id: number): Promise<void> {
  const [proxyId, { cfTunnelId }] = [
    await uuidOf(id),
    await talpa.call('GET /api/tunnel-configs/:id', admin, { id }),
  ];
  await talpa.ask('proxies.observe', {
    seen: [{ proxyId, tunnelId: cfTunnelId ?? '', health: 'healthy' }],
  });
}
async function givePlan({ userId }: User): Promise<void> {
  const known = () => talpa.received(appliedSubject('proxies', 'subscription', String(userId))).length;
  const before = known();
  const plan = planSnapshot(userId, { tier: 'enterprise', proxyLimit: 25, version: 9 });
  await talpa.publishStored(eventSubject('subscription', String(userId)), plan);
  await until('the projection', () => known() > before);
}

/** What changes a response about a user's proxies; each ends when its caller has the response. */
const changes: Readonly<Record<string, (user: User, id: number) => Promise<unknown>>> = {
  'a new proxy': (user) => user.create(),
  'an edit': (user, id) => user.update(id, { serverName: 'Neu' }),
  'another tunnel': (user, id) => user.recreate(id),
  'a deletion': (user, id) => user.remove(id),
  'a connector': (_user, id) => observe(id),
  'a suspension': (_user, id) => suspend(id),
  'a suspension of the owner': (user) => user.account({ version: 2, suspension: { since, reason: 'Spam' } }),
  'another name of the owner': (user) => user.account({ version: 2, username: 'moritz' }),
  'another plan': givePlan,
};

describe('a response about a user’s proxies', () => {
  it.each(Object.entries(changes))('is cached by no gateway any more after %s', async (_name, change) => {
    const user = await newUser();
    const { proxy } = await user.create();
    const shown = async () =>
      JSON.stringify([await talpa.call('GET /api/tunnel-configs', user.actor, {}), await user.may()]);
    const [before, version] = [await shown(), await versions.read([user.userId])];
    expect(version).not.toBeNull();
    await change(user, proxy.id);
    const after = await versions.read([user.userId]);
    expect(await shown()).not.toBe(before);
    expect(after).not.toEqual(version);
  });
});

it('an administrator’s response about another user’s proxy is not cached, an owner’s is', async () => {
  const user = await newUser();
  const { id } = (await user.create()).proxy;
  const { freshUntil } = await talpa.effects('GET /api/tunnel-configs/:id', admin, { id });
  expect(Date.parse(freshUntil ?? '')).toBeLessThanOrEqual(Date.now());
  expect(await talpa.effects('GET /api/tunnel-configs/:id', user.actor, { id })).toMatchObject({
    freshUntil: null,
  });
});
