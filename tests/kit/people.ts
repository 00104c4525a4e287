import type { User } from '@talpa/contracts';
import { beforeAll } from 'vitest';
import { useServices } from './services.ts';
import { useStores } from './stores.ts';

export const password = 'geheim-123';

/** People who have registered at the auth of `useServices`, and what it says of them. */
export function peopleOf(talpa: ReturnType<typeof useServices>, prefix: string) {
  let people = 0;
  const newPerson = async () => {
    people += 1;
    const username = `${prefix}${people}`;
    const { session } = await talpa.effects('POST /api/register', null, { username, password });
    const actor = await talpa.whoHas(session);
    if (!actor) throw new Error('no session came with the registration');
    return { username, id: actor.userId, actor, token: session };
  };
  return {
    newPerson,
    newAdmin: async () => {
      const person = await newPerson();
      await talpa.sql`update auth.users set is_admin = true where id = ${person.id}`;
      return { ...person, actor: { ...person.actor, isAdmin: true } };
    },
    signIn: (username: string, given = password) =>
      talpa.effects('POST /api/login', null, { username, password: given }),
    /** The rows of the activity log about a user, once there is one. */
    audited: (action: string, userId: number) => talpa.audited('auth', action, userId),
    /** What others were told of a user. */
    told: (id: number) => talpa.told('user', id),
    /** How often remembered answers about a user were ended. */
    touched: (id: number) => talpa.touched('auth', id),
  };
}

/** Auth, billing and proxies with people who have registered, one of them an administrator. */
export function useAdministration(prefix: string) {
  const talpa = useServices(useStores(), ['auth', 'billing', 'proxies']);
  const people = peopleOf(talpa, prefix);
  let admin: Awaited<ReturnType<typeof people.newAdmin>> | undefined;
  const administrator = () => {
    if (!admin) throw new Error('nobody has registered yet');
    return admin;
  };
  beforeAll(async () => {
    admin = await people.newAdmin();
  });
  return {
    ...{ talpa, people },
    /** The administrator, from the first test on. */
    admin: administrator,
    /** A user as an administrator reads them. */
    read: (id: number) => talpa.call('GET /api/admin/users/:id', administrator().actor, { id }),
  };
}

/** What the form of a user sends when nothing is changed. */
export const formOf = ({ id, username, isAdmin, proxyLimit, subscriptionTier }: User) => ({
  ...{ id, username, isAdmin, proxyLimit, subscriptionTier },
});
