import { lazyPage } from '@talpa/panel-kit/core';
import type { RouteObject } from '@talpa/panel-kit/router';

const Dashboard = lazyPage(() => import('./dashboard/dashboard-page.tsx').then((m) => m.DashboardPage));
const Proxies = lazyPage(() => import('./proxies/proxies-page.tsx').then((m) => m.ProxiesPage));
const ProxyDetails = lazyPage(() => import('./proxy/proxy-page.tsx').then((m) => m.ProxyPage));
const Settings = lazyPage(() => import('./settings/settings-page.tsx').then((m) => m.SettingsPage));
const Subscription = lazyPage(() =>
  import('./subscription/subscription-page.tsx').then((m) => m.SubscriptionPage),
);

/** What this remote shows; each page is loaded when it is opened first. */
export const routes: RouteObject[] = [
  { path: '/', element: <Dashboard /> },
  { path: '/tunnel-configuration', element: <Proxies /> },
  { path: '/tunnel-configuration/:id', element: <ProxyDetails /> },
  { path: '/settings', element: <Settings /> },
  { path: '/subscription', element: <Subscription /> },
];
