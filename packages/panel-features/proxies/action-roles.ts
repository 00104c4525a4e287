import type { ProxyConfig } from '@talpa/contracts';
import { includesRole, type ProxyRole, roleOf } from '@talpa/contracts/roles';

/** What can be done with a proxy; each opens the dialog of its name. */
export type ProxyAction =
  | 'edit'
  | 'install'
  | 'check'
  | 'recreate'
  | 'pause'
  | 'resume'
  | 'suspend'
  | 'lift'
  | 'delete';

/** What one must at least be to a proxy, as the contract says of the call behind each action. */
export const actionRoles: Readonly<Record<ProxyAction, ProxyRole>> = {
  edit: 'manage',
  install: 'operate',
  check: 'view',
  recreate: 'operate',
  pause: 'operate',
  resume: 'operate',
  suspend: 'owner',
  lift: 'owner',
  delete: 'owner',
};

/** These take the token of the server, which answers for its other proxies, too. */
const withToken: readonly ProxyAction[] = ['install', 'recreate'];

/** Whether the reader of a proxy has the role that an action takes. */
export const mayDo = (proxy: ProxyConfig, action: ProxyAction): boolean =>
  includesRole(roleOf(proxy), actionRoles[action]) && (proxy.mayReadToken || !withToken.includes(action));
