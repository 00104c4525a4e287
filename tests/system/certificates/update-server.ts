import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const [update, notAuth, txt, classNone] = [5, 9, 16, 254];

interface Name {
  readonly name: string;
  readonly end: number;
}

/** A name server with one zone that takes signed updates of TXT records (RFC 2136, RFC 8945), by TCP. */
export async function startUpdateServer(
  zone: string,
  key: { readonly name: string; readonly secret: Buffer },
  changed: (kind: 'add' | 'remove', name: string, text: string) => Promise<void>,
) {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', async (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = await respond(received.subarray(2));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    });
  });
  const respond = async (message: Buffer): Promise<Buffer> => {
    const asked = nameAt(message, 12);
    if (((message.readUInt16BE(2) >> 11) & 0xf) !== update)
      return response(message, 0, asked.name === zone ? 1 : 0, asked.end + 4);
    if (asked.name !== zone || !isSigned(message, key)) return response(message, notAuth, 0, 12);
    const { name, end } = nameAt(message, asked.end + 4);
    const text = message.subarray(end + 11, end + 11 + (message[end + 10] ?? 0)).toString();
    if (message.readUInt16BE(end) !== txt) return response(message, 1, 0, 12);
    await changed(message.readUInt16BE(end + 2) === classNone ? 'remove' : 'add', name, text);
    return response(message, 0, 0, 12);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => void server.close() };
}

/** Whether the last record is a signature of this key over everything before it. */
function isSigned(message: Buffer, key: { readonly name: string; readonly secret: Buffer }): boolean {
  // Zone, update, signature: each begins with a name.
  const afterZone = nameAt(message, 12).end + 4;
  const updated = nameAt(message, afterZone).end;
  const start = updated + 10 + message.readUInt16BE(updated + 8);
  const owner = nameAt(message, start);
  const algorithm = nameAt(message, owner.end + 10);
  const times = message.subarray(algorithm.end, algorithm.end + 8);
  const mac = message.subarray(
    algorithm.end + 10,
    algorithm.end + 10 + message.readUInt16BE(algorithm.end + 8),
  );
  const unsigned = Buffer.from(message.subarray(0, start));
  unsigned.writeUInt16BE(0, 10);
  const expected = createHmac('sha256', key.secret)
    .update(unsigned)
    .update(message.subarray(start, owner.end))
    .update(Buffer.from([0, 255, 0, 0, 0, 0]))
    .update(message.subarray(owner.end + 10, algorithm.end))
    .update(times)
    .update(Buffer.alloc(4))
    .digest();
  return owner.name === key.name && mac.length === expected.length && timingSafeEqual(mac, expected);
}

function response(message: Buffer, code: number, answers: number, end: number): Buffer {
  const bytes = Buffer.from(message.subarray(0, end));
  bytes.writeUInt16BE(0x8400 | (message.readUInt16BE(2) & 0x7800) | code, 2);
  for (const [place, count] of [end > 12 ? 1 : 0, answers, 0, 0].entries())
    bytes.writeUInt16BE(count, 4 + 2 * place);
  return bytes;
}

function nameAt(message: Buffer, start: number): Name {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
