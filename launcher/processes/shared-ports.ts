import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';
import { CliError } from '@talpa/instance/cli';

/** A socket that is bound to a port and accepts nothing itself. A child that inherits it listens on it. */
interface BoundSocket {
  getsockname(address: { port?: number }): number;
  close(): void;
}

/** Ports that several processes share. They stay open while one of those is restarted. */
export interface SharedPorts {
  /** By the setting that names each. */
  readonly sockets: Readonly<Record<string, BoundSocket>>;
  /** As they were bound, also where a free one was asked for. */
  readonly ports: Readonly<Record<string, number>>;
  /** Gives them up: they close with the last process that has them. */
  close(): void;
}

/** What Node's cluster module binds its shared ports with. Node has no public way to bind without accepting. */
const { _createServerHandle: bind } = net as unknown as {
  _createServerHandle(address: string, port: number, family: number): BoundSocket | number;
};

/**
 * Binds ports for child processes.
 * @param wanted by the setting that names each; the port 0 picks a free one
 * @throws CliError naming the port that cannot be bound
 */
export async function bindSharedPorts(
  wanted: Readonly<Record<string, { readonly host: string; readonly port: number }>>,
): Promise<SharedPorts> {
  const sockets: Record<string, BoundSocket> = {};
  const ports: Record<string, number> = {};
  const close = () => {
    for (const socket of Object.values(sockets)) socket.close();
  };
  for (const [setting, { host, port }] of Object.entries(wanted)) {
    const { address, family } = await lookup(host);
    const socket = bind(address, port, family);
    // A port that is taken shows only when one asks for the name of the socket.
    const bound: { port?: number } = {};
    const failure = typeof socket === 'number' ? socket : socket.getsockname(bound);
    if (typeof socket !== 'number') sockets[setting] = socket;
    if (failure === 0) {
      ports[setting] = bound.port ?? port;
      continue;
    }
    close();
    throw new CliError(
      `${setting}: port ${port} on ${host} cannot be opened (${getSystemErrorName(failure)}).`,
    );
  }
  return { sockets, ports, close };
}
