import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { lockAsAdministrator } from '../users/sql.ts';

/** An administrator revokes an invitation. One that was revoked already stays as it is. */
export const revokeInvitation: Verb<Routes['DELETE /api/admin/invitations/:id'], AuthContext> = async (
  context,
  { id },
) => {
  await context.transaction(async (tx) => {
    await lockAsAdministrator(tx.sql, context.actor);
    const [row] = await tx.sql<{ note: string; revokedAt: Date | null }[]>`
      select note, revoked_at from invitations where id = ${id} for update`;
    if (!row) throw new AppError('not_found');
    if (row.revokedAt) return;
    await tx.sql`update invitations set revoked_at = now() where id = ${id}`;
    await tx.audit({
      target: { kind: 'invitation', id, label: row.note || null },
      subjectUserId: context.actor.userId,
    });
  });
  return null;
};
