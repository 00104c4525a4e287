import { type PortRange, refusePortsWithin, refuseServersWithin } from '@talpa/service-kit/game-port-range';

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
  const { EDGE_HTTPS_PORT, EDGE_CONNECTOR_PORT, EDGE_PEER_PORT } = settings;
  const visitors = httpPort === undefined ? { TUNNEL_PUBLIC_PORT } : { EDGE_HTTP_PORT: httpPort };
  refusePortsWithin(range, { ...visitors, EDGE_HTTPS_PORT, EDGE_CONNECTOR_PORT, EDGE_PEER_PORT });
}

/** The system gives these to programs that ask for any port. */
const firstEphemeralPort = 32_768;

interface ServerSettings {
  readonly EDGE_TCP_PORTS: PortRange | null;
  readonly DATABASE_URL: string;
  readonly NATS_URL: string;
  readonly EDGE_PANEL_URL?: string | undefined;
  readonly HEALTH_PORT?: number | undefined;
  readonly METRICS_PORT: number;
}

/**
 * Refuses a range with a port of the process or of a server on this machine. Ports that the system has chosen are let pass: those of the
 * stores of `npm start` are others at each start. A game port there says that it could not be opened.
 * @throws Error
 */
export function refuseServerPorts(settings: ServerSettings): void {
  const { EDGE_TCP_PORTS: range, HEALTH_PORT, METRICS_PORT } = settings;
  const { DATABASE_URL, NATS_URL, EDGE_PANEL_URL } = settings;
  refusePortsWithin(range, { HEALTH_PORT, METRICS_PORT });
  if (range)
    refuseServersWithin(
      { ...range, last: Math.min(range.last, firstEphemeralPort - 1) },
      { DATABASE_URL, NATS_URL, EDGE_PANEL_URL },
    );
}
