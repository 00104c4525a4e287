import { AppError } from '@talpa/service-kit/app-error';
import { recordRead } from '@talpa/service-kit/database/record-read';
import type { AuthContext } from '../context.ts';
import { findUser } from './sql.ts';

/** Records that an administrator looks at what says more of a user than their name. @throws AppError not_found */
export async function recordDetailsRead(context: AuthContext, userId: number): Promise<void> {
  const user = await findUser(context.sql, userId);
  if (!user) throw new AppError('not_found');
  await recordRead(context, {
    target: { kind: 'user', id: userId, label: user.username },
    subjectUserId: userId,
  });
}
