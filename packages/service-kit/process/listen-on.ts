import type { ListenOptions } from 'node:net';

/** The variable that names the sockets a process has inherited: `EDGE_HTTP_PORT=4,EDGE_CONNECTOR_PORT=5`. */
export const socketsVariable = 'TALPA_SOCKETS';

/**
 * Where to listen: on the socket that the launcher holds for all processes that share the port, else on the port itself.
 * @param setting names the port
 */
export function listenOn(
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
): ListenOptions {
  const sockets = (process.env[socketsVariable] ?? '').split(',').map((one) => one.split('='));
  const fd = sockets.find(([name]) => name === setting)?.[1];
  // `fd` is an option of listen() that the types lack here.
  return fd === undefined ? { host, port } : ({ fd: Number(fd) } as ListenOptions);
}
