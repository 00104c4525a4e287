/**
 * What the shell itself does not need but the remotes share: naming it makes the build provide it.
 * Nothing of it is loaded before a remote asks.
 */
export const provided = [
  () => import('@talpa/panel-kit/form'),
  () => import('@talpa/panel-kit/proxies'),
  () => import('@talpa/panel-kit/table'),
];
