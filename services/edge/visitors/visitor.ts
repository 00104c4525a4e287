import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { TLSSocket } from 'node:tls';
import proxyAddr from '@fastify/proxy-addr';
import { plainAddress, trustProxyOf } from '@talpa/service-kit/trust-proxy';

export type VisitorRequest = IncomingMessage | Http2ServerRequest;

/** Who asks, as far as it can be believed. */
export interface Visitor {
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/**
 * Makes the function that determines whom a request comes from.
 * @param trust EDGE_TRUST_PROXY: what X-Forwarded-For and -Proto say counts only when a trusted proxy says it.
 */
export function createVisitorReader(trust: string): (request: VisitorRequest) => Visitor {
  const isTrusted = trustProxyOf(trust);
  if (isTrusted === false) return readDirect;
  return (request) => {
    const direct = readDirect(request);
    if (!isTrusted(direct.address, 0)) return direct;
    const named = request.headers['x-forwarded-proto'];
    return {
      address: plainAddress(proxyAddr(request as IncomingMessage, isTrusted)),
      scheme: named === 'https' || named === 'http' ? named : direct.scheme,
    };
  };
}

function readDirect({ socket }: VisitorRequest): Visitor {
  return {
    address: plainAddress(socket.remoteAddress ?? ''),
    scheme: socket instanceof TLSSocket || 'encrypted' in socket ? 'https' : 'http',
  };
}

/** Whether a proxy has brought the request of a visitor with that address: others share its connection. */
export function isProxied(request: VisitorRequest, address: string): boolean {
  return readDirect(request).address !== address;
}
