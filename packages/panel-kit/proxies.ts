// Shared once in the browser: what one does with a proxy, one's own or, as administrator, anybody's.
export { ProxyAddress } from './proxies/address.tsx';
export { DeleteDialog } from './proxies/delete-dialog.tsx';
export { EditDialog } from './proxies/edit-dialog.tsx';
export { InstallDialog } from './proxies/install-dialog.tsx';
export { proxySorts, proxyStatuses, useProxyChoices } from './proxies/list-choices.ts';
export { newProxy, ProxyFields, type ProxyValues, toRequest } from './proxies/proxy-fields.tsx';
export { ProxyStatus } from './proxies/proxy-status.tsx';
export { RecreateButton } from './proxies/recreate-button.tsx';
export { lacksTunnel, RecreateDialog } from './proxies/recreate-dialog.tsx';
export { StatusDialog } from './proxies/status-dialog.tsx';
export { LiftSuspensionDialog, SuspendDialog } from './proxies/suspend-dialog.tsx';
export { SuspendedAlert } from './proxies/suspended-alert.tsx';
export { useKept } from './proxies/use-kept.ts';
