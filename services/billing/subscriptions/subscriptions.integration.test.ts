import { planOf, type SessionActor, type Tier } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { appliedSubject } from '@talpa/service-kit/bus/subjects';
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
    given: (next: Tier | null, proxyLimit: number, at = new Date()) => {
      version += 1;
      const order = { userId, tier: next, proxyLimit, version, at: at.toISOString() };
      return billing.transaction((tx) => setSubscription(tx, order));
    },
    /** The user has deleted the account. */
    leave: () => billing.transaction((tx) => closeWithUser(tx, userId)),
    published: () => billing.published('subscription', userId),
  };
}
const inDays = (days: number) => new Date(Date.now() + days * day);

describe('a plan that an administrator gives', () => {
  it('never expires when it is given again after it has run out', async () => {
    const user = await userWith('basic', inDays(-1));
    expect(await user.seen()).toMatchObject({ tier: 'free', expiredTier: 'basic' });
    await user.given('basic', 3);
    expect(await user.seen()).toEqual({ tier: 'basic', proxyLimit: 3, expiry: null, expiredTier: null });
  });

  it('keeps its end while it lasts; another one has none', async () => {
    const end = inDays(3);
    const user = await userWith('basic', end);
    await user.given('basic', 7);
    expect(await user.seen()).toMatchObject({ tier: 'basic', proxyLimit: 7, expiry: end.toISOString() });
    await user.given('premium', 10);
    expect(await user.seen()).toMatchObject({ tier: 'premium', expiry: null });
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
