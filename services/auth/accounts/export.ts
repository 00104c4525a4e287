import { type ExportPlace, exportPlace, type Routes, type Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import { recordRead } from '@talpa/service-kit/database/record-read';
import { apiKeysOf } from '../api-keys/sql.ts';
import type { AuthContext } from '../context.ts';
import { exportedEmails } from '../emails/sql.ts';
import { identitiesOf } from '../identities/sql.ts';
import { passkeysOf, publicPasskey } from '../passkeys/sql.ts';
import { getPreferences } from '../preferences/get.ts';
import { secondFactorOf } from '../second-factors/sql.ts';
import { ownSessions } from '../sessions/sql.ts';
import { findUser, suspensionOf } from '../users/sql.ts';

/**
 * Everything that is held about the one who asks: our own, and what each owner says. All of it, or an error. Lists that
 * are too long for one response go on in the next.
 */
export const exportUser: Verb<Routes['GET /api/user/export'], AuthContext> = async (context, { cursor }) => {
  const { sql, nc, actor } = context;
  const { userId } = actor;
  const from = cursor === undefined ? null : readCursor(cursor);
  const user = await findUser(sql, userId);
  if (!user) throw new AppError('not_signed_in');
  const [{ subscription }, ofProxies, ofStats, ofMails, ofInbox, ofChannels, ofRequests] =
    await context.whileWaiting(
      Promise.all([
        callInternal(nc, 'billing.exportUser', { userId }, context),
        from && from.proxies === null
          ? { servers: [], proxies: [], memberships: [], next: null }
          : callInternal(nc, 'proxies.exportUser', { userId, after: from?.proxies ?? null }, context),
        from && from.audit === null
          ? { audit: [], next: null }
          : callInternal(nc, 'stats.exportUser', { userId, after: from?.audit ?? null }, context),
        from && from.mails === null
          ? { mails: [], next: null }
          : callInternal(nc, 'notifications.exportUser', { userId, after: from?.mails ?? null }, context),
        from && from.notifications === null
          ? { notifications: [], next: null }
          : callInternal(
              nc,
              'notifications.exportInbox',
              { userId, after: from?.notifications ?? null },
              context,
            ),
        from && from.deliveries === null
          ? { channels: [], deliveries: [], next: null }
          : callInternal(
              nc,
              'notifications.exportChannels',
              { userId, after: from?.deliveries ?? null },
              context,
            ),
        from && from.requests === null
          ? { requests: [], next: null }
          : callInternal(nc, 'stats.exportRequests', { userId, after: from?.requests ?? null }, context),
      ]),
    );
  const { id, username, isAdmin, createdAt } = user;
  const { servers, proxies, memberships } = ofProxies;
  const { audit } = ofStats;
  const { mails } = ofMails;
  const { notifications } = ofInbox;
  const { channels, deliveries } = ofChannels;
  const place = {
    proxies: ofProxies.next,
    audit: ofStats.next,
    mails: ofMails.next,
    notifications: ofInbox.next,
    deliveries: ofChannels.next,
    requests: ofRequests.next,
  };
  await recordRead(context, { target: { kind: 'user', id, label: username }, subjectUserId: id });
  const isEnd = Object.values(place).every((next) => next === null);
  return {
    exportedAt: new Date().toISOString(),
    user: { id, username, isAdmin, createdAt: createdAt.toISOString(), suspension: suspensionOf(user) },
    preferences: await getPreferences(context, {}),
    emails: await exportedEmails(sql, userId),
    secondFactor: await secondFactorOf(context, userId),
    passkeys: (await passkeysOf(sql, userId)).map((row) => publicPasskey(row, context.passkeyHost)),
    apiKeys: await apiKeysOf(sql, userId),
    identities: await identitiesOf(context, userId),
    subscription,
    proxies,
    memberships,
    servers,
    // So few that the first response holds them all.
    sessions: from ? [] : (await ownSessions(sql, actor)).sessions,
    audit,
    mails,
    notifications,
    // So few that the first response holds them all.
    channels: from ? [] : channels,
    deliveries,
    requests: ofRequests.requests,
    next: isEnd ? null : writeCursor(place),
  };
};

const writeCursor = (at: ExportPlace) => Buffer.from(JSON.stringify(at)).toString('base64url');

function readCursor(cursor: string): ExportPlace {
  try {
    return exportPlace.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidField('cursor', 'invalid');
  }
}
