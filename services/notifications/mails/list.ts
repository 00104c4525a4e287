import type { Routes, Verb } from '@talpa/contracts';
import { readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { NotificationsContext } from '../context.ts';
import { type MailRow, mailColumns, mailsTable, publicMail } from './sql.ts';

/** The log of emails, the newest first unless another order is asked for. */
export const listMails: Verb<Routes['GET /api/admin/mails'], NotificationsContext> = async (
  context,
  input,
) => {
  const { sql } = context;
  const { state, kind, userId, q } = input;
  const id = sql`mails.id`;
  const name = sql`users.username_key`;
  const { rows, facts } = await readPage<MailRow, ReturnType<typeof publicMail>>(
    sql,
    { ...input, sort: input.sort ?? '-createdAt' },
    {
      columns: mailColumns(sql),
      from: mailsTable(sql),
      id,
      where: [
        ...(state === undefined ? [] : [sql`state = ${state}`]),
        ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
        ...(userId === undefined ? [] : [sql`mails.user_id = ${userId}`]),
        ...(q === undefined ? [] : [contains(sql, q, name, name)]),
      ],
      sorts: { createdAt: { by: id, valueOf: (row) => row.id } },
    },
    publicMail,
  );
  context.setPage(facts);
  return rows;
};
