import { randomUUID } from 'node:crypto';
import type { EventOf, ServiceName } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { appliedSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { until, waitForProjectionsAlone } from '@talpa/test-kit/wait';
import { afterEach, expect, it, vi } from 'vitest';
import type { AuthContext } from '../context.ts';
import { insertUser, nextUserId } from './sql.ts';
import { suspendUser } from './suspend.ts';
import { saveSuspension } from './suspension.ts';

const stores = useStores();
const auth = useVerbs(stores, 'auth');
afterEach(() => vi.unstubAllGlobals());

/** An administrator who is signed in, a user, and what every call of the administrator gets. */
async function newUsers() {
  const sessionId = randomUUID();
  const [adminId, userId] = [await nextUserId(auth.sql), await nextUserId(auth.sql)];
  for (const [id, isAdmin] of [[adminId, true] as const, [userId, false] as const])
    await auth.transaction((tx) =>
      insertUser(tx, { id, username: `suspension-${id}`, passwordHash: 'x', isAdmin }),
    );
  await auth.sql`
    insert into sessions (id, user_id, expires_at, address, user_agent)
    values (${sessionId}, ${adminId}, now() + interval '1 day', '192.0.2.1', 'test')`;
  const actor = actorOf(adminId, { isAdmin: true, sessionId });
  const context = auth.call(actor, 'user.suspend') as unknown as AuthContext & { actor: typeof actor };
  return { userId, context };
}

it('a suspension that starts from another reason than the stored one overwrites nothing', async () => {
  const { userId, context } = await newUsers();
  const suspend = (reason: string, expected: string | null) =>
    suspendUser(context, { id: userId, reason, expected: { reason: expected } });
  await suspend('Spam', null);
  await expect(suspend('Betrug', null)).rejects.toMatchObject({ code: 'edit_conflict' });
  const reason = async () => (await auth.sql`select suspension_reason from users where id = ${userId}`)[0];
  expect(await reason()).toMatchObject({ suspensionReason: 'Spam' });
  await suspend('Betrug', 'Spam');
  expect(await reason()).toMatchObject({ suspensionReason: 'Betrug' });
});

it('a suspension returns once proxies has applied it: no other service, and no earlier state', async () => {
  waitForProjectionsAlone();
  const { userId, context } = await newUsers();
  const nc = await openBus(stores.stores.natsUrl('operator'), 'operator');
  /** Another service reports that it has applied a state of the user; returns once the report has arrived. */
  const applied = async (service: ServiceName, snapshot: EventOf<'user'>) => {
    nc.publish(appliedSubject(service, 'user', String(userId)), JSON.stringify(snapshot));
    await nc.flush();
    await context.nc.flush();
  };

  let hasReturned = false;
  const change = { suspendedAt: new Date(), suspensionReason: 'Spam' };
  const saved = saveSuspension(context, userId, async () => change).then((row) => {
    hasReturned = true;
    return row;
  });
  const published = await until('the user’s snapshot', async () => {
    const all = await auth.published('user', userId);
    return all.length === 2 && all;
  });
  const [before, after] = published as [EventOf<'user'>, EventOf<'user'>];
  await applied('stats', after);
  await applied('proxies', before);
  expect(hasReturned).toBe(false);
  await applied('proxies', after);
  expect(await saved).toMatchObject({ ...change, version: 2 });
  const receivedMessages = context.nc.stats().inMsgs;
  await expect(saveSuspension(context, userId, () => Promise.reject(new Error('refused')))).rejects.toThrow();
  // Nothing is waited for any more, once the server knows that.
  await context.nc.flush();
  await applied('proxies', after);
  expect(context.nc.stats().inMsgs).toBe(receivedMessages);
  await nc.close();
});
