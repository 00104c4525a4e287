import type { Announcement, EventOf, RequestOf, Routes } from '@talpa/contracts';
import {
  appliedSubject,
  auditSubject,
  eventSubject,
  userChangedSubject,
} from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterEach, describe, expect, it } from 'vitest';
import { forgetOld } from '../retention.ts';
import { announceToSome } from './begin.ts';

const talpa = useServices(useStores(), ['auth', 'notifications']);
const { newUser: register, published } = usersOf(talpa, 'alma');
const admin = actorOf(1, { isAdmin: true });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const german = 'Wartung am Samstag';

type Given = RequestOf<Routes['POST /api/admin/announcements']>;
const announce = (changes: Partial<Given> = {}): Promise<Announcement> =>
  talpa.call('POST /api/admin/announcements', admin, {
    ...{ level: 'warning', titleDe: german, textDe: 'Von 6 bis 8 Uhr.' },
    ...{ titleEn: 'Maintenance on Saturday', textEn: 'From 6 to 8 AM.' },
    ...{ startsAt: inMinutes(-1), endsAt: inMinutes(60) },
    ...changes,
  });
const givenOf = ({ id: _id, state: _state, createdAt: _createdAt, ...given }: Announcement): Given => given;
const end = (id: number) => talpa.call('POST /api/admin/announcements/:id/end', admin, { id });
afterEach(async () => {
  for (const { id, state } of await talpa.call('GET /api/admin/announcements', admin, {}))
    if (state !== 'ended') await end(id);
});

/** Somebody whom notifications knows. */
async function reader(notifications?: object) {
  const person = await register();
  const known = () => talpa.received(appliedSubject('notifications', 'user', String(person.id))).length;
  await until('the person', () => known() > 0);
  if (notifications) {
    const before = known();
    await talpa.call('POST /api/user/preferences', person.actor, { notifications });
    await until('the preferences', () => known() > before);
  }
  const inbox = () => talpa.call('GET /api/user/notifications', person.actor, {});
  return {
    ...{ ...person, inbox },
    shown: () => talpa.call('GET /api/user/notifications/announcements', person.actor, {}),
    /** Their one announcement, once it has come. */
    got: (id: number) =>
      until(`announcement ${id}`, async () => {
        const found = (await inbox()).filter(
          (one) => one.kind === 'announcement' && one.params.announcementId === id,
        );
        expect(found.length).toBeLessThanOrEqual(1);
        return found[0];
      }),
  };
}

/** What a process does every few seconds. */
async function begin(): Promise<void> {
  for (let more = true; more; )
    more = await talpa.sql.begin(async (sql) => {
      await sql`set local search_path to notifications, public`;
      return announceToSome({ sql, invalidate: () => {} } as never);
    });
}

describe('an announcement', () => {
  it('comes into the inboxes of all who want it when it begins, once, and is shown until it is read', async () => {
    const anna = await reader();
    const deaf = await reader({ maintenance: false });
    const later = await announce({ startsAt: inMinutes(30) });
    const { id } = await announce();
    await Promise.all([begin(), begin()]);
    const entry = await anna.got(id);
    expect(entry).toMatchObject({
      ...{ kind: 'announcement', topic: 'announcements', level: 'warning', readAt: null },
      params: { title: { de: german, en: 'Maintenance on Saturday' } },
    });
    await begin();
    expect(await anna.inbox()).toHaveLength(1);
    expect(await anna.shown()).toEqual([entry]);
    expect([await deaf.inbox(), await deaf.shown()]).toEqual([[], []]);
    await talpa.call('POST /api/user/notifications/read', anna.actor, { ids: [entry.id] });
    expect(await anna.shown()).toEqual([]);
    expect(later.state).toBe('planned');
  });

  it('reaches users who come while it is shown, and not those who come later', async () => {
    const { id } = await announce();
    await begin();
    const newcomer = await reader();
    await newcomer.got(id);
    await end(id);
    expect(await (await reader()).inbox()).toEqual([]);
  });

  it('that is corrected is the same in all inboxes, and pages that show it are notified', async () => {
    const anna = await reader();
    const made = await announce();
    await begin();
    await anna.got(made.id);
    const changes = () => talpa.received(userChangedSubject('notifications', anna.id)).length;
    const before = changes();
    const input = { ...givenOf(made), id: made.id, titleDe: 'Wartung am Sonntag', expected: givenOf(made) };
    const corrected = await talpa.call('PUT /api/admin/announcements/:id', admin, input);
    expect(await anna.got(made.id)).toMatchObject({ params: { title: { de: 'Wartung am Sonntag' } } });
    await until('the event', () => changes() > before);
    // Another administrator, who has not seen it.
    await expect(talpa.call('PUT /api/admin/announcements/:id', admin, input)).rejects.toMatchObject({
      code: 'edit_conflict',
    });
    await end(made.id);
    expect(await anna.shown()).toEqual([]);
    expect(await anna.inbox()).toHaveLength(1);
    const again = { ...givenOf(corrected), id: made.id };
    await expect(talpa.call('PUT /api/admin/announcements/:id', admin, again)).rejects.toMatchObject({
      code: 'announcement_ended',
    });
  });

  it('that is ended before it begins reaches nobody', async () => {
    const anna = await reader();
    const { id } = await announce({ startsAt: inMinutes(30) });
    expect(await end(id)).toMatchObject({ state: 'ended' });
    await begin();
    expect(await anna.inbox()).toEqual([]);
    await expect(end(id)).rejects.toMatchObject({ code: 'announcement_ended' });
  });

  it('ends after it begins, and in the future', async () => {
    const soon = inMinutes(60);
    for (const times of [
      { startsAt: soon, endsAt: soon },
      { startsAt: inMinutes(-60), endsAt: inMinutes(-1) },
    ])
      await expect(announce(times)).rejects.toMatchObject({
        code: 'invalid_input',
        issues: [expect.objectContaining({ path: ['endsAt'] })],
      });
  });

  it('is found by state and title, leaves rows in the trail, and is forgotten after a year', async () => {
    const { id } = await announce({ titleDe: 'Straßenfest', startsAt: inMinutes(30) });
    const found = async (input: RequestOf<Routes['GET /api/admin/announcements']>) =>
      (await talpa.call('GET /api/admin/announcements', admin, input)).map((one) => one.id);
    expect(await found({ state: 'planned', q: 'straßen' })).toEqual([id]);
    expect(await found({ state: 'active' })).toEqual([]);
    await end(id);
    await until('the rows', () => {
      const rows = talpa
        .received<{ action: string; target: { id: string } }>(auditSubject('notifications'))
        .filter(({ target }) => target.id === String(id));
      return rows.map(({ action }) => action).join() === 'announcement.create,announcement.end';
    });
    await talpa.sql`
      update notifications.announcements set ends_at = now() - interval '366 days',
        starts_at = now() - interval '367 days' where id = ${id}`;
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path to notifications, public`;
      await forgetOld({ sql, invalidate: () => {} } as never);
    });
    expect(await found({ q: 'straßen' })).toEqual([]);
  });
});

describe('somebody who is gone', () => {
  it('gets nothing', async () => {
    const anna = await reader();
    const user = published(anna.id).at(-1);
    if (!user) throw new Error('no snapshot');
    const gone: EventOf<'user'> = { ...user, deleted: true, version: user.version + 1 };
    const known = () => talpa.received(appliedSubject('notifications', 'user', String(anna.id))).length;
    const before = known();
    await talpa.publishStored(eventSubject('user', String(anna.id)), gone);
    await until('the tombstone', () => known() > before);
    await announce();
    await begin();
    expect(await anna.inbox()).toEqual([]);
  });
});
