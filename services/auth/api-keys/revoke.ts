import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';

/** Revokes one of the caller's API keys, immediately on every gateway. */
export const revokeApiKey: Verb<Routes['DELETE /api/user/api-keys/:id'], AuthContext> = (
  { transaction, actor: { userId } },
  { id },
) =>
  transaction(async (tx) => {
    const [row] = await tx.sql<{ name: string }[]>`
      delete from api_keys where id = ${id} and user_id = ${userId} returning name`;
    if (!row) throw new AppError('not_found');
    await tx.audit({ target: { kind: 'apiKey', id, label: row.name }, subjectUserId: userId });
    tx.invalidate(userId);
    return null;
  });
