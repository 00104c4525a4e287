import type { CommandOf, EventOf } from '@talpa/contracts';
import { commandSubject, eventSubject, userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { useServices } from './services.ts';
import { until } from './wait.ts';

export const password = 'geheim-123';
type Order = CommandOf<'notifications.sendMail'>;

/** People who have registered at the auth of `useServices`, and what it says of them. */
export function usersOf(talpa: ReturnType<typeof useServices>, prefix: string) {
  let users = 0;
  const newUser = async () => {
    users += 1;
    const username = `${prefix}${users}`;
    const { session } = await talpa.effects('POST /api/register', null, { username, password });
    const actor = await talpa.whoHas(session);
    if (!actor) throw new Error('no session came with the registration');
    return { username, id: actor.userId, actor, token: session };
  };
  const changedEvents = (id: number) => talpa.received(userChangedSubject('auth', id)).length;
  /** What auth published before it responded has been received. */
  const flush = async () => (await talpa.connectionOf('operator')).flush();
  return {
    newUser,
    newAdmin: async () => {
      const user = await newUser();
      await talpa.sql`update auth.users set is_admin = true where id = ${user.id}`;
      return { ...user, actor: { ...user.actor, isAdmin: true } };
    },
    signIn: (username: string, given = password) =>
      talpa.effects('POST /api/login', null, { username, password: given }),
    /** The rows of the activity log about a user, once there is one. */
    audited: (action: string, userId: number) => talpa.audited('auth', userId, action),
    /** Waits until an email of this kind is ordered for a user. */
    mailed: (userId: number, kind: Order['mail']['kind']) =>
      until(`the email ${kind}`, () =>
        talpa
          .received<Order>(commandSubject('notifications.sendMail'))
          .some((order) => order.userId === userId && order.mail.kind === kind),
      ),
    /** What was published about a user. */
    published: (id: number) => talpa.received<EventOf<'user'>>(eventSubject('user', String(id))),
    /** How often the cache of a user was invalidated. */
    changedEvents,
    /** Does something that must invalidate the cache of a user. */
    invalidating: async <T>(id: number, work: () => Promise<T>): Promise<T> => {
      // Otherwise an event of what was done before could be taken for this one.
      await flush();
      const before = changedEvents(id);
      const result = await work();
      await flush();
      if (changedEvents(id) === before) throw new Error(`the cache of user ${id} was not invalidated`);
      return result;
    },
  };
}
