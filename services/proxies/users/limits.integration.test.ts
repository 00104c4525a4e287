import { type Actor, type ErrorCode, errors, planOf } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { useOtherServices } from '@talpa/test-kit/other-services';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { describe, expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { canCreateProxy } from '../proxies/can-create.ts';
import { withFreshProjections } from './fresh.ts';
import { readQuota, takeQuota } from './limits.ts';

const stores = useStores();
const proxies = useVerbs(stores, 'proxies');
const play = useOtherServices(stores, ['auth', 'billing']);
const context = () => proxies.call(null) as unknown as ProxiesContext & { actor: Actor };

let users = 0;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const hour = 3_600_000;
/** Somebody as proxies knows them: their plan's limit, and until when it holds. */
async function newUser(limit: number, { expiresAt = null as string | null, suspended = false } = {}) {
  users += 1;
  const userId = users * 10;
  await proxies.sql`
    insert into users (user_id, tier, proxy_limit, expires_at, suspended_at, suspension_reason, subscription_version, user_version)
    values (${userId}, 'premium', ${limit}, ${expiresAt}, ${suspended ? new Date() : null},
      ${suspended ? 'Spam' : null}, 1, 1)`;
  return userId;
}
/** Takes the room for one more. */
const take = (userId: number) =>
  withFreshProjections(context(), userId, () => proxies.transaction((tx) => takeQuota(tx, userId)));
const subscription = (id: number, proxyLimit: number) => ({
  ...{ id, tier: 'premium', proxyLimit, expiresAt: null, commandVersion: 0, version: 2, deleted: false },
});
const account = (id: number, suspension: object | null = null) => ({
  ...{ id, username: `max${id}`, isAdmin: false, createdAt: inMs(0), suspension, version: 2, deleted: false },
});
const errorCodes = Object.keys(errors) as ErrorCode[];
const limitReached = (limit: number) => ({ code: 'proxy_limit_reached', params: { limit } });

describe('a plan’s limit', () => {
  it('holds until it ends, and every answer that was made of it, too', async () => {
    const soon = inMs(hour);
    for (const [expiresAt, limit, until] of [
      [soon, 7, soon],
      [inMs(-hour), planOf('free').proxyLimit, null],
    ] as const) {
      const userId = await newUser(7, { expiresAt });
      const published: (string | null)[] = [];
      const answer = await canCreateProxy(
        { ...context(), actor: actorOf(userId), freshUntil: (at) => void published.push(at) },
        {},
      );
      expect(answer).toEqual({ canCreate: true, limit, current: 0 });
      expect(published).toEqual([until]);
    }
  });

  it('gives a suspended user no room', async () => {
    const userId = await newUser(2);
    const actor = actorOf(userId, { suspensionReason: 'Spam' });
    expect(await canCreateProxy({ ...context(), actor }, {})).toMatchObject({ canCreate: false, limit: 2 });
  });

  it('is nothing for a user whose snapshot has not come', async () => {
    await play('billing.readSubscription', async () => null as never);
    await expect(take(1)).rejects.toMatchObject(limitReached(0));
  });
});

describe('a refusal that rests on an old snapshot', () => {
  it('counts only when billing says the same, which is asked once', async () => {
    const [poor, rich] = [await newUser(0), await newUser(0)];
    const asked = await play('billing.readSubscription', subscription(poor, 0));
    await expect(take(poor)).rejects.toMatchObject(limitReached(0));
    expect(asked).toEqual([{ userId: poor }]);
    await play('billing.readSubscription', subscription(rich, 1));
    await take(rich);
    expect(await readQuota(proxies.sql, rich)).toMatchObject({ limit: 1 });
  });

  it.each(errorCodes.filter((code) => code.endsWith('_limit_reached')))(
    'of whatever a plan limits counts only when billing says the same: %s',
    async (code) => {
      const userId = await newUser(0);
      const asked = await play('billing.readSubscription', subscription(userId, 1));
      const refusal = new AppError(code, { params: { limit: 0 } });
      const seen: number[] = [];
      const work = async () => {
        seen.push((await readQuota(proxies.sql, userId)).limit);
        if (seen.length === 1) throw refusal;
        return 'done';
      };
      expect(await withFreshProjections(context(), userId, work)).toBe('done');
      expect([asked, seen]).toEqual([[{ userId }], [0, 1]]);
    },
  );

  it('counts only when auth says the same, and after the suspension the limit is looked at', async () => {
    const [free, held] = [await newUser(0, { suspended: true }), await newUser(1, { suspended: true })];
    const ofAuth = await play('auth.readUsers', { snapshots: [account(free)], next: null });
    const ofBilling = await play('billing.readSubscription', subscription(free, 3));
    await take(free);
    expect([ofAuth, ofBilling]).toEqual([[{ after: free - 1, limit: 1 }], [{ userId: free }]]);
    const suspension = { since: inMs(0), reason: 'Betrug' };
    await play('auth.readUsers', { snapshots: [account(held, suspension)], next: null });
    await expect(take(held)).rejects.toMatchObject({
      ...{ code: 'account_suspended', params: { reason: 'Betrug' } },
    });
  });

  it('is not lifted by what auth says of the next user, who is not taken in either', async () => {
    const userId = await newUser(1, { suspended: true });
    await play('auth.readUsers', { snapshots: [account(userId + 1)], next: null });
    await expect(take(userId)).rejects.toMatchObject({ code: 'account_suspended' });
    expect(await proxies.sql`select 1 from users where user_id = ${userId + 1}`).toHaveLength(0);
  });

  it('of another kind, and one whose owner cannot be asked, is passed on', async () => {
    const userId = await newUser(0);
    await play('billing.readSubscription', subscription(userId, 1), 'internal');
    await expect(take(userId)).rejects.not.toMatchObject(limitReached(0));
    const closed = await newUser(1);
    await proxies.sql`update users set closed = true where user_id = ${closed}`;
    await expect(take(closed)).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(await readQuota(proxies.sql, closed)).toEqual({ limit: 0, current: 0, expiresAt: null });
    const other = new Error('something else');
    await expect(withFreshProjections(context(), userId, () => Promise.reject(other))).rejects.toBe(other);
  });
});
