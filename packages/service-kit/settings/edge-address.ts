/** Browsers resolve everything below it to their own machine. */
export const defaultTunnelDomain = 'tunnel.localhost';

/** Where connectors look for the edge (`host:port`). */
export function edgeAddressOf(
  connectorPort: number,
  tunnelDomain: string,
  { EDGE_ADDRESS }: { readonly EDGE_ADDRESS?: string | undefined },
): string {
  // Below .localhost everything is this machine; elsewhere the wildcard record leads to the edge.
  const host = tunnelDomain.endsWith('.localhost') ? '127.0.0.1' : tunnelDomain;
  return EDGE_ADDRESS || `${host}:${connectorPort}`;
}
