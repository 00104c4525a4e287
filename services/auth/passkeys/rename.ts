import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { AuthContext } from '../context.ts';
import { lockPasskey, publicPasskey } from './sql.ts';

/** Renames a passkey of the caller. */
export const renamePasskey: Verb<Routes['PUT /api/user/passkeys/:id'], AuthContext> = (
  context,
  { id, name, expected },
) => {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    const row = await lockPasskey(tx.sql, id, userId);
    refuseEditConflict(expected, { name: row.name });
    await tx.sql`update passkeys set name = ${name} where id = ${id}`;
    await tx.audit({
      target: { kind: 'passkey', id, label: name },
      subjectUserId: userId,
      changes: changesBetween({ name: row.name }, { name }),
    });
    tx.invalidate(userId);
    return publicPasskey({ ...row, name }, context.passkeyHost);
  });
};
