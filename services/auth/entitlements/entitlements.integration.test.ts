import type { ServiceName } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { appliedSubject } from '@talpa/service-kit/bus/subjects';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { until, waitForProjectionsAlone } from '@talpa/test-kit/wait';
import { afterEach, expect, it, vi } from 'vitest';
import type { AuthContext } from '../context.ts';
import { insertUser, nextUserId } from '../users/sql.ts';
import { startLapsing } from './lapse.ts';
import { orderEntitlement } from './order.ts';
import { projectSubscription } from './projection.ts';

const stores = useStores();
const auth = useVerbs(stores, 'auth');
afterEach(() => vi.unstubAllGlobals());

const needed = [
  ['auth', 'subscription'],
  ['proxies', 'subscription'],
  ['proxies', 'user'],
] as const;

const newOperator = () => openBus(stores.stores.natsUrl('operator'), 'operator');
let users = 0;
it.each(needed)('an order does not return before %s has applied its %s', async (late, what) => {
  waitForProjectionsAlone();
  users += 1;
  const userId = users;
  const nc = await newOperator();
  const context = auth.call(null) as unknown as AuthContext;
  const time = new Date().toISOString();
  const snapshots = (version: number) => ({
    // Of its own changes there may be more than orders.
    subscription: {
      ...{ id: userId, tier: 'basic', proxyLimit: 3, expiresAt: null, commandVersion: version },
      ...{ version: 9, deleted: false },
    },
    user: {
      ...{ id: userId, username: 'u', isAdmin: false, createdAt: time, suspension: null },
      ...{ version, deleted: false },
    },
  });
  /** Another service reports that it has applied this; returns once the report has arrived. */
  const applied = async (service: ServiceName, name: 'subscription' | 'user', version: number) => {
    const subject = appliedSubject(service, name, String(userId));
    nc.publish(subject, JSON.stringify(snapshots(version)[name]));
    await nc.flush();
    await context.nc.flush();
  };

  let hasReturned = false;
  const order = { userId, tier: 'basic', proxyLimit: 3, version: 5 } as const;
  const ordered = orderEntitlement(context, userId, async () => order).then(() => {
    hasReturned = true;
  });
  const commands = () => auth.sql<{ payload: object }[]>`
    select payload from outbox where payload->>'userId' = ${String(userId)}`;
  const [command] = await until('the order', async () => {
    const all = await commands();
    return all.length > 0 && all;
  });
  expect(command?.payload).toEqual({ ...order, at: expect.any(String) });
  for (const [service, name] of needed) {
    await applied(service, name, 4);
    if (service !== late || name !== what) await applied(service, name, 5);
  }
  expect(hasReturned).toBe(false);
  await applied(late, what, 5);
  await ordered;
  await nc.close();
});

it('an order that fails is waited for no more', async () => {
  users += 1;
  const [userId, failure] = [users, new Error('refused')];
  const { nc, ...context } = auth.call(null) as unknown as AuthContext;
  await expect(orderEntitlement({ nc, ...context }, userId, () => Promise.reject(failure))).rejects.toBe(
    failure,
  );
  // The server knows by now what is waited for no more.
  await nc.flush();
  const operator = await newOperator();
  const receivedMessages = () => nc.stats().inMsgs;
  const before = receivedMessages();
  for (const [service, name] of needed) operator.publish(appliedSubject(service, name, String(userId)), '{}');
  await operator.flush();
  await nc.flush();
  expect(receivedMessages()).toBe(before);
  await operator.close();
});

it('a plan that has run out is the free one in the list of users until it is renewed, and one that lasts is not', async () => {
  const listed = async (expiresAt: Date | null) => {
    const id = await nextUserId(auth.sql);
    const user = { id, username: `lapse-${id}`, passwordHash: 'x', isAdmin: false };
    await auth.transaction((tx) => insertUser(tx, user));
    await auth.sql`update users set current_tier = 'basic' where id = ${id}`;
    await auth.sql`
      insert into entitlements (user_id, tier, proxy_limit, expires_at, version, deleted)
      values (${id}, 'basic', 3, ${expiresAt}, 1, false)`;
    return {
      tier: async () => (await auth.sql`select current_tier from users where id = ${id}`)[0]?.currentTier,
      renew: () => {
        const plan = { id, tier: 'basic', proxyLimit: 3, expiresAt: null, commandVersion: 2 } as const;
        return auth.transaction((tx) => projectSubscription(tx, { ...plan, version: 2, deleted: false }));
      },
    };
  };
  const [over, lasting, endless] = [
    await listed(new Date(Date.now() - 1_000)),
    await listed(new Date(Date.now() + 3_600_000)),
    await listed(null),
  ];
  const { lifecycle, stop } = newProcess();
  startLapsing(auth.sql, lifecycle);
  await until('the end', async () => (await over.tier()) === 'free');
  await stop();
  expect([await lasting.tier(), await endless.tier()]).toEqual(['basic', 'basic']);
  await over.renew();
  expect(await over.tier()).toBe('basic');
});
