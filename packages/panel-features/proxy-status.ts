// Shared once in the browser: how a proxy is and where, without its actions. See ui.ts.
export { ProxyAddress } from './proxies/address.tsx';
export { ProxyStatus } from './proxies/proxy-status.tsx';
export { useProxyTexts } from './proxies/texts.ts';
