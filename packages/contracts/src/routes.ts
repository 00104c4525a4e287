import type { Resource } from './access.ts';
import type { AuditAction } from './audit.ts';
import type { Entry, Method } from './entry.ts';
import { accessRoutes } from './routes/access.ts';
import { accountRoutes } from './routes/account.ts';
import { adminRoutes } from './routes/admin.ts';
import { announcementRoutes } from './routes/announcements.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditRoutes } from './routes/audit.ts';
import { channelRoutes } from './routes/channels.ts';
import { domainRoutes } from './routes/domains.ts';
import { enrolmentRoutes } from './routes/enrolment.ts';
import { gamePortRoutes } from './routes/game-ports.ts';
import { identityRoutes } from './routes/identities.ts';
import { installationChannelRoutes } from './routes/installation-channels.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { liveRoutes } from './routes/live.ts';
import { mailRoutes } from './routes/mails.ts';
import { memberRoutes } from './routes/members.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { proxyRoutes } from './routes/proxies.ts';
import { requestLogRoutes } from './routes/request-log.ts';
import { secondFactorRoutes } from './routes/second-factors.ts';
import { serverRoutes } from './routes/servers.ts';
import { subscriptionRoutes } from './routes/subscription.ts';
import { systemRoutes } from './routes/system.ts';
import { userRoutes } from './routes/user.ts';

/** A route that takes an id says what it names: see `resources`. */
type NamingRoutes = { readonly [name: `${Method} /api/${string}:id${string}`]: { readonly of: Resource } };

/** A route that changes something says what the audit trail calls it; null: it leaves nothing there. */
type AuditedRoutes = {
  readonly [name: `${Exclude<Method, 'GET'>} /api/${string}`]: { readonly audit: AuditAction | null };
};

/** Every call of the HTTP API. Gateway, services, OpenAPI and client are derived from this table. */
export const routes = {
  ...userRoutes,
  ...accountRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...apiKeyRoutes,
  ...identityRoutes,
  ...proxyRoutes,
  ...serverRoutes,
  ...enrolmentRoutes,
  ...accessRoutes,
  ...domainRoutes,
  ...gamePortRoutes,
  ...memberRoutes,
  ...requestLogRoutes,
  ...subscriptionRoutes,
  ...systemRoutes,
  ...liveRoutes,
  ...adminRoutes,
  ...invitationRoutes,
  ...auditRoutes,
  ...mailRoutes,
  ...notificationRoutes,
  ...channelRoutes,
  ...installationChannelRoutes,
  ...announcementRoutes,
} as const satisfies Record<`${Method} /api/${string}`, Entry> & NamingRoutes & AuditedRoutes;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
