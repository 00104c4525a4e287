import { connect } from 'node:net';
import { type Message, readResponse, type UpdateKey, update, zoneQuery } from './dns-message.ts';
import type { DnsWriter } from './dns-solver.ts';
import { CertificateError } from './problems.ts';

const timeoutMs = 10_000;
const defaultPort = 53;
const success = 0;
/** Codes of DNS for “not you”, “not with this key”, “not this zone”. */
const refusals: Readonly<Record<number, string>> = { 5: 'REFUSED', 9: 'NOTAUTH', 10: 'NOTZONE' };

/** Writes records by updates of a name server. @param url ACME_RFC2136_URL */
export function createUpdateWriter(url: string): DnsWriter {
  const { hostname, port, username, password } = new URL(url);
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) };
  const key: UpdateKey = {
    name: decodeURIComponent(username),
    secret: Buffer.from(decodeURIComponent(password), 'base64'),
  };
  const ask = async (message: Message) => readResponse(await exchange(at, message.bytes), message.id);

  /** The zone that holds a name: the closest one the server has. */
  const zoneOf = async (name: string) => {
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      const { code, answers } = await ask(zoneQuery(zone));
      if (code === success && answers > 0) return zone;
    }
    throw new CertificateError('dns_access_refused', `the name server has no zone for ${name}`);
  };
  const change = async (name: string, text: string, kind: 'add' | 'remove') => {
    const zone = await zoneOf(name);
    const { code } = await ask(update(zone, { name, text }, kind, key));
    if (code === success) return;
    throw new CertificateError(
      'dns_access_refused',
      `the name server refused the update of ${zone}: ${refusals[code] ?? code}. The key's name or secret is wrong, it may not change the zone, or the clocks differ by more than five minutes`,
    );
  };
  return {
    add: async (name, text) => {
      await change(name, text, 'add');
      return () => change(name, text, 'remove');
    },
  };
}

/** Sends one message by TCP and reads one. */
function exchange(at: { readonly host: string; readonly port: number }, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...at, timeout: timeoutMs });
    let received = Buffer.alloc(0);
    const fail = (error: Error) => {
      socket.destroy();
      reject(
        new CertificateError('dns_unreachable', `${at.host}:${at.port}: ${error.message}`, { cause: error }),
      );
    };
    socket.on('error', fail);
    socket.on('timeout', () => fail(new Error('no response within ten seconds')));
    socket.on('end', () => fail(new Error('it closed the connection')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      socket.destroy();
      resolve(received.subarray(2, 2 + received.readUInt16BE(0)));
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
  });
}
