import { monthsAfter, planOf, type SessionActor, type Tier } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { appliedSubject } from '@talpa/service-kit/bus/subjects';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { describe, expect, it } from 'vitest';
import type { BillingContext } from '../context.ts';
import { changePlan } from './change-plan.ts';
import { closeWithUser } from './close.ts';
import { getSubscription } from './get.ts';
import { setSubscription } from './set.ts';
import { lockSubscription, saveSubscription } from './sql.ts';

const stores = useStores();
const billing = useVerbs(stores, 'billing');
const day = 86_400_000;
const settings = { PLAN_CHANGES: 'self', STREAM_WATCH_MS: 3_600_000 };

let users = 0;
/** Somebody with a plan that ends then. */
async function userWith(tier: Tier, expiresAt: Date | null) {
  users += 1;
  const userId = users;
  await billing.transaction(async (tx) => {
    const row = await lockSubscription(tx, userId);
    await saveSubscription(tx, { ...row, tier, proxyLimit: planOf(tier).proxyLimit, expiresAt });
  });
  const actor: SessionActor = { userId, isAdmin: false, sessionId: '' };
  const context = () =>
    ({ ...billing.call(actor, 'subscription.change'), settings }) as unknown as BillingContext & {
      actor: SessionActor;
    };
  let version = 1;
  return {
    userId,
    seen: () => getSubscription(context(), {}),
    order: (planId: Tier) => changePlan(context(), { planId }),
    /** An administrator gives the user a plan. */
    given: (next: Tier | null, proxyLimit: number, at = new Date(), months?: number) => {
      version += 1;
      const order = { userId, tier: next, proxyLimit, version, at: at.toISOString(), months };
      return billing.transaction((tx) => setSubscription(tx, order));
    },
    /** Its time is over. */
    endNow: () => billing.sql`update subscriptions set expires_at = now() where user_id = ${userId}`,
    /** The user has deleted the account. */
    leave: () => billing.transaction((tx) => closeWithUser(tx, userId)),
    published: () => billing.published('subscription', userId),
  };
}
const inDays = (days: number) => new Date(Date.now() + days * day);

describe('a plan that an administrator gives', () => {
  it('keeps the end of the same plan while that lasts, has no other one without months, and is the free one after it', async () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const random = randomFrom(seed);
      const user = await userWith('free', null);
      const free = { tier: 'free' as Tier, proxyLimit: planOf('free').proxyLimit, expiry: null };
      let expected: Omit<typeof free, 'expiry'> & { expiry: string | null } = free;
      for (let step = 0; step < 25; step += 1) {
        if (expected.expiry !== null && random.chance(0.4)) {
          await user.endNow();
          expected = free;
        } else {
          const given = {
            tier: random.pick(['free', 'basic'] as const),
            proxyLimit: random.below(20),
          };
          const [at, months] = [new Date(), random.chance(0.4) ? 1 + random.below(12) : undefined];
          await user.given(given.tier, given.proxyLimit, at, months);
          const kept = given.tier === expected.tier ? expected.expiry : null;
          expected = { ...given, expiry: months ? monthsAfter(at, months).toISOString() : kept };
        }
        expect({ seed, step, ...(await user.seen()) }).toMatchObject({ seed, step, ...expected });
      }
    }
  });

  it('counts from when the administrator gave it, though it arrives after the old plan has ended', async () => {
    const user = await userWith('basic', inDays(-1));
    await user.given('basic', 3, inDays(-2));
    expect(await user.seen()).toMatchObject({ tier: 'free', expiredTier: 'basic' });
  });

  it('later wins, whichever comes last', async () => {
    const user = await userWith('free', null);
    await user.given('premium', 10);
    const at = new Date().toISOString();
    const late = { userId: user.userId, tier: 'basic', proxyLimit: 3, version: 1, at } as const;
    await billing.transaction((tx) => setSubscription(tx, late));
    expect(await user.seen()).toMatchObject({ tier: 'premium', proxyLimit: 10 });
  });
});

it('an order that is refused is waited for no more', async () => {
  const user = await userWith('basic', inDays(20));
  const { nc } = billing.call(null);
  await expect(user.order('basic')).rejects.toMatchObject({ code: 'same_plan' });
  // The server knows by now what is waited for no more.
  await nc.flush();
  const operator = await openBus(stores.stores.natsUrl('operator'), 'operator');
  const before = nc.stats().inMsgs;
  for (const service of ['auth', 'proxies'] as const)
    operator.publish(appliedSubject(service, 'subscription', String(user.userId)), '{}');
  await operator.flush();
  await nc.flush();
  expect(nc.stats().inMsgs).toBe(before);
  await operator.close();
});

describe('a deleted user’s plan', () => {
  it('stays ended, although another is ordered', async () => {
    const user = await userWith('basic', inDays(3));
    await user.leave();
    const ended = await user.published();
    expect(ended.at(-1)).toMatchObject({ tier: null, proxyLimit: 0, deleted: true });
    await expect(user.order('premium')).rejects.toMatchObject({ code: 'not_signed_in' });
    await user.given('premium', 10);
    await user.leave();
    expect(await user.seen()).toMatchObject({ tier: null, proxyLimit: 0 });
    expect(await user.published()).toEqual(ended);
  });

  it('is ended even if the user never had one', async () => {
    users += 1;
    const userId = users;
    await billing.transaction((tx) => closeWithUser(tx, userId));
    const at = new Date().toISOString();
    const order = { userId, tier: 'basic', proxyLimit: 3, version: 9, at } as const;
    await billing.transaction((tx) => setSubscription(tx, order));
    expect(await billing.published('subscription', userId)).toMatchObject([{ tier: null, deleted: true }]);
  });
});
