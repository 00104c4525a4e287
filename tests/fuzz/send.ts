import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { FuzzRequest } from './generate.ts';

export interface FuzzResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const patienceMs = 30_000;

/** Sends requests as they are, over connections that are kept. */
export function createSender(base: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(base);
  const send = ({ method, path, headers, body, chunked }: FuzzRequest) =>
    new Promise<FuzzResponse>((resolve, reject) => {
      const size = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
      const length = chunked ? { 'transfer-encoding': 'chunked' } : size;
      const outgoing = httpRequest(
        {
          agent,
          hostname,
          port,
          method,
          path,
          headers: { ...latin1(headers), ...length },
          timeout: patienceMs,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          const end = () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks).toString(),
            });
          // A stream never ends: its head is its response.
          if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
            end();
            incoming.destroy();
            return;
          }
          incoming.on('data', (chunk) => chunks.push(chunk));
          incoming.on('end', end);
          incoming.on('error', reject);
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${patienceMs} ms`)));
      outgoing.on('error', reject);
      const half = Math.floor((body?.length ?? 0) / 2);
      if (chunked && body && half > 0) {
        outgoing.write(body.slice(0, half));
        outgoing.end(body.slice(half));
      } else outgoing.end(body ?? undefined);
    });
  return { send, close: () => agent.destroy() };
}

/** Node refuses to send what does not fit into one byte a character. */
function latin1(headers: FuzzRequest['headers']): Record<string, string | string[]> {
  const one = (value: string) => Buffer.from(value).toString('latin1');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(one) : one(value),
    ]),
  );
}
