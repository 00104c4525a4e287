import { preferences, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';

/** One's own preferences; what was never saved has its default. */
export const getPreferences: Verb<Routes['GET /api/user/preferences'], AuthContext> = async ({
  reads,
  actor,
}) => {
  const [row] = await reads<
    { preferences: unknown }[]
  >`select preferences from users where id = ${actor.userId}`;
  if (!row) throw new AppError('not_signed_in');
  return preferences.parse(row.preferences);
};
