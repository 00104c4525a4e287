import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What both proxies stand before: small responses, a gigabyte down, a gigabyte up. */
const small = Buffer.from(JSON.stringify({ ok: true, filler: 'x'.repeat(200) }));
const chunk = Buffer.alloc(1_048_576, 'd');

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
  } else {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': small.length });
    response.end(small);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
