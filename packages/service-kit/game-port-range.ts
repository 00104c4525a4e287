/** EDGE_TCP_PORTS: the public ports that game ports get. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const isWithin = ({ first, last }: PortRange, port: number) => first <= port && port <= last;

/** Where the stores listen when their address names no port. */
const usualPorts: Readonly<Record<string, number>> = {
  DATABASE_URL: 5_432,
  NATS_URL: 4_222,
  REDIS_URL: 6_379,
};

/** @throws Error when a setting asks for a port that is one of those for game servers */
export function refusePortsWithin(
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
