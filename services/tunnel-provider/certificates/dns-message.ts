import { createHmac, randomBytes } from 'node:crypto';

/** Messages for a name server that takes updates (RFC 2136), signed with a shared key (RFC 8945). */

const types = { soa: 6, txt: 16, tsig: 250 } as const;
const classes = { in: 1, none: 254, any: 255 } as const;
const opcodes = { query: 0, update: 5 } as const;
const algorithm = 'hmac-sha256';
/** How far the server's clock may differ from ours, in seconds. */
const fudge = 300;
const recordTtl = 60;

export interface UpdateKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** A TXT record that is added or removed. */
export interface TextRecord {
  readonly name: string;
  readonly text: string;
}

export interface Message {
  readonly id: number;
  readonly bytes: Buffer;
}

/** Asks whether a zone of that name begins here. */
export function zoneQuery(name: string): Message {
  const id = newId();
  return { id, bytes: Buffer.concat([head(id, opcodes.query, [1, 0, 0, 0]), question(name)]) };
}

/** Adds or removes one record of a zone. @param now in ms */
export function update(
  zone: string,
  { name, text }: TextRecord,
  kind: 'add' | 'remove',
  key: UpdateKey,
  now = Date.now(),
): Message {
  const id = newId();
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
  const isAdded = kind === 'add';
  const body = Buffer.concat([
    question(zone),
    record(name, types.txt, isAdded ? classes.in : classes.none, isAdded ? recordTtl : 0, data),
  ]);
  const unsigned = Buffer.concat([head(id, opcodes.update, [1, 0, 1, 0]), body]);
  const signature = signatureOf(unsigned, id, key, Math.floor(now / 1_000));
  return { id, bytes: Buffer.concat([head(id, opcodes.update, [1, 0, 1, 1]), body, signature]) };
}

/** What a response says: its code, and how many answers it has. @throws Error when it is of another message */
export function readResponse(bytes: Buffer, id: number): { readonly code: number; readonly answers: number } {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id)
    throw new Error('the name server responded to nothing we sent');
  return { code: bytes.readUInt16BE(2) & 0xf, answers: bytes.readUInt16BE(6) };
}

const newId = () => randomBytes(2).readUInt16BE();

function head(id: number, opcode: number, counts: readonly number[]): Buffer {
  return numbers(2, id, opcode << 11, ...counts);
}

const question = (name: string) => Buffer.concat([wireName(name), numbers(2, types.soa, classes.in)]);

function record(name: string, type: number, kind: number, ttl: number, data: Buffer): Buffer {
  return Buffer.concat([
    ...[wireName(name), numbers(2, type, kind), numbers(4, ttl), numbers(2, data.length)],
    data,
  ]);
}

function signatureOf(message: Buffer, id: number, { name, secret }: UpdateKey, seconds: number): Buffer {
  const time = Buffer.concat([numbers(6, seconds), numbers(2, fudge)]);
  const rest = numbers(2, 0, 0);
  const signed = [
    ...[message, wireName(name), numbers(2, classes.any), numbers(4, 0)],
    ...[wireName(algorithm), time, rest],
  ];
  const mac = createHmac('sha256', secret).update(Buffer.concat(signed)).digest();
  const data = Buffer.concat([wireName(algorithm), time, numbers(2, mac.length), mac, numbers(2, id), rest]);
  return record(name, types.tsig, classes.any, 0, data);
}

/** A name as it is signed: in lower case, without compression. */
function wireName(name: string): Buffer {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** Numbers of so many bytes each. */
function numbers(size: number, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(size * values.length);
  for (const [place, value] of values.entries()) bytes.writeUIntBE(value, place * size, size);
  return bytes;
}
