import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import { loadOnce } from '@talpa/panel-kit/core';
import { takeEarlyResponse } from '@talpa/panel-kit/early-response';
import type { RouteObject } from '@talpa/panel-kit/router';
import type { ComponentType } from 'react';

export type RemoteName = 'user' | 'admin';
type LazyComponent = ComponentType & { readonly loadAhead: () => Promise<void> };
/** What a remote exposes. */
interface Exposed {
  readonly routes: RouteObject[];
  /** The admin remote's parts of the dashboard. */
  readonly SetUp?: LazyComponent;
  readonly Overview?: LazyComponent;
}

registerPlugins([
  {
    name: 'manifest-or-failure',
    // An error's JSON would be kept as the manifest for good: only a failed fetch is tried again.
    fetch: async (url: string, init: RequestInit) => {
      const response = await (takeEarlyResponse(new URL(url, location.href).pathname) ?? fetch(url, init));
      if (!response.ok) throw new Error(`${url} returned ${response.status}`);
      return response;
    },
  },
]);
registerRemotes([
  { name: 'user', entry: '/remotes/user/mf-manifest.json' },
  { name: 'admin', entry: '/remotes/admin/mf-manifest.json' },
]);

/** Asks for a remote's routes; a failure can be tried again, unlike that of a static import. */
async function load(name: RemoteName): Promise<Exposed> {
  const module = await loadRemote<Exposed>(`${name}/routes`);
  if (!module) throw new Error(`the remote ${name} has no routes`);
  return module;
}

/** Each remote, loaded when it is needed first. */
export const remotes: Readonly<Record<RemoteName, () => Promise<Exposed>>> = {
  user: loadOnce(() => load('user')),
  admin: loadOnce(() => load('admin')),
};
