import { preferences, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';

/** The caller's preferences; what was never saved has its default. The address is the one that was entered last. */
export const getPreferences: Verb<Routes['GET /api/user/preferences'], AuthContext> = async ({
  reads,
  actor,
}) => {
  const [row] = await reads<{ preferences: object; email: string | null }[]>`
    select preferences, (
      select address from email_addresses where user_id = users.id and ended_at is null
      order by verified_at nulls first limit 1
    ) as email
    from users where id = ${actor.userId}`;
  if (!row) throw new AppError('not_signed_in');
  return preferences.parse({ ...row.preferences, email: row.email ?? '' });
};
