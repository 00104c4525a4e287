import { AppError } from '@talpa/service-kit/app-error';
import { forgetKeys } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { hasOtherAdministrator, lockAdministrators, tombstoneOf } from './sql.ts';

/**
 * Deletes a user and their sessions, and emits the tombstone: other services then delete the user's data.
 * @param passwordHash only if this is still their password's.
 * @returns whether they were there
 * @throws AppError `last_administrator`
 */
export async function removeUser(tx: Tx, id: number, passwordHash: string | null = null): Promise<boolean> {
  await lockAdministrators(tx.sql);
  const [row] = await tx.sql<{ username: string; isAdmin: boolean; version: number; createdAt: Date }[]>`
    delete from users where id = ${id} and password_hash = coalesce(${passwordHash}, password_hash)
    returning username, is_admin, version, created_at`;
  if (!row) return false;
  if (row.isAdmin && !(await hasOtherAdministrator(tx.sql, id))) throw new AppError('last_administrator');
  await forgetKeys(tx, id);
  const gone = { id, createdAt: row.createdAt, version: row.version + 1 };
  await tx.sql`
    insert into deleted_users (id, created_at, version) values (${id}, ${gone.createdAt}, ${gone.version})`;
  await tx.emit('user', tombstoneOf(gone));
  await tx.audit({ target: { kind: 'user', id, label: row.username }, subjectUserId: id });
  tx.invalidate(id);
  return true;
}
