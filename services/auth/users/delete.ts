import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../app.ts';
import { hasOtherAdministrator, lockAdministrators } from './sql.ts';

/** An administrator deletes a user; his proxies and his subscription follow by the event. */
export const deleteUser: Verb<Routes['DELETE /api/admin/users/:id'], AuthContext> = async (
  context,
  input,
) => {
  if (input.id === context.actor.userId) throw new AppError('self_deletion');
  await context.transaction(async (tx) => {
    await lockAdministrators(tx.sql);
    const [row] = await tx.sql<{ isAdmin: boolean; version: number; createdAt: Date }[]>`
      delete from users where id = ${input.id} returning is_admin, version, created_at`;
    if (!row) throw new AppError('not_found');
    if (row.isAdmin && !(await hasOtherAdministrator(tx.sql, input.id)))
      throw new AppError('last_administrator');
    // The tombstone keeps no name: it outlives the account.
    await tx.emit('user', {
      id: input.id,
      username: '',
      isAdmin: false,
      createdAt: row.createdAt.toISOString(),
      version: row.version + 1,
      deleted: true,
    });
    tx.touch(input.id);
  });
  return null;
};
