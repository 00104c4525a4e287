import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Fields } from './fields.ts';

/** How a stream's purpose is announced to the connector. */
export const upgradeHeader = 'cf-cloudflared-proxy-connection-upgrade';

/** Whether a request asks to speak WebSocket on this connection. */
export function wantsWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** Whether an HTTP/2 CONNECT is for a WebSocket (RFC 8441). */
export function isExtendedConnect(request: Http2ServerRequest): boolean {
  return request.headers[':protocol'] === 'websocket';
}

/** Whether the panel behind agreed: the connector says it as a 200 with the panel's own header. */
export function acceptsWebSocket(fields: readonly string[]): boolean {
  return fields.some((text, index) => index % 2 === 0 && text.toLowerCase() === 'sec-websocket-accept');
}

/** Makes a request's headers ask the connector for a WebSocket; HTTP/2 has no key, so it gets one. */
export function askForWebSocket(fields: Fields): void {
  fields[':method'] = 'GET';
  fields[upgradeHeader] = 'websocket';
  fields['sec-websocket-key'] ??= randomBytes(16).toString('base64');
  fields['sec-websocket-version'] ??= '13';
}

/** Calls back when a visitor ends a socket that nobody reads yet, as Node does it for those it reads. @returns how to stop */
export function onLeave(socket: Socket, left: () => void): () => void {
  const look = () => {
    // Without a byte it says that no more will come.
    if (socket.readableLength === 0) left();
  };
  socket.on('readable', look);
  return () => void socket.off('readable', look);
}

/** Agrees on HTTP/1.1: from here on the socket carries raw bytes. */
export function switchSocket(
  request: IncomingMessage,
  head: Buffer,
  release: () => void,
  fields: readonly string[],
): Duplex {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  for (let index = 0; index < fields.length; index += 2) {
    const line = `${fields[index]}: ${fields[index + 1]}`;
    const isBodys = /^content-(length|type|encoding)$/i.test(fields[index] as string);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these would begin a line of their own
    if (!isBodys && !/[\x00\r\n]/.test(line)) lines.push(line);
  }
  release();
  const { socket } = request;
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (head.length > 0) socket.unshift(head);
  return socket;
}

/** Agrees on HTTP/2: the stream carries raw bytes. */
export function switchStream(response: Http2ServerResponse, fields: readonly string[]): ServerHttp2Stream {
  const headers: Record<string, string> = {};
  for (let index = 0; index < fields.length; index += 2) {
    const name = (fields[index] as string).toLowerCase();
    if (name !== 'sec-websocket-accept' && !name.startsWith('content-'))
      headers[name] = fields[index + 1] as string;
  }
  const { stream } = response;
  stream.respond({ ...headers, ':status': 200 });
  return stream;
}
