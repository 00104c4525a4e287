import type { Routes, Verb } from '@talpa/contracts';
import { readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { AuthContext } from '../context.ts';
import { type InvitationRow, invitationColumns, isUsable, publicInvitation } from './sql.ts';

/** All invitations, oldest first unless another order is asked for. */
export const listInvitations: Verb<Routes['GET /api/admin/invitations'], AuthContext> = async (
  context,
  input,
) => {
  const { sql } = context;
  const { state, q } = input;
  const id = sql`invitations.id`;
  const { rows, facts } = await readPage<InvitationRow, ReturnType<typeof publicInvitation>>(
    sql,
    input,
    {
      columns: invitationColumns(sql),
      from: sql`invitations`,
      id,
      where: [
        ...(state === undefined ? [] : [state === 'open' ? isUsable(sql) : sql`not (${isUsable(sql)})`]),
        ...(q === undefined ? [] : [contains(sql, q, sql`lower(note)`, sql`lower(note)`)]),
      ],
      sorts: { createdAt: { by: id, valueOf: (row) => row.id } },
    },
    publicInvitation,
  );
  context.setPage(facts);
  return rows;
};
