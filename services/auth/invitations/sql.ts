import { createHash } from 'node:crypto';
import type { Invitation, Tier } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

export interface InvitationRow {
  id: number;
  state: Invitation['state'];
  tier: Tier | null;
  months: number | null;
  uses: number;
  used: number;
  expiresAt: Date | null;
  note: string;
  createdAt: Date;
}

/** How long an invitation is kept after its end. */
const keptDays = 90;

/** What makes an invitation one that may be used. */
export const isUsable = (sql: AnySql) =>
  sql`revoked_at is null and used_up_at is null and (expires_at is null or expires_at > now())`;

export const invitationColumns = (sql: AnySql) => sql`
  id, tier, months, uses, used, expires_at, note, created_at, case
    when revoked_at is not null then 'revoked' when used_up_at is not null then 'used_up'
    when expires_at <= now() then 'expired' else 'open'
  end as state`;

export const hashOfCode = (code: string) => createHash('sha256').update(code).digest();

export const publicInvitation = (row: InvitationRow): Invitation => ({
  ...row,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

type Given = Pick<InvitationRow, 'id' | 'tier' | 'months'>;

/** What comes with a code that may be used now. @throws AppError `invitation_invalid` */
export async function findInvitation(sql: AnySql, code: string): Promise<Given> {
  const [row] = await sql<Given[]>`
    select id, tier, months from invitations where code_hash = ${hashOfCode(code)} and ${isUsable(sql)}`;
  if (!row) throw new AppError('invitation_invalid');
  return row;
}

/** Uses an invitation for a new user: of those who try at once, for no more than it has uses. @throws AppError `invitation_invalid` */
export async function useInvitation(tx: Tx, { id }: Given, userId: number): Promise<void> {
  const { count } = await tx.sql`
    update invitations set used = used + 1, used_up_at = case when used + 1 = uses then now() end
    where id = ${id} and ${isUsable(tx.sql)}`;
  if (count === 0) throw new AppError('invitation_invalid');
  await tx.sql`insert into invitation_uses (user_id, invitation_id) values (${userId}, ${id})`;
}

export async function deleteEndedInvitations(sql: AnySql): Promise<void> {
  await sql`
    delete from invitations
    where least(revoked_at, used_up_at, expires_at) < now() - ${`${keptDays} days`}::interval`;
}
