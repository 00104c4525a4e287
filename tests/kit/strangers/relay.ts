import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A request as it arrived. */
export interface SeenRequest {
  readonly url: string;
  readonly cookie: string | undefined;
}

/** Passes bytes on to a port as they are, and records what its clients send. */
export interface Relay {
  readonly port: number;
  /** All bytes that clients have sent since `forget`. */
  sent(): string;
  /** The requests among them, those for a WebSocket too. */
  seen(): SeenRequest[];
  forget(): void;
  /** How many WebSockets are open. */
  webSockets(): number;
  stop(): Promise<void>;
}

const heads = /^[A-Z]+ (\S+) HTTP\/1\.1\r\n(.*?\r\n)\r\n/gms;

/** @param target the port on this machine that the bytes go to */
export async function startRelay(target: number): Promise<Relay> {
  let connections: { sent: string; isOpen: boolean; isWebSocket: boolean }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const connection = { sent: '', isOpen: true, isWebSocket: false };
    connections.push(connection);
    const origin = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.on('data', (data) => {
      const text = data.toString('latin1');
      connection.sent += text;
      connection.isWebSocket ||= /\r\nupgrade: websocket\r\n/i.test(text);
    });
    client.pipe(origin).pipe(client);
    for (const [one, other] of [
      [client, origin],
      [origin, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => void other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        connection.isOpen = false;
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sent = () =>
    connections
      .map((connection) => connection.sent)
      .filter(Boolean)
      .join('\n');
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    seen: () =>
      [...sent().matchAll(heads)].map(([, url = '', fields = '']) => ({
        url,
        cookie: /^cookie: (.*)\r$/im.exec(fields)?.[1],
      })),
    forget: () => {
      connections = connections.filter(({ isOpen }) => isOpen);
      for (const connection of connections) connection.sent = '';
    },
    webSockets: () => connections.filter(({ isOpen, isWebSocket }) => isOpen && isWebSocket).length,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
