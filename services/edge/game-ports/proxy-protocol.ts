import { isIPv4 } from 'node:net';

const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
/** Version 2, command PROXY. */
const versionAndCommand = 0x21;
const [tcp4, tcp6] = [0x11, 0x21];

/** One end of a connection. */
export interface End {
  readonly address: string;
  readonly port: number;
}

/** What a server that expects the PROXY protocol, version 2, reads first: who has connected, and to what. */
export function proxyHeader(source: End, destination: End): Buffer {
  const isShort = isIPv4(source.address) && isIPv4(destination.address);
  const bytesOf = isShort ? ipv4Bytes : ipv6Bytes;
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(source.port, 0);
  ports.writeUInt16BE(destination.port, 2);
  const addresses = Buffer.concat([bytesOf(source.address), bytesOf(destination.address), ports]);
  const head = Buffer.from([versionAndCommand, isShort ? tcp4 : tcp6, 0, addresses.length]);
  return Buffer.concat([signature, head, addresses]);
}

const ipv4Bytes = (address: string) => Buffer.from(address.split('.').map(Number));

/** An IPv4 address is written as an IPv6 one, where the other end has such. */
function ipv6Bytes(address: string): Buffer {
  if (isIPv4(address))
    return Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), ipv4Bytes(address)]);
  const [text = ''] = address.split('%', 1);
  const [head = '', tail] = text.split('::');
  const before = groupBytes(head);
  if (tail === undefined) return before;
  const after = groupBytes(tail);
  return Buffer.concat([before, Buffer.alloc(16 - before.length - after.length), after]);
}

function groupBytes(text: string): Buffer {
  const bytes = text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      if (group.includes('.')) return group.split('.').map(Number);
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    });
  return Buffer.from(bytes);
}
