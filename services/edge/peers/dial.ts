import { connect } from 'node:tls';
import { Http2Connection } from '../http2/connection.ts';
import { clientTrust } from './trust.ts';

const pingMs = 5_000;
const protocol = 'h2';

interface Peer {
  readonly http2: Http2Connection;
  /** Whether it came up. */
  readonly connected: Promise<boolean>;
}

/** Keeps one connection to each other edge that requests are sent to. */
export function createPeerDialler(secret: string) {
  const peers = new Map<string, Peer>();

  const open = (address: string): Peer => {
    const { hostname, port } = new URL(`https://${address}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ ...clientTrust(secret), host, port: Number(port), ALPNProtocols: [protocol] });
    socket.setNoDelay(true);
    const http2 = new Http2Connection(socket, { isEdge: true });
    const timer = setInterval(() => check(http2), pingMs);
    const connected = new Promise<boolean>((resolve) => {
      socket.once('secureConnect', () => {
        if (socket.alpnProtocol !== protocol) http2.destroy(new Error('the other edge speaks no HTTP/2'));
        resolve(!http2.closed);
      });
      http2.once('close', () => {
        clearInterval(timer);
        if (peers.get(address)?.http2 === http2) peers.delete(address);
        resolve(false);
      });
    });
    const peer = { http2, connected };
    peers.set(address, peer);
    return peer;
  };

  return {
    /** The connection to the edge at that address; null when it could not be reached: nothing was sent to it. */
    connect: async (address: string): Promise<Http2Connection | null> => {
      const known = peers.get(address);
      // One that takes no more requests finishes those that it has.
      const { http2, connected } = known && !known.http2.closed ? known : open(address);
      return (await connected) ? http2 : null;
    },
    close: () => {
      for (const { http2 } of peers.values()) http2.destroy();
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
