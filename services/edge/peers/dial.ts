import { type ClientHttp2Session, connect } from 'node:http2';
import type { TunnelConnection } from '../visitors/ports.ts';
import { peerSettings, tunnelHeader } from './protocol.ts';
import { clientTrust } from './trust.ts';

const pingMs = 5_000;

/** Keeps one connection to each other edge that requests are sent to. */
export function createPeerDialler(secret: string) {
  const sessions = new Map<string, ClientHttp2Session>();

  const open = (address: string): ClientHttp2Session => {
    const session = connect(`https://${address}`, {
      ...clientTrust(secret),
      ALPNProtocols: ['h2'],
      settings: peerSettings,
      maxSessionMemory: 256,
    });
    sessions.set(address, session);
    const forget = () => {
      if (sessions.get(address) === session) sessions.delete(address);
    };
    session.on('error', forget);
    session.once('goaway', forget);
    session.once('connect', () => session.setLocalWindowSize(16 * peerSettings.initialWindowSize));
    const timer = setInterval(() => check(session), pingMs);
    session.once('close', () => {
      clearInterval(timer);
      forget();
    });
    return session;
  };

  return {
    /** A connection to a tunnel through the edge at that address. */
    connection: (address: string, tunnelId: string): TunnelConnection => ({
      openRequest: (headers, options) =>
        (sessions.get(address) ?? open(address)).request({ ...headers, [tunnelHeader]: tunnelId }, options),
    }),
    close: () => {
      for (const session of sessions.values()) session.destroy();
    },
  };
}
/** A peer that does not respond to a ping until the next one is due is gone. */
function check(session: ClientHttp2Session): void {
  if (session.connecting) return void session.destroy();
  let responded = false;
  const isSent = session.ping((error) => {
    responded = error === null;
  });
  if (!isSent) return;
  setTimeout(() => responded || session.destroy(), pingMs - 100).unref();
}
