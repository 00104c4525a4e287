import type { Routes, Verb } from '@talpa/contracts';
import { usernameKey } from '@talpa/contracts';
import { readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { AuthContext } from '../context.ts';
import { publicUser, type UserRow, userColumns, usersTable } from './sql.ts';

/** All users, oldest first unless another order is asked for. */
export const listUsers: Verb<Routes['GET /api/admin/users'], AuthContext> = async (context, input) => {
  const { sql } = context;
  const { tier, role, state, q } = input;
  const id = sql`users.id`;
  const { rows, facts } = await readPage<UserRow, ReturnType<typeof publicUser>>(
    sql,
    input,
    {
      columns: userColumns(sql),
      from: usersTable(sql),
      id,
      where: [
        ...(tier === undefined
          ? []
          : [tier === null ? sql`current_tier is null` : sql`current_tier = ${tier}`]),
        ...(role === undefined ? [] : [role === 'admin' ? sql`is_admin` : sql`not is_admin`]),
        ...(state === undefined
          ? []
          : [state === 'suspended' ? sql`suspended_at is not null` : sql`suspended_at is null`]),
        ...(q === undefined ? [] : [contains(sql, usernameKey(q), sql`username_key`, sql`username_key`)]),
      ],
      sorts: {
        createdAt: { by: id, valueOf: (user) => user.id },
        username: { by: sql`username collate natural_order`, valueOf: (user) => user.username },
      },
    },
    publicUser,
  );
  context.setPage(facts);
  return rows;
};
