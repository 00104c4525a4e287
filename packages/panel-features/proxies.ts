// Shared once in the browser: what users do with their proxies, and administrators with all.
export { mayDo, type ProxyAction } from './proxies/action-roles.ts';
export {
  ProxyActionButton,
  pauseAction,
  suspensionAction,
  useProxyActions,
} from './proxies/actions.tsx';
export { ProxyAddress } from './proxies/address.tsx';
export { ConnectDialog } from './proxies/lazy-dialogs.tsx';
export { proxySorts, proxyStatuses, useProxyChoices } from './proxies/list-choices.ts';
export { PausedAlert } from './proxies/paused-alert.tsx';
export { ProxyFields } from './proxies/proxy-fields.tsx';
export { hasOwnStatus, ProxyStatus, ServerStatus } from './proxies/proxy-status.tsx';
export { newProxy, type ProxyValues, secondProxy, toRequest } from './proxies/proxy-values.ts';
export { TokenLine, TokenShared } from './proxies/secret-token.tsx';
export { SuspendedAlert } from './proxies/suspended-alert.tsx';
export { useProxyTexts } from './proxies/texts.ts';
export { TextWithHost } from './proxies/unbroken-host.tsx';
export { useAddressFault } from './proxies/use-availability.ts';
export { useKept } from './proxies/use-kept.ts';
export { useOriginFacts } from './proxies/use-origin-facts.ts';
export { useProxiesOf } from './proxies/use-proxies-of.ts';
export { useProxyDialogs } from './proxies/use-proxy-dialogs.tsx';
export { useSharedServer } from './proxies/use-shared-server.ts';
export { useStopped } from './proxies/use-stopped.ts';
export { Sight, VisitorFrame } from './proxies/visitor-frame.tsx';
