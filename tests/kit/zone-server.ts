import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { questionIn } from './name-server.ts';

const headerBytes = 12;
const types = { A: 1, CNAME: 5, TXT: 16 } as const;
type Type = keyof typeof types;

/** A DNS server whose records a test changes as it goes. */
export async function startZoneServer() {
  const records = new Map<string, string>();
  const keyOf = (type: number, name: string) => `${type} ${name}`;
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionIn(query);
    const found = records.get(keyOf(type, name));
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found === undefined ? 0 : 1, 6);
    const answer = found === undefined ? [] : [recordOf(type, found)];
    socket.send(Buffer.concat([header, query.subarray(headerBytes, end), ...answer]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    /** As DNS_SERVERS names it. */
    server: `127.0.0.1:${socket.address().port}`,
    /** Sets the only record of a type that a name has; null removes it. */
    set: (type: Type, name: string, value: string | null) => {
      const key = keyOf(types[type], name);
      if (value === null) records.delete(key);
      else records.set(key, value);
    },
    stop: () => socket.close(),
  };
}

/** A record of the name in the question. */
function recordOf(type: number, value: string): Buffer {
  const data = dataOf(type, value);
  const head = Buffer.from([0xc0, headerBytes, 0, type, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, head.length - 2);
  return Buffer.concat([head, data]);
}

function dataOf(type: number, value: string): Buffer {
  const text = (part: string) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]);
  if (type === types.A) return Buffer.from(value.split('.').map(Number));
  if (type === types.TXT) return text(value);
  return Buffer.concat([...value.split('.').map(text), Buffer.from([0])]);
}
