import { lazyPage } from '@talpa/panel-kit/core';
import type { RouteObject } from '@talpa/panel-kit/router';
import { GermanOnly } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';

const Users = lazyPage(() => import('./users/users-page.tsx').then((m) => m.UsersPage));
const Person = lazyPage(() => import('./person/person-page.tsx').then((m) => m.PersonPage));
const Proxies = lazyPage(() => import('./proxies/all-proxies-page.tsx').then((m) => m.AllProxiesPage));
const Audit = lazyPage(() => import('./audit/audit-page.tsx').then((m) => m.AuditPage));

const german = (path: string, page: ReactNode) => ({ path, element: <GermanOnly>{page}</GermanOnly> });

/** What this remote shows, for administrators alone and in German. */
export const routes: RouteObject[] = [
  german('/admin/users', <Users />),
  german('/admin/users/:id', <Person />),
  german('/admin/tunnel', <Proxies />),
  german('/admin/audit', <Audit />),
];
