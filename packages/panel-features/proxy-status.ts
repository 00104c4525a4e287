// Shared once in the browser: how a proxy is and where, without all one can do with it. See ui.ts.
export { ProxyAddress } from './proxies/address.tsx';
export { ProxyStatus } from './proxies/proxy-status.tsx';
