import { isIPv4 } from 'node:net';
import type { PortRange } from '@talpa/service-kit/settings/forms';

export const isWithin = ({ first, last }: PortRange, port: number) => first <= port && port <= last;

/** Where the stores listen when their address names no port. */
const usualPorts: Readonly<Record<string, number>> = {
  DATABASE_URL: 5_432,
  NATS_URL: 4_222,
  REDIS_URL: 6_379,
};

/** @throws Error when a setting asks for a port that is one of those for game servers */
function refusePortsWithin(
  range: PortRange | null,
  ports: Readonly<Record<string, number | undefined>>,
): void {
  for (const [setting, port] of Object.entries(ports))
    if (range && port !== undefined && isWithin(range, port))
      throw new Error(
        `${setting} asks for port ${port}, which is one of EDGE_TCP_PORTS. Change one of them.`,
      );
}

/** @throws Error when a server on this machine, to which a setting leads, has a port that is one of those for game servers */
export function refuseServersWithin(
  range: PortRange | null,
  addresses: Readonly<Record<string, string | undefined>>,
): void {
  for (const [setting, address] of Object.entries(addresses))
    for (const port of localPorts(setting, address))
      if (range && isWithin(range, port))
        throw new Error(
          `${setting} leads to port ${port} of this machine, which is one of EDGE_TCP_PORTS. Change one of them.`,
        );
}

interface AddressSettings {
  readonly EDGE_TCP_PORTS: PortRange | null;
  /** Where players connect, and where visitors do. */
  readonly EDGE_TCP_HOST?: string | undefined;
  readonly EDGE_HOST?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}

/**
 * Cookies ignore ports: by http, browsers send those of the panel to game ports of its host, too.
 * @throws Error when neither https keeps them from that, nor a loopback address that is only for trying game ports out
 */
export function refusePortsBesideCookies(settings: AddressSettings): void {
  const { EDGE_TCP_PORTS, EDGE_TCP_HOST: host = '', EDGE_HOST, PUBLIC_URL } = settings;
  if (!EDGE_TCP_PORTS || PUBLIC_URL?.startsWith('https:')) return;
  const isOwnLoopback = isIPv4(host) && host.startsWith('127.') && host !== '127.0.0.1' && host !== EDGE_HOST;
  if (!isOwnLoopback)
    throw new Error(
      "EDGE_TCP_PORTS needs PUBLIC_URL with https: by http, browsers send the panel's cookies to game ports, too. " +
        'To try game ports out on this machine, set EDGE_TCP_HOST=127.0.0.2.',
    );
}

/** The ports of this machine in an address with one server or several. A socket in a folder has none. */
export function localPorts(setting: string, address = ''): readonly number[] {
  if (address.startsWith('unix:') || /[?&]host=(\/|%2f)/i.test(address)) return [];
  const servers = address.matchAll(/(?:\/\/|@|,)(\[[^\]]*\]|[^\s,:@/?[\]]+)(?::(\d+))?(?=[,/?]|$)/g);
  return [...servers].flatMap(([, host = '', port]) =>
    isThisMachine(host) ? [Number(port ?? usualPorts[setting] ?? 0)] : [],
  );
}

const isThisMachine = (host: string) =>
  /^(localhost|127\.[\d.]+|\[::1\]|\[::ffff:127\.[\d.]+\])$/i.test(host);

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
