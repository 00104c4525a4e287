import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Checked, piece, small } from './content.ts';

/** The name under which every system serves the origin. */
export const host = 'srv.tunnel.localhost';

const smallBody = small.toString('latin1');

/** Small requests on kept connections, one after the other on each; the responses' times in ms, sorted. */
export async function smallRequests(
  port: number,
  connections: number,
  durationMs: number,
  cookie = 'tx:abc=0123456789abcdef',
): Promise<number[]> {
  const end = performance.now() + durationMs;
  const text = `GET /small HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nCookie: ${cookie}\r\n\r\n`;
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
  socket.on('close', () => reject(new Error('the connection was closed')));
  socket.on('data', (data) => {
    received += data.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received.slice(0, 200)));
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
    if (received.length < head + 4 + length) return;
    if (received.slice(head + 4) !== smallBody)
      return reject(new Error(`another body: ${received.slice(0, 200)}`));
    const now = performance.now();
    times.push(now - sentAt);
    if (now < end) return send();
    resolve(times);
    socket.destroy();
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
        const checked = new Checked();
        response.on('data', (data: Buffer) => {
          try {
            checked.take(data);
          } catch (error) {
            response.destroy(error as Error);
          }
        });
        response.on('end', () =>
          checked.received === bytes ? resolve() : reject(new Error(`${checked.received} bytes came`)),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
  return (bytes / (performance.now() - begin)) * 1_000;
}

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
    let written = 0;
    const fill = () => {
      while (written < bytes) {
        const next = piece(written, bytes - written);
        written += next.length;
        if (!sent.write(next)) return void sent.once('drain', fill);
      }
      sent.end();
    };
    fill();
  });
  return (bytes / (performance.now() - begin)) * 1_000;
}

/** How many ms after the origin wrote them so many events arrived, sorted. */
export async function eventTimes(port: number, count: number): Promise<number[]> {
  const times: number[] = [];
  const sent = request({ port, host: '127.0.0.1', path: '/events', headers: { host } });
  sent.end();
  const [response] = await once(sent, 'response');
  for await (const data of response) {
    const now = process.hrtime.bigint();
    for (const [, number, at] of String(data).matchAll(/data: (\d+) (\d+)\n/g)) {
      if (Number(number) !== times.length) throw new Error(`event ${number} in the place of ${times.length}`);
      times.push(Number(now - BigInt(at ?? 0)) / 1e6);
    }
    if (times.length >= count) break;
  }
  return times.sort((a, b) => a - b);
}

/** Round trips of 64 bytes on one WebSocket, in ms, sorted. */
export async function webSocketTimes(port: number, count: number): Promise<number[]> {
  const times: number[] = [];
  const sent = request({
    port,
    host: '127.0.0.1',
    path: '/socket',
    headers: {
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  });
  sent.end();
  const [, socket] = (await once(sent, 'upgrade')) as [unknown, Socket];
  socket.setNoDelay(true);
  for (let number = 0; number < count; number += 1) {
    const message = piece(number, 64);
    const begin = performance.now();
    socket.write(message);
    for (let received = 0; received < message.length; ) {
      const [data] = (await once(socket, 'data')) as [Buffer];
      if (!data.equals(message.subarray(received, received + data.length)))
        throw new Error('another message');
      received += data.length;
    }
    times.push(performance.now() - begin);
  }
  socket.destroy();
  return times.sort((a, b) => a - b);
}
