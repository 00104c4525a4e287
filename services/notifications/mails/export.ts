import { exportBytes, type InternalCalls, type OwnMail, type Verb } from '@talpa/contracts';
import { fitting } from '@talpa/service-kit/database/page';
import type { NotificationsContext } from '../context.ts';

const exportedAtOnce = 500;

/** Which emails a user was sent, and what became of them; what they said is not kept. */
export const exportUser: Verb<InternalCalls['notifications.exportUser'], NotificationsContext> = async (
  { sql },
  { userId, after },
) => {
  const rows = await sql<
    (Pick<OwnMail, 'kind' | 'state'> & { id: number; createdAt: Date; stateAt: Date })[]
  >`
    select id, kind, created_at, state, state_at from mails
    where user_id = ${userId} and id > ${after ?? 0} order by id limit ${exportedAtOnce + 1}`;
  const exported = ({ kind, state, createdAt, stateAt }: (typeof rows)[number]) => ({
    kind,
    state,
    createdAt: createdAt.toISOString(),
    stateAt: stateAt.toISOString(),
  });
  const mails = fitting(rows.slice(0, exportedAtOnce), exported, exportBytes.mails);
  return { mails, next: mails.length < rows.length ? (rows[mails.length - 1]?.id ?? null) : null };
};
