/** EDGE_TCP_PORTS. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const isWithin = ({ first, last }: PortRange, port: number) => first <= port && port <= last;

type OtherPorts = Partial<
  Record<
    'EDGE_HTTP_PORT' | 'TUNNEL_PUBLIC_PORT' | 'EDGE_HTTPS_PORT' | 'EDGE_CONNECTOR_PORT' | 'EDGE_PEER_PORT',
    number | undefined
  >
>;

/** @throws Error when another port of this edge is one of those for game servers */
export function refuseSharedPorts(
  settings: OtherPorts & { readonly EDGE_TCP_PORTS: PortRange | null },
): void {
  const { EDGE_TCP_PORTS: range, EDGE_HTTP_PORT: httpPort, TUNNEL_PUBLIC_PORT } = settings;
  if (!range) return;
  const { EDGE_HTTPS_PORT, EDGE_CONNECTOR_PORT, EDGE_PEER_PORT } = settings;
  const visitors = httpPort === undefined ? { TUNNEL_PUBLIC_PORT } : { EDGE_HTTP_PORT: httpPort };
  for (const [name, port] of Object.entries({
    ...visitors,
    ...{ EDGE_HTTPS_PORT, EDGE_CONNECTOR_PORT, EDGE_PEER_PORT },
  }))
    if (port !== undefined && isWithin(range, port))
      throw new Error(`${name} asks for port ${port}, which is one of EDGE_TCP_PORTS. Change one of them.`);
}
