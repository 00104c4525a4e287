import type { Server } from '@talpa/contracts';

/** Whether its owner knows it as a server; else it is one with its only proxy. */
export const isKnown = ({ kind, proxyIds }: Server) => kind === 'machine' || proxyIds.length > 1;
