import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../app.ts';

/** Saves one's own preferences, all of them. */
export const setPreferences: Verb<Routes['POST /api/user/preferences'], AuthContext> = async (
  context,
  input,
) => {
  await context.transaction(async (tx) => {
    const { count } = await tx.sql`
      update users set preferences = ${tx.sql.json(input)} where id = ${context.actor.userId}`;
    if (count === 0) throw new AppError('not_signed_in');
    tx.touch(context.actor.userId);
  });
  return input;
};
