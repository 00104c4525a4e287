import { lazyPage } from '@talpa/panel-kit/core';
import type { RouteObject } from '@talpa/panel-kit/router';
import { GermanOnly } from '@talpa/panel-kit/ui';

const Users = lazyPage(() => import('./users/users-page.tsx').then((m) => m.UsersPage));
const Proxies = lazyPage(() => import('./proxies/all-proxies-page.tsx').then((m) => m.AllProxiesPage));

/** What this remote shows, for administrators alone and in German. */
export const routes: RouteObject[] = [
  {
    path: '/admin/users',
    element: (
      <GermanOnly>
        <Users />
      </GermanOnly>
    ),
  },
  {
    path: '/admin/tunnel',
    element: (
      <GermanOnly>
        <Proxies />
      </GermanOnly>
    ),
  },
];
