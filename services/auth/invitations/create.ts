import { invitationCodeLength, type Routes, shownCode, type Verb } from '@talpa/contracts';
import { invalidField } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import type { AuthContext } from '../context.ts';
import { randomCode } from '../random-code.ts';
import { lockAsAdministrator } from '../users/sql.ts';
import { hashOfCode, type InvitationRow, invitationColumns, publicInvitation } from './sql.ts';

/** Creates an invitation. Only this response has its code. */
export const createInvitation: Verb<Routes['POST /api/admin/invitations'], AuthContext> = (
  context,
  input,
) => {
  const { subscriptionTier: tier, months, uses, note } = input;
  if (months !== null && (tier === null || tier === 'free'))
    throw invalidField('months', 'monthsWithoutPlan');
  const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt);
  if (expiresAt && expiresAt <= new Date()) throw invalidField('expiresAt', 'inPast');
  const code = randomCode(invitationCodeLength);
  return context.transaction(async (tx) => {
    await lockAsAdministrator(tx.sql, context.actor);
    const [row] = await tx.sql<[InvitationRow]>`
      insert into invitations (code_hash, tier, months, uses, expires_at, note)
      values (${hashOfCode(code)}, ${tier}, ${months}, ${uses}, ${expiresAt}, ${note})
      returning ${invitationColumns(tx.sql)}`;
    await tx.audit({
      target: { kind: 'invitation', id: row.id, label: note || null },
      subjectUserId: context.actor.userId,
      changes: firstState({ tier, months, uses, expiresAt: row.expiresAt?.toISOString() ?? null }),
    });
    const shown = shownCode(code);
    // Behind `#`, as a reset link's token.
    const path = `/auth#invite=${shown}`;
    return {
      invitation: publicInvitation(row),
      code: shown,
      url: context.publicUrl === undefined ? null : new URL(path, context.publicUrl).href,
      path,
    };
  });
};
