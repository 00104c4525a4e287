import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server that every system forwards to: small responses, downloads, uploads, an event stream, a WebSocket that echoes. */
const small = Buffer.from(JSON.stringify({ ok: true, filler: 'x'.repeat(1_000) }));
const chunk = Buffer.alloc(1_048_576, 'd');
const eventsEveryMs = 10;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [, kind, size] = (request.url ?? '').split('/');
  if (kind === 'down') {
    let left = Number(size);
    response.writeHead(200, { 'content-length': left });
    const fill = () => {
      while (left > 0) {
        const piece = left >= chunk.length ? chunk : chunk.subarray(0, left);
        left -= piece.length;
        if (!response.write(piece)) return void response.once('drain', fill);
      }
      response.end();
    };
    fill();
  } else if (kind === 'up') {
    let received = 0;
    request.on('data', (data: Buffer) => {
      received += data.length;
    });
    request.on('end', () => response.end(String(received)));
  } else if (kind === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // The clock is the machine's: every process reads the same one.
    const timer = setInterval(() => response.write(`data: ${process.hrtime.bigint()}\n\n`), eventsEveryMs);
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
