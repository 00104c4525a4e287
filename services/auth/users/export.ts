import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { AuthContext } from '../app.ts';
import { getPreferences } from '../preferences/get.ts';
import { ownSessions } from '../sessions/sql.ts';
import { findUser, suspensionOf } from './sql.ts';

/** Everything that is held about the one who asks: our own, and what each owner says. All of it, or an error. */
export const exportUser: Verb<Routes['GET /api/user/export'], AuthContext> = async (context) => {
  const { sql, nc, actor } = context;
  const { userId } = actor;
  const user = await findUser(sql, userId);
  if (!user) throw new AppError('not_signed_in');
  const sessions = await ownSessions(sql, actor);
  const [{ subscription }, { proxies }, { audit }] = await context.whileWaiting(
    Promise.all([
      callInternal(nc, 'billing.exportUser', { userId }, context),
      callInternal(nc, 'proxies.exportUser', { userId }, context),
      callInternal(nc, 'stats.exportUser', { userId }, context),
    ]),
  );
  const { id, username, isAdmin, createdAt } = user;
  return {
    exportedAt: new Date().toISOString(),
    user: { id, username, isAdmin, createdAt: createdAt.toISOString(), suspension: suspensionOf(user) },
    preferences: await getPreferences(context, {}),
    subscription,
    proxies,
    sessions,
    audit,
  };
};
