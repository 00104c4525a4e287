import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { serverCertificates } from './certificate.ts';

/** What stands in the place of an authority's response; undefined: the authority's own. */
interface Fault {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** The request is passed on only then. */
  readonly after?: Promise<void>;
}

/** An authority's front, which may respond otherwise than the authority behind it. */
export interface AuthorityFront {
  readonly directory: string;
  /** To be set by each test: what happens to a request by its path and what it asks for. */
  fault: (path: string, asked: Readonly<Record<string, unknown>>) => Fault | undefined;
  stop(): Promise<void>;
}

/** Starts a front of the authority with this directory; it passes on what has no fault. */
export async function startAuthorityFront(directory: string): Promise<AuthorityFront> {
  const behind = new URL(directory);
  const { cert, key } = serverCertificates.valid;
  const server = createServer({ cert, key }, async (asked, response) => {
    const body = await text(asked);
    const fault = front.fault(asked.url ?? '', payloadOf(body));
    if (fault?.status) {
      response.writeHead(fault.status, { 'content-type': 'application/problem+json', ...fault.headers });
      response.end(JSON.stringify(fault.body ?? {}));
      return;
    }
    await fault?.after;
    // With the front's host in it: the authority makes its addresses of that.
    const passed = request(
      {
        host: 'localhost',
        port: behind.port,
        path: asked.url,
        method: asked.method,
        headers: asked.headers,
        ca: cert,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...fault?.headers });
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    passed.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: AuthorityFront = {
    directory: `https://localhost:${(server.address() as AddressInfo).port}${behind.pathname}`,
    fault: () => undefined,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}

/** What a signed request asks for (RFC 8555, 6.2); nothing where it only reads. */
function payloadOf(body: string): Readonly<Record<string, unknown>> {
  const { payload = '' } = JSON.parse(body || '{}') as { payload?: string };
  return JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
}
