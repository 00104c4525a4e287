import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const headerBytes = 12;
const typeA = 1;

/**
 * A DNS server that gives each name what a test says: the addresses of one look-up after the other, the last ones for all
 * that follow. IPv4 alone.
 */
export async function startNameServer(answers: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionIn(query);
    const question = query.subarray(headerBytes, end);
    let found: readonly string[] = [];
    if (type === typeA) {
      const known = answers[name] ?? [];
      const before = asked.filter((one) => one === name).length;
      asked.push(name);
      found = known[Math.min(before, known.length - 1)] ?? [];
    }
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    const records = found.map((one) =>
      // The name of the question, A, IN, for no time, four bytes.
      Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...one.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    /** The names of which an address was asked for. */
    asked,
    server: `127.0.0.1:${socket.address().port}`,
    stop: () => socket.close(),
  };
}

/** What is asked, and where the question ends. */
export function questionIn(query: Buffer): {
  readonly name: string;
  readonly type: number;
  readonly end: number;
} {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
