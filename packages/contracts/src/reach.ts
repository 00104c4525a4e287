/** Whether a host is the machine on which it is used: an address of its loopback, or a name below `localhost`. */
export const isLoopback = (host: string): boolean => /^(127\.|\[?::1\]?$|([\w-]+\.)*localhost$)/.test(host);

/** Whether connectors or visitors on other machines would look for tunnels at themselves. @param address `host:port` of the edge */
export const isOnlyHere = (address: string, tunnelDomain: string): boolean =>
  isLoopback(address.replace(/:\d+$/, '')) || isLoopback(tunnelDomain);
