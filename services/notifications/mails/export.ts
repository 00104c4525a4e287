import type { InternalCalls, OwnMail, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';

const exportedAtOnce = 1_000;

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
  const shown = rows.slice(0, exportedAtOnce);
  const mails = shown.map(({ kind, state, createdAt, stateAt }) => ({
    ...{ kind, state },
    createdAt: createdAt.toISOString(),
    stateAt: stateAt.toISOString(),
  }));
  return { mails, next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null };
};
