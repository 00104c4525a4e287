import { connect } from 'node:tls';
import { Http2Connection } from '../http2/connection.ts';
import { tunnelHeader } from './protocol.ts';
import { clientTrust } from './trust.ts';

const pingMs = 5_000;
const protocol = 'h2';

type RequestParts = Parameters<Http2Connection['request']>;

/** Keeps one connection to each other edge that requests are sent to. */
export function createPeerDialler(secret: string) {
  const connections = new Map<string, Http2Connection>();

  const open = (address: string): Http2Connection => {
    const { hostname, port } = new URL(`https://${address}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ ...clientTrust(secret), host, port: Number(port), ALPNProtocols: [protocol] });
    socket.setNoDelay(true);
    const http2 = new Http2Connection(socket, { isEdge: true });
    socket.once('secureConnect', () => {
      if (socket.alpnProtocol !== protocol) http2.destroy(new Error('the other edge speaks no HTTP/2'));
    });
    connections.set(address, http2);
    const timer = setInterval(() => check(http2), pingMs);
    http2.once('close', () => {
      clearInterval(timer);
      if (connections.get(address) === http2) connections.delete(address);
    });
    return http2;
  };
  /** One that takes no more requests finishes those that it has. */
  const connectionTo = (address: string) => {
    const known = connections.get(address);
    return known && !known.closed ? known : open(address);
  };

  return {
    /** Opens a request to a tunnel through the edge at that address. */
    request: (address: string, tunnelId: string, ...[fields, ...rest]: RequestParts) =>
      connectionTo(address).request({ ...fields, [tunnelHeader]: tunnelId }, ...rest),
    close: () => {
      for (const http2 of connections.values()) http2.destroy();
    },
  };
}

/** A peer that does not respond to a ping until the next one is due is gone, one that is still not connected too. */
function check(http2: Http2Connection): void {
  let responded = false;
  http2.ping(() => {
    responded = true;
  });
  setTimeout(() => responded || http2.destroy(), pingMs - 100).unref();
}
