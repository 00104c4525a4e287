import { useOtherServices } from '@talpa/test-kit/other-services';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import type { AuthContext } from '../context.ts';
import { insertUser, nextUserId } from '../users/sql.ts';
import { exportUser } from './export.ts';

const stores = useStores();
const auth = useVerbs(stores, 'auth');
type List = 'proxies' | 'audit' | 'mails' | 'notifications' | 'deliveries' | 'requests';
const owners = {
  proxies: 'proxies.exportUser',
  audit: 'stats.exportUser',
  mails: 'notifications.exportUser',
  notifications: 'notifications.exportInbox',
  deliveries: 'notifications.exportChannels',
  requests: 'stats.exportRequests',
} as const;
/** Where a list goes on: the log by UUIDs, the others by their ids. */
const placeOf = (list: List, at: number) =>
  list === 'audit' ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` : at;
const play = useOtherServices(stores, ['billing', 'proxies', 'stats', 'notifications']);

it.each([
  ['proxies', 'audit', ['mails', 'notifications', 'deliveries', 'requests']],
  ['audit', 'mails', ['notifications', 'deliveries', 'requests', 'proxies']],
  ['mails', 'notifications', ['deliveries', 'requests', 'proxies', 'audit']],
  ['notifications', 'deliveries', ['requests', 'proxies', 'audit', 'mails']],
  ['deliveries', 'requests', ['proxies', 'audit', 'mails', 'notifications']],
  ['requests', 'proxies', ['audit', 'mails', 'notifications', 'deliveries']],
] as const)(
  'an export goes on where each list ended, and asks no more for %s once it is whole',
  async (short, long, empty) => {
    const id = await nextUserId(auth.sql);
    await auth.transaction((tx) =>
      insertUser(tx, { id, username: `export-${short}`, passwordHash: 'x', isAdmin: false }),
    );
    const part = (list: List, row: number, next: number | null) =>
      play(owners[list], { [list]: [{ id: row }], next: next && placeOf(list, next) });
    const get = async (cursor?: string) => {
      await play('billing.exportUser', { subscription: { tier: null } });
      for (const list of empty) await play(owners[list], { [list]: [], next: null });
      const context = auth.call(actorOf(id), 'user.export') as unknown as AuthContext & {
        actor: ReturnType<typeof actorOf>;
      };
      return exportUser(context, cursor === undefined ? {} : { cursor });
    };
    const row = (number: number) => [{ id: number }];

    const asked = [await part(short, 1, 11), await part(long, 2, 12)];
    const first = await get();
    expect([first[short], first[long]]).toEqual([row(1), row(2)]);
    asked.push(await part(short, 3, null), await part(long, 4, 14));
    const second = await get(first.next ?? '');
    expect([second[short], second[long], second.sessions]).toEqual([row(3), row(4), []]);
    asked.push(await part(long, 5, null));
    // It would get a response once more.
    const tooMuch = await part(short, 6, null);
    const third = await get(second.next ?? '');
    expect([third[short], third[long], third.next]).toEqual([[], row(5), null]);
    const places = [null, null, placeOf(short, 11), placeOf(long, 12), placeOf(long, 14)];
    expect(asked).toEqual(places.map((after) => [{ userId: id, after }]));
    expect(tooMuch).toEqual([]);
  },
);
