import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { readClientHello } from './client-hello.ts';
import { longestName } from './host.ts';

/** What the authority is shown for a name; null when it has no challenge open there, or the address asks too often. */
export type ShowChallenge = (host: string, address: string) => Promise<SecureContext | null>;

const protocol = 'acme-tls/1';
/** What a TLS handshake may take, and before it the ClientHello alone. */
const handshakeMs = 15_000;

/**
 * Answers connections of `acme-tls/1` (TLS-ALPN-01) itself, and gives all others to the server. Node chooses a
 * certificate before it reads ALPN, so the beginning of each connection is read here.
 * @param helloMs a connection has so long for its ClientHello
 */
export function divertChallenges(
  server: Http2SecureServer,
  show: ShowChallenge,
  helloMs = handshakeMs,
): void {
  const [accept] = server.listeners('connection');
  if (!accept) throw new Error('the TLS server has no listener');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    readBeginning(
      socket,
      (beginning) => {
        const hello = readClientHello(beginning);
        if (hello === undefined) return false;
        socket.unshift(beginning);
        const isChallenge = hello?.protocols.length === 1 && hello.protocols[0] === protocol;
        if (isChallenge) void answer(socket, hello.serverName, show);
        else accept.call(server, socket);
        return true;
      },
      helloMs,
    );
  });
}

/** Reads until `take` has what it needs; cuts a connection on which that takes too long. */
function readBeginning(socket: Socket, take: (beginning: Buffer) => boolean, helloMs: number): void {
  let beginning: Buffer = Buffer.alloc(0);
  const cut = () => void socket.destroy();
  const timer = setTimeout(cut, helloMs);
  const look = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read())
      beginning = beginning.length === 0 ? chunk : Buffer.concat([beginning, chunk]);
    if (beginning.length === 0 || socket.destroyed) return;
    // Before it is taken: the server listens for itself.
    socket.off('readable', look);
    if (take(beginning)) {
      clearTimeout(timer);
      socket.off('end', cut);
    } else socket.on('readable', look);
  };
  socket.on('error', () => {});
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', cut);
  socket.on('readable', look);
}

async function answer(socket: Socket, host: string | null, show: ShowChallenge): Promise<void> {
  const context =
    host && host.length <= longestName && (await show(host, socket.remoteAddress ?? '').catch(() => null));
  if (!context || socket.destroyed) return void socket.destroy();
  const secured = new TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    ALPNProtocols: [protocol],
    requestCert: false,
  });
  const timer = setTimeout(() => secured.destroy(), handshakeMs);
  secured.on('error', () => secured.destroy());
  secured.once('close', () => clearTimeout(timer));
  // The handshake is all there is; the authority ends the connection.
  secured.once('secure', () => secured.end());
  secured.resume();
}
