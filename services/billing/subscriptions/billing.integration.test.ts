import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { type CommandOf, type EventOf, oneMonthAfter, type Subscription, type Tier } from '@talpa/contracts';
import { streamsOf } from '@talpa/service-kit/bus/connect';
import {
  appliedSubject,
  commandSource,
  commandSubject,
  eventSubject,
  userChangedSubject,
} from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until, waitForProjectionsAlone } from '@talpa/test-kit/wait';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const billing = useServices(useStores(), ['billing']);
const day = 86_400_000;
type Snapshot = EventOf<'subscription'>;
const nothing = { tier: null, proxyLimit: 0, expiry: null, expiredTier: null };

/** False: the projections of plans apply each event at once. True: the test itself says when they have applied it. */
let projectionsAreSlow = false;
beforeAll(async () => {
  const nc = await billing.connectionOf('operator');
  nc.subscribe('event.subscription.*', {
    callback: (_error, message) => {
      const id = message.subject.split('.')[2] ?? '';
      for (const service of ['auth', 'proxies'])
        if (!projectionsAreSlow) nc.publish(appliedSubject(service, 'subscription', id), message.data);
    },
  });
  await nc.flush();
});

let users = 0;
function newUser() {
  users += 1;
  const userId = users;
  const actor = actorOf(userId);
  const snapshots = () => billing.received<Snapshot>(eventSubject('subscription', String(userId)));
  const applied = async (service: string, snapshot: Partial<Snapshot>) =>
    billing.publish(appliedSubject(service, 'subscription', String(userId)), snapshot);
  return {
    userId,
    actor,
    snapshots,
    applied,
    seen: () => billing.call('GET /api/user/subscription', actor, {}),
    /** @param key the order's; left out: none */
    order: (planId: Tier, key?: string) =>
      billing.call('POST /api/user/subscription', actor, { planId }, key),
    /** The same from a page that shows this. */
    orderFrom: ({ tier, expiry }: Pick<Subscription, 'tier' | 'expiry'>, planId: Tier, key?: string) =>
      billing.call('POST /api/user/subscription', actor, { planId, expected: { tier, expiry } }, key),
    /** The user has a plan that ends then. */
    has: (tier: Tier, proxyLimit: number, expiresAt: Date | null) => billing.sql`
      insert into billing.subscriptions (user_id, tier, proxy_limit, expires_at, version)
      values (${userId}, ${tier}, ${proxyLimit}, ${expiresAt}, 1)`,
    audited: () => billing.audited('billing', userId),
    changedEvents: () => billing.received(userChangedSubject('billing', userId)).length,
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
  projectionsAreSlow = false;
});
/** From now on the test says when the projections have applied an event, and a call that waits for them waits for that. */
function slowProjections() {
  projectionsAreSlow = true;
  waitForProjectionsAlone();
}

describe('a plan that is ordered', () => {
  it('counts at once, ends a month later, and leaves what has changed in the activity log', async () => {
    const user = newUser();
    expect(await user.seen()).toEqual(nothing);
    const before = new Date();
    const response = await user.order('premium');
    expect(response).toEqual({ ...nothing, tier: 'premium', proxyLimit: 10, expiry: response.expiry });
    const end = new Date(response.expiry ?? 0);
    expect(end.getTime()).toBeGreaterThanOrEqual(oneMonthAfter(before).getTime());
    expect(end.getTime()).toBeLessThanOrEqual(oneMonthAfter(new Date()).getTime());
    expect(await user.seen()).toEqual(response);
    expect(await user.audited()).toMatchObject([
      {
        action: 'subscription.change',
        actor: { userId: user.userId },
        target: { kind: 'subscription', id: String(user.userId), label: null },
        changes: {
          tier: { from: null, to: 'premium' },
          proxyLimit: { from: 0, to: 10 },
          expiry: { from: null, to: response.expiry },
        },
      },
    ]);
    expect(user.snapshots()).toEqual([
      {
        ...{ id: user.userId, tier: 'premium', proxyLimit: 10, expiresAt: response.expiry },
        ...{ commandVersion: 0, version: 1, deleted: false },
      },
    ]);
    expect(user.changedEvents()).toBe(1);
  });

  it('changes nothing where another one was ordered since its page was loaded', async () => {
    const user = newUser();
    await user.has('basic', 3, new Date(Date.now() + 20 * day));
    const page = await user.seen();
    const orders = await Promise.allSettled([
      user.orderFrom(page, 'premium', 'a'),
      user.orderFrom(page, 'enterprise', 'b'),
    ]);
    const refused = orders.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject([{ code: 'edit_conflict' }]);
    const placed = orders.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect([await user.seen()]).toEqual(placed);
    // The order that was placed is, however often it is sent.
    const [planId, key] =
      orders[0]?.status === 'fulfilled' ? (['premium', 'a'] as const) : (['enterprise', 'b'] as const);
    expect([await user.orderFrom(page, planId, key)]).toEqual(placed);
    // A month more is a change, too.
    const ending = newUser();
    await ending.has('basic', 3, new Date(Date.now() + 3 * day));
    const before = await ending.seen();
    await ending.orderFrom(before, 'basic');
    await expect(ending.orderFrom(before, 'premium')).rejects.toMatchObject({ code: 'edit_conflict' });
  });

  it('is renewed though it has run out since its page was loaded, at whose price another one is not', async () => {
    const user = newUser();
    const end = new Date(Date.now() - day);
    await user.has('basic', 3, end);
    const page = { tier: 'basic', expiry: end.toISOString() } as const;
    await expect(user.orderFrom(page, 'premium')).rejects.toMatchObject({ code: 'edit_conflict' });
    expect(await user.orderFrom(page, 'basic')).toMatchObject({ tier: 'basic', expiredTier: null });
  });

  it('never ends when it is the free one', async () => {
    const user = newUser();
    await user.has('premium', 10, new Date(Date.now() + 20 * day));
    expect(await user.order('free')).toEqual({ ...nothing, tier: 'free', proxyLimit: 1 });
  });

  it('is refused while the same one lasts for more than a week', async () => {
    for (const end of [null, new Date(Date.now() + 8 * day)]) {
      const user = newUser();
      await user.has('basic', 3, end);
      await expect(user.order('basic')).rejects.toMatchObject({ code: 'same_plan' });
      expect(await user.seen()).toMatchObject({ tier: 'basic', expiry: end?.toISOString() ?? null });
    }
  });

  it('gets a month more in its last week, and keeps the limit an administrator has set', async () => {
    const user = newUser();
    const end = new Date(Date.now() + 3 * day);
    await user.has('basic', 7, end);
    const expiry = oneMonthAfter(end).toISOString();
    expect(await user.order('basic')).toEqual({ ...nothing, tier: 'basic', proxyLimit: 7, expiry });
    expect(await user.audited()).toMatchObject([
      { changes: { expiry: { from: end.toISOString(), to: expiry } } },
    ]);
  });

  it('changes nothing a second time when it is sent again, even at the same moment', async () => {
    const user = newUser();
    const end = new Date(Date.now() + 3 * day);
    await user.has('basic', 3, end);
    const key = randomUUID();
    const first = await Promise.all([user.order('basic', key), user.order('basic', key)]);
    const renewed = { ...nothing, tier: 'basic', proxyLimit: 3, expiry: oneMonthAfter(end).toISOString() };
    expect([...first, await user.order('basic', key)]).toEqual([renewed, renewed, renewed]);
    await expect(user.order('premium', key)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await user.seen()).toEqual(renewed);
    expect(user.snapshots()).toHaveLength(1);
    expect(await user.audited()).toHaveLength(1);
  });

  it('that was refused can be sent again once it is possible', async () => {
    const user = newUser();
    const key = randomUUID();
    await user.has('basic', 3, null);
    await expect(user.order('basic', key)).rejects.toMatchObject({ code: 'same_plan' });
    await billing.sql`update billing.subscriptions set tier = 'free' where user_id = ${user.userId}`;
    expect(await user.order('basic', key)).toMatchObject({ tier: 'basic' });
  });

  it('returns when all services that show or enforce it have applied it', async () => {
    slowProjections();
    const user = newUser();
    await user.has('free', 1, null);
    let hasReturned = false;
    const response = user.order('basic').finally(() => {
      hasReturned = true;
    });
    const [snapshot] = await until('the snapshot', () => user.snapshots().length > 0 && user.snapshots());
    await user.applied('auth', snapshot as Snapshot);
    await user.applied('proxies', { ...snapshot, version: 1 });
    // Billing has received both when it has responded to something else.
    await newUser().seen();
    expect(hasReturned).toBe(false);
    await user.applied('proxies', snapshot as Snapshot);
    expect(await response).toMatchObject({ tier: 'basic' });
  });
});

describe('a plan', () => {
  it('is cached by nobody beyond its end', async () => {
    const user = newUser();
    const end = new Date(Date.now() + day);
    await user.has('basic', 3, end);
    const { freshUntil } = await billing.effects('GET /api/user/subscription', user.actor, {});
    expect(freshUntil).toBe(end.toISOString());
  });

  it('stands in its user’s export as the user sees it', async () => {
    const user = newUser();
    const { userId } = user;
    expect(await billing.ask('billing.exportUser', { userId })).toEqual({ subscription: nothing });
    await user.has('basic', 3, new Date(Date.now() - day));
    expect(await billing.ask('billing.exportUser', { userId })).toEqual({ subscription: await user.seen() });
  });

  it('is published as it is stored to a projection that lacks it; a missing one as nothing', async () => {
    const user = newUser();
    const { userId } = user;
    expect(await billing.ask('billing.readSubscription', { userId })).toBeNull();
    const end = new Date(Date.now() - day);
    await user.has('basic', 3, end);
    expect(await billing.ask('billing.readSubscription', { userId })).toEqual({
      ...{ id: userId, tier: 'basic', proxyLimit: 3, expiresAt: end.toISOString() },
      ...{ commandVersion: 0, version: 1, deleted: false },
    });
  });

  it('that an administrator has ordered is given, and undoes nothing since when it comes again', async () => {
    const user = newUser();
    const manager = await jetstreamManager(streamsOf(await billing.connectionOf('operator')));
    const obey = async (order: Partial<CommandOf<'billing.setSubscription'>>) => {
      const whole = {
        userId: user.userId,
        tier: 'basic',
        proxyLimit: 5,
        at: new Date().toISOString(),
        ...order,
      };
      await billing.publishStored(commandSubject('billing.setSubscription'), whole);
      await until('it is carried out', async () => {
        const { state } = await manager.streams.info(commandSource('billing.setSubscription').stream);
        return state.messages === 0;
      });
    };
    await obey({ version: 2 });
    expect(await user.seen()).toEqual({ ...nothing, tier: 'basic', proxyLimit: 5 });
    const chosen = await user.order('premium');
    await obey({ version: 2 });
    await obey({ version: 1 });
    expect(await user.seen()).toEqual(chosen);
    await obey({ version: 3, proxyLimit: 6 });
    expect(await user.seen()).toMatchObject({ tier: 'basic', proxyLimit: 6 });
    await until('its snapshot', () => user.snapshots().length > 2);
    expect(user.snapshots()).toMatchObject([
      { tier: 'basic', proxyLimit: 5, commandVersion: 2, version: 1 },
      { tier: 'premium', commandVersion: 2, version: 2 },
      { tier: 'basic', proxyLimit: 6, commandVersion: 3, version: 3 },
    ]);
  });

  it('ends with its user’s account and not before', async () => {
    const user = newUser();
    await user.has('basic', 3, new Date(Date.now() + 3 * day));
    const account = {
      ...{ id: user.userId, username: 'anna', isAdmin: false, createdAt: new Date().toISOString() },
      ...{ suspension: null, version: 1, deleted: false },
    };
    await billing.publishStored(eventSubject('user', String(user.userId)), account);
    await until(
      'the account',
      () => billing.received(appliedSubject('billing', 'user', String(user.userId))).length > 0,
    );
    expect(await user.seen()).toMatchObject({ tier: 'basic' });
    await billing.publishStored(eventSubject('user', String(user.userId)), {
      ...account,
      version: 2,
      deleted: true,
    });
    await until('the end', () => user.snapshots().length > 0);
    expect(user.snapshots()).toMatchObject([{ tier: null, proxyLimit: 0, expiresAt: null, deleted: true }]);
    expect(await user.seen()).toEqual(nothing);
  });
});

it('plans that others have lost are published once more, but nothing of users who never had one', async () => {
  const [first, second] = [newUser(), newUser()];
  await second.has('basic', 3, null);
  await billing.sql`insert into billing.subscriptions (user_id) values (${first.userId})`;
  const [row] = await billing.sql`
    select count(*)::integer as count from billing.subscriptions where version > 0`;
  expect(await billing.ask('billing.republish', {})).toEqual({ count: row?.count });
  expect(
    await until('the snapshot', () => second.snapshots().length > 0 && second.snapshots()),
  ).toMatchObject([{ id: second.userId, tier: 'basic', version: 1 }]);
  expect(first.snapshots()).toEqual([]);
});
