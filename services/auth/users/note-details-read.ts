import { AppError } from '@talpa/service-kit/app-error';
import { noteRead } from '@talpa/service-kit/database/note-read';
import type { AuthContext } from '../context.ts';
import { findUser } from './sql.ts';

/** Notes that an administrator looks at what says more of a user than their name. @throws AppError not_found */
export async function noteDetailsRead(context: AuthContext, userId: number): Promise<void> {
  const user = await findUser(context.sql, userId);
  if (!user) throw new AppError('not_found');
  await noteRead(context, {
    target: { kind: 'user', id: userId, label: user.username },
    subjectUserId: userId,
  });
}
