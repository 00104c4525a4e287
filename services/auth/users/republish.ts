import type { InternalCalls, Verb } from '@talpa/contracts';
import {
  type Owned,
  pageSize,
  publishRowAgain,
  republish as republishAll,
} from '@talpa/service-kit/events/republish';
import type { AuthContext } from '../context.ts';
import { snapshotOf, tombstoneOf, type UserRow } from './sql.ts';

const users: Owned<'user'> = {
  name: 'user',
  read: async (sql, { after, limit, lock }) => {
    const rows = await sql<UserRow[]>`
      select * from users where id > ${after} order by id limit ${limit} ${lock ? sql`for share` : sql``}`;
    return rows.map((row) => ({ place: row.id, snapshot: snapshotOf(row) }));
  },
};

const deletedUsers: Owned<'user'> = {
  name: 'user',
  read: async (sql, { after, limit }) => {
    const rows = await sql<Pick<UserRow, 'id' | 'createdAt' | 'version'>[]>`
      select * from deleted_users where id > ${after} order by id limit ${limit}`;
    return rows.map((row) => ({ place: row.id, snapshot: tombstoneOf(row) }));
  },
};

/** All rows that others keep projections of. */
export const owned: readonly Owned[] = [users, deletedUsers];

/** Publishes all rows again. */
export const republish: Verb<InternalCalls['auth.republish'], AuthContext> = async (context) => ({
  count: await context.whileWaiting(republishAll(context, owned)),
});

/** Publishes one row again. */
export const republishRow: Verb<InternalCalls['auth.republishRow'], AuthContext> = async (
  context,
  { id },
) => ({
  published: await publishRowAgain(context, owned, Number(id)),
});

/** A page of the users who are there. */
export const readUsers: Verb<InternalCalls['auth.readUsers'], AuthContext> = async (
  { sql },
  { after, limit: wanted = pageSize },
) => {
  const limit = Math.min(wanted, pageSize);
  const rows = await users.read(sql, { after, limit, lock: false });
  const next = rows.length < limit ? null : (rows.at(-1)?.place ?? null);
  return { snapshots: rows.map(({ snapshot }) => snapshot), next };
};
