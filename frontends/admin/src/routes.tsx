import { lazyPage, routesOf } from '@talpa/panel-kit/core';
import { GermanOnly } from '@talpa/panel-kit/ui';
import { pages } from './pages.ts';

/** What is still to be set up, on the dashboard. */
export const SetUp = lazyPage(() => import('./system/set-up.tsx').then((m) => m.SetUpPanel));

/** What administrators see of the installation on the dashboard. */
export const Overview = lazyPage(() => import('./overview/overview.tsx').then((m) => m.Overview));

/** What this remote shows, for administrators alone and in German. */
export const routes = routesOf(
  pages,
  {
    users: () => import('./users/users-page.tsx').then((m) => m.UsersPage),
    user: () => import('./user/user-page.tsx').then((m) => m.UserPage),
    invitations: () => import('./invitations/invitations-page.tsx').then((m) => m.InvitationsPage),
    proxies: () => import('./proxies/all-proxies-page.tsx').then((m) => m.AllProxiesPage),
    audit: () => import('./audit/audit-page.tsx').then((m) => m.AuditPage),
    announcements: () => import('./announcements/announcements-page.tsx').then((m) => m.AnnouncementsPage),
    channels: () => import('./channels/channels-page.tsx').then((m) => m.InstallationChannelsPage),
    system: () => import('./system/system-page.tsx').then((m) => m.SystemPage),
    mails: () => import('./mails/mails-page.tsx').then((m) => m.MailsPage),
  },
  (page) => <GermanOnly>{page}</GermanOnly>,
);
