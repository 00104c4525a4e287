import { randomUUID } from 'node:crypto';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

const talpa = useServices(useStores(), ['auth']);
const { newUser, changedEvents, audited } = usersOf(talpa, 'dora');

/** A user with a verified address, and its id. */
async function reachable() {
  const user = await newUser();
  const address = `${user.username}@example.com`;
  await giveEmail(talpa.sql, user.id, address);
  const [row] = await talpa.sql<{ id: number }[]>`
    select id from auth.email_addresses where user_id = ${user.id} and ended_at is null`;
  if (!row) throw new Error('the address was not stored');
  return { user, address, addressId: row.id };
}
const store = (addressId: number, isUndeliverable: boolean) =>
  talpa.ask('auth.storeDeliverability', { addressId, isUndeliverable });
const prepare = (userId: number, kind: 'password_changed' | 'verify_email' | 'notifications') =>
  talpa.ask('auth.prepareMail', { userId, cause: randomUUID(), kind });

describe('a refused address', () => {
  it('is undeliverable from the first refusal until it is delivered to, and open pages show both', async () => {
    const { user, addressId } = await reachable();
    const counts = () =>
      [talpa.received(preferencesSubject(user.id)).length, changedEvents(user.id)] as const;
    for (const isUndeliverable of [true, false]) {
      const [published, invalidated] = counts();
      const { undeliverableSince } = await store(addressId, isUndeliverable);
      expect(undeliverableSince).toEqual(isUndeliverable ? expect.any(String) : null);
      await until('open pages and gateways are notified', () => {
        const now = counts();
        return now[0] > published && now[1] > invalidated;
      });
      expect(await store(addressId, isUndeliverable)).toEqual({ undeliverableSince });
    }
  });

  it('is of no interest once no user has it', async () => {
    const { user, addressId } = await reachable();
    await giveEmail(talpa.sql, user.id, `next-${user.username}@example.com`);
    for (const id of [addressId, 987_654])
      expect(await store(id, true)).toEqual({ undeliverableSince: null });
  });
});

describe('an email', () => {
  it('goes to nobody who is gone', async () => {
    expect(await prepare(987_654, 'notifications')).toBeNull();
  });

  it('about security is delivered to the inbox alone without an address, and is not outdated', async () => {
    const { id, username } = await newUser();
    expect(await prepare(id, 'password_changed')).toEqual({
      ...{ username, language: 'de', address: null, addressId: null },
      ...{ isUndeliverable: false, token: null, isOutdated: false },
    });
    expect(await prepare(id, 'notifications')).toMatchObject({ address: null, isOutdated: false });
  });

  it('whose link was not ordered is outdated', async () => {
    const { user } = await reachable();
    expect(await prepare(user.id, 'verify_email')).toMatchObject({ address: null, isOutdated: true });
  });

  it.each([
    ['still has its link', 71],
    ['has no link any more', 73],
  ])('%s when it is sent %i hours after it was ordered', async (_what, hours) => {
    const user = await newUser();
    const email = `late-${user.username}@example.com`;
    await talpa.call('POST /api/user/preferences', user.actor, { email });
    const [ordered] = await talpa.sql<{ id: string }[]>`
      update auth.one_time_tokens
      set created_at = created_at - ${hours} * interval '1 hour', expires_at = expires_at - ${hours} * interval '1 hour'
      where user_id = ${user.id} returning id`;
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path = auth`;
      await deleteEnded(sql);
    });
    const cause = ordered?.id ?? '';
    const mail = await talpa.ask('auth.prepareMail', { userId: user.id, cause, kind: 'verify_email' });
    expect(mail).toMatchObject(
      hours < 72
        ? { address: email, token: expect.any(String), isOutdated: false }
        : { token: null, isOutdated: true },
    );
  });

  it('to which users subscribe has the same secret each time, by which they unsubscribe', async () => {
    const { user, address, addressId } = await reachable();
    const first = await prepare(user.id, 'notifications');
    expect(first).toEqual({
      ...{ username: user.username, language: 'de', address, addressId },
      ...{ isUndeliverable: false, token: expect.stringMatching(/^[\w-]{43}$/), isOutdated: false },
    });
    expect(await prepare(user.id, 'notifications')).toEqual(first);
  });

  it('is in the language in which its user saved settings last', async () => {
    const { user } = await reachable();
    for (const language of ['en', 'de', 'en'] as const) {
      const changed = { appearance: { theme: 'light' as const } };
      await talpa.call('POST /api/user/preferences', user.actor, changed, undefined, undefined, language);
      expect(await prepare(user.id, 'password_changed')).toMatchObject({ language });
    }
  });

  it('with notifications is turned off by its link, which open pages and the log show, and nothing else is changed', async () => {
    const { user } = await reachable();
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
    await talpa.call('POST /api/user/preferences', user.actor, {
      notifications: { email: true, maintenance: false, quietHours },
      appearance: { theme: 'light', accentColor: 'green' },
    });
    const preferences = () => talpa.call('GET /api/user/preferences', user.actor, {});
    const before = await preferences();
    const { token } = (await prepare(user.id, 'notifications')) ?? {};
    const [published, invalidated] = [
      talpa.received(preferencesSubject(user.id)).length,
      changedEvents(user.id),
    ];
    await talpa.call('POST /api/unsubscription', null, { token: String(token) });
    expect(await preferences()).toEqual({
      ...before,
      notifications: { email: false, system: true, maintenance: false, quietHours },
    });
    await until(
      'open pages and gateways are notified',
      () =>
        talpa.received(preferencesSubject(user.id)).length > published &&
        changedEvents(user.id) > invalidated,
    );
    expect(await audited('user.unsubscribe', user.id)).toEqual([
      expect.objectContaining({ changes: { notifications: {} }, subjectUserId: user.id }),
    ]);
  });

  it('that nobody requested does not go to a refused address', async () => {
    const { user, addressId } = await reachable();
    await store(addressId, true);
    expect(await prepare(user.id, 'notifications')).toMatchObject({
      ...{ address: null, isUndeliverable: false, isOutdated: false },
    });
  });
});
