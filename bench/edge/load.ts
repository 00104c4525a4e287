import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Small requests on kept connections, one after the other on each; the responses' times in ms, sorted. */
export async function smallRequests(
  port: number,
  connections: number,
  durationMs: number,
): Promise<number[]> {
  const end = performance.now() + durationMs;
  const text = `GET /small HTTP/1.1\r\nHost: srv.tunnel.localhost\r\nUser-Agent: bench\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nCookie: tx:abc=0123456789abcdef\r\n\r\n`;
  const lists = await Promise.all(Array.from({ length: connections }, () => onOne(port, text, end)));
  return lists.flat().sort((a, b) => a - b);
}

function onOne(port: number, text: string, end: number): Promise<number[]> {
  const times: number[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const socket: Socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let sentAt = 0;
  let received = '';
  const send = () => {
    received = '';
    sentAt = performance.now();
    socket.write(text);
  };
  socket.on('connect', send);
  socket.on('error', reject);
  socket.on('data', (data) => {
    received += data.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received.slice(0, 200)));
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
    if (received.length < head + 4 + length) return;
    const now = performance.now();
    times.push(now - sentAt);
    if (now < end) return send();
    socket.destroy();
    resolve(times);
  });
  return promise;
}

/** Bytes a second of one download. */
export async function download(port: number, bytes: number): Promise<number> {
  const begin = performance.now();
  await new Promise<void>((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path: `/down/${bytes}`, headers: { host } },
      (response) => {
        let received = 0;
        response.on('data', (data: Buffer) => {
          received += data.length;
        });
        response.on('end', () =>
          received === bytes ? resolve() : reject(new Error(`${received} bytes came`)),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
  return (bytes / (performance.now() - begin)) * 1_000;
}

const host = 'srv.tunnel.localhost';
const chunk = Buffer.alloc(1_048_576, 'u');

/** Bytes a second of one upload. */
export async function upload(port: number, bytes: number): Promise<number> {
  const begin = performance.now();
  await new Promise<void>((resolve, reject) => {
    const headers = { host, 'content-length': bytes };
    const sent = request({ port, host: '127.0.0.1', path: '/up', method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (data) => {
        text += data;
      });
      response.on('end', () => (text === String(bytes) ? resolve() : reject(new Error(text))));
    });
    sent.on('error', reject);
    let left = bytes;
    const fill = () => {
      while (left > 0) {
        const piece = left >= chunk.length ? chunk : chunk.subarray(0, left);
        left -= piece.length;
        if (!sent.write(piece)) return void sent.once('drain', fill);
      }
      sent.end();
    };
    fill();
  });
  return (bytes / (performance.now() - begin)) * 1_000;
}
