import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Checked, piece, small } from './content.ts';

/** The server that every system forwards to: small responses, downloads, uploads, an event stream, a WebSocket that echoes. */
const eventsEveryMs = 10;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [, kind, size] = (request.url ?? '').split('/');
  if (kind === 'down') {
    const bytes = Number(size);
    let sent = 0;
    response.writeHead(200, { 'content-length': bytes });
    const fill = () => {
      while (sent < bytes) {
        const next = piece(sent, bytes - sent);
        sent += next.length;
        if (!response.write(next)) return void response.once('drain', fill);
      }
      response.end();
    };
    fill();
  } else if (kind === 'up') {
    const checked = new Checked();
    request.on('data', (data: Buffer) => {
      try {
        checked.take(data);
      } catch (error) {
        request.removeAllListeners('data').resume();
        response.end(String(error));
      }
    });
    request.on('end', () => response.writableEnded || response.end(String(checked.received)));
  } else if (kind === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // The clock is the machine's: every process reads the same one.
    let number = 0;
    const send = () => response.write(`data: ${number++} ${process.hrtime.bigint()}\n\n`);
    const timer = setInterval(send, eventsEveryMs);
    response.once('close', () => clearInterval(timer));
  } else {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': small.length });
    response.end(small);
  }
});
server.on('upgrade', (request, socket) => {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.on('error', () => {});
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.pipe(socket);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
