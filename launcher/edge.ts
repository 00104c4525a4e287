import { PlainError } from './say.ts';

/** Where the edge listens, and where connectors reach it. */
export interface EdgeEnvironment {
  readonly EDGE_HOST: string;
  readonly EDGE_HTTP_PORT: string;
  readonly EDGE_CONNECTOR_HOST: string;
  readonly EDGE_CONNECTOR_PORT: string;
  /** `host:port`, for the install instructions. */
  readonly EDGE_ADDRESS: string;
}

const connectorPort = 7_844;

/**
 * The edge's doors, as far as settings do not say otherwise: beside the panel, on the same address; connectors
 * find it under the tunnel domain, or, where that is this machine, here.
 */
export function edgeEnvironment(
  outside: NodeJS.ProcessEnv,
  panel: { readonly host: string; readonly port: number; readonly tunnelDomain: string },
): EdgeEnvironment {
  const { host, port, tunnelDomain } = panel;
  const httpPort = outside.EDGE_HTTP_PORT ?? outside.TUNNEL_PUBLIC_PORT ?? String(port + 1);
  const forConnectors = outside.EDGE_CONNECTOR_PORT ?? String(connectorPort);
  const reached = tunnelDomain.endsWith('.localhost') ? '127.0.0.1' : tunnelDomain;
  return {
    EDGE_HOST: outside.EDGE_HOST ?? host,
    EDGE_HTTP_PORT: httpPort,
    EDGE_CONNECTOR_HOST: outside.EDGE_CONNECTOR_HOST ?? host,
    EDGE_CONNECTOR_PORT: forConnectors,
    EDGE_ADDRESS: outside.EDGE_ADDRESS ?? `${reached}:${forConnectors}`,
  };
}

/** The ports of the edge, each with its setting. @throws PlainError when one is no port */
export function edgeDoors(edge: EdgeEnvironment) {
  return (
    [
      ['EDGE_HTTP_PORT', edge.EDGE_HOST],
      ['EDGE_CONNECTOR_PORT', edge.EDGE_CONNECTOR_HOST],
    ] as const
  ).map(([setting, host]) => {
    const port = Number(edge[setting]);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new PlainError(`${setting} must be a number between 0 and 65535, not “${edge[setting]}”.`);
    return { setting, host, port };
  });
}
