import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { request as requestByTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly trailers: NodeJS.Dict<string>;
  readonly body: string;
}

export interface RawAsk {
  readonly port: number;
  readonly host: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Asks over TLS, and trusts this authority (PEM). */
  readonly ca?: string;
  /** The loopback address that it comes from. */
  readonly from?: string;
}

/** Asks over HTTP/1.1 with headers exactly as given; resolves with the head, the body still to come. */
export function begin(ask: RawAsk): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { port, host, method = 'GET', path = '/', headers, body, ca, from } = ask;
    const to = {
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { host, ...headers },
      agent: false as const,
      ...(from ? { localAddress: from } : {}),
    };
    const sent = ca ? requestByTls({ ...to, ca, servername: host }, resolve) : request(to, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Asks and reads the whole response. @throws Error when it breaks off. */
export async function ask(options: RawAsk): Promise<RawResponse> {
  return read(await begin(options));
}

/** Reads a response to its end. @throws Error when it breaks off. */
export async function read(response: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    trailers: response.trailers,
    body: Buffer.concat(chunks).toString(),
  };
}

/** A socket that sends this text, and everything it receives. */
export function rawSocket(port: number, text: string): { socket: Socket; received: () => string } {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  return { socket, received: () => received };
}

const requestWith =
  (method: string, more = '') =>
  (host: string) =>
    `${method} / HTTP/1.1\r\nHost: ${host}\r\n${more || '\r\n'}`;

/** Requests of which Node treats each kind in another way: some it refuses itself, after a body it reads on only when it has responded. */
export const requestKinds: Readonly<Record<string, (host: string) => string>> = {
  'are as they should be': requestWith('GET'),
  'have no Host': () => 'GET / HTTP/1.1\r\n\r\n',
  'expect what is unknown': requestWith('GET', 'Expect: more\r\n\r\n'),
  'wait for a go-ahead': requestWith('POST', 'Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx'),
  'have a body of a length': requestWith('POST', 'Content-Length: 1\r\n\r\nx'),
  'have a body in chunks': requestWith('POST', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n'),
};

/** Counts the requests that servers of this process read. @returns how many until now */
export function countRequests(): () => number {
  let count = 0;
  const add = () => {
    count += 1;
  };
  const channel = 'http.server.request.start';
  subscribe(channel, add);
  onTestFinished(() => void unsubscribe(channel, add));
  return () => count;
}
