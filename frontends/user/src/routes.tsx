import { routesOf } from '@talpa/panel-kit/core';
import { pages } from './pages.ts';

/** What this remote shows. */
export const routes = routesOf(pages, {
  dashboard: () => import('./dashboard/dashboard-page.tsx').then((m) => m.DashboardPage),
  proxies: () => import('./proxies/proxies-page.tsx').then((m) => m.ProxiesPage),
  proxy: () => import('./proxy/proxy-page.tsx').then((m) => m.ProxyPage),
  server: () => import('./server/server-page.tsx').then((m) => m.ServerPage),
  join: () => import('./members/join-page.tsx').then((m) => m.JoinPage),
  settings: () => import('./settings/settings-page.tsx').then((m) => m.SettingsPage),
  visit: () => import('./visit/visit-page.tsx').then((m) => m.VisitPage),
  secondFactor: () => import('./settings/required-factor-page.tsx').then((m) => m.RequiredFactorPage),
  notifications: () => import('./notifications/notifications-page.tsx').then((m) => m.NotificationsPage),
  subscription: () => import('./subscription/subscription-page.tsx').then((m) => m.SubscriptionPage),
});
