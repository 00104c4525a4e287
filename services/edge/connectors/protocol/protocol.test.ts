import { readFileSync } from 'node:fs';
import { mutate, randomOf } from '@talpa/test-kit/connector/mutate';
import { bytesLeftBy } from '@talpa/test-kit/memory';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from './error.ts';
import { FrameReader, maximumMessageBytes } from './framing.ts';
import {
  abort,
  bootstrap,
  call,
  finish,
  readMessage,
  returnCapability,
  returnException,
  returnResults,
} from './messages.ts';
import {
  readRegisterRequest,
  readRegisterResponse,
  registrationServer,
  writeRegisterRequest,
  writeRegisterResponse,
} from './registration.ts';

const recording = (name: string) =>
  readFileSync(new URL(`../../../../tests/fixtures/connector-wire/${name}.hex`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex'));
const fromConnector = recording('connector-to-edge');
const fromEdge = recording('edge-to-connector');
const read = (bytes: Buffer) => new FrameReader().push(bytes).map(readMessage);
const readOne = (bytes: Buffer) => {
  const [message] = read(bytes);
  if (!message) throw new Error('no message');
  return message;
};
const request = {
  tunnelId: '11111111-2222-3333-4444-555555555555',
  secret: Buffer.alloc(32, 'A'),
  connectorId: 'a57b1fb9-6d61-4355-9061-8d8b1975e703',
  index: 0,
  version: '2026.8.2',
  arch: 'linux_amd64',
  features: [
    'support_datagram_v2',
    'support_quic_eof',
    'management_logs',
    'allow_remote_config',
    'serialized_headers',
  ],
  replaceExisting: false,
};

describe('what a real connector sent', () => {
  it('is read as it was meant', () => {
    const messages = fromConnector.map(readOne);
    expect(messages.map(({ kind }) => kind)).toEqual([
      'bootstrap',
      'call',
      'finish',
      'finish',
      'call',
      'finish',
      'release',
      'abort',
    ]);
    const [, register, , , unregister] = messages;
    if (register?.kind !== 'call' || unregister?.kind !== 'call') throw new Error('no calls');
    expect(register).toMatchObject({
      questionId: 1,
      interfaceId: registrationServer,
      method: 0,
      target: { questionId: 0 },
    });
    expect(readRegisterRequest(register.params)).toEqual(request);
    expect(unregister).toMatchObject({ questionId: 1, method: 1, target: { exportId: 0 } });
    expect(messages.at(-1)).toEqual({ kind: 'abort', reason: 'rpc: shutdown' });
  });

  it('is read the same in pieces of any size', () => {
    const whole = Buffer.concat(fromConnector);
    for (const size of [1, 3, 7, 64, 1_000]) {
      const frames = new FrameReader();
      let count = 0;
      for (let at = 0; at < whole.length; at += size)
        count += frames.push(whole.subarray(at, at + size)).length;
      expect(count).toBe(fromConnector.length);
    }
  });

  it('is what the connector of our tests writes', () => {
    expect(bootstrap(0)).toEqual(fromConnector[0]);
    const ours = readOne(
      call(1, { questionId: 0 }, registrationServer, 0, (payload) => writeRegisterRequest(payload, request)),
    );
    if (ours.kind !== 'call') throw new Error('no call');
    expect(readRegisterRequest(ours.params)).toEqual(request);
    expect(readOne(finish(1))).toEqual(readOne(fromConnector[3] as Buffer));
    expect(abort('rpc: shutdown')).toEqual(fromConnector.at(-1));
  });
});

describe('what a real connector accepted', () => {
  it('is what the edge writes, byte for byte', () => {
    expect(returnCapability(0)).toEqual(fromEdge[0]);
    const details = {
      connectionId: '03bf89d6-06be-7820-223a-2db9abbe9234',
      location: 'DE-FFM',
      remotelyManaged: true,
    };
    const response = returnResults(1, (payload) => writeRegisterResponse(payload, details));
    // The recording gives another time's response: its bytes decide what the id is.
    const recorded = readOne(fromEdge[1] as Buffer);
    if (recorded.kind !== 'return') throw new Error('no return');
    const meant = readRegisterResponse(recorded.body.struct(0).struct(0));
    expect(returnResults(1, (payload) => writeRegisterResponse(payload, meant))).toEqual(fromEdge[1]);
    expect(response).toHaveLength((fromEdge[1] as Buffer).length);
  });

  it('reads a refusal as it was written', () => {
    const refusal = { cause: 'EDUPCONN', retryAfterMs: 1_500, shouldRetry: true };
    const message = readOne(returnResults(1, (payload) => writeRegisterResponse(payload, refusal)));
    if (message.kind !== 'return') throw new Error('no return');
    expect(readRegisterResponse(message.body.struct(0).struct(0))).toEqual(refusal);
    expect(readOne(returnException(4, 'unimplemented', 'no'))).toMatchObject({ kind: 'return', answerId: 4 });
  });
});

describe('what is no message', () => {
  const segment = (...words: bigint[]) => {
    const bytes = Buffer.alloc(8 * words.length);
    for (const [index, word] of words.entries()) bytes.writeBigUInt64LE(word, 8 * index);
    return [bytes];
  };

  it('is refused: too long, too many segments, out of bounds, pointing at itself', () => {
    const head = (segments: number, words: number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32LE(segments - 1, 0);
      bytes.writeUInt32LE(words, 4);
      return bytes;
    };
    expect(() => read(head(1, maximumMessageBytes / 8))).toThrow('message too long');
    expect(() => read(head(17, 0))).toThrow('too many segments');
    expect(() => read(head(1, 0xffff_ffff))).toThrow(ProtocolError);
    expect(() => read(head(0x1_0000_0000, 0))).toThrow(ProtocolError);
    // A struct far outside; a far pointer to itself; a struct whose pointer is itself.
    expect(() => readMessage(segment(0x0001_0001_7fff_fffcn))).toThrow(ProtocolError);
    expect(() => readMessage(segment(0x0000_0000_0000_0002n))).toThrow(ProtocolError);
    expect(() => readMessage([])).toThrow(ProtocolError);
  });

  it('is not what is just as long, or in as many segments, as allowed', () => {
    const longest = Buffer.alloc(maximumMessageBytes);
    longest.writeUInt32LE(maximumMessageBytes / 8 - 1, 4);
    expect(new FrameReader().push(longest)).toMatchObject([[{ length: maximumMessageBytes - 8 }]]);
    const most = Buffer.alloc(8 * 9);
    most.writeUInt32LE(15, 0);
    expect(new FrameReader().push(most)).toMatchObject([Array(16).fill({ length: 0 })]);
  });

  it('is a registration with an id that is none; texts lose what no screen shows', () => {
    const registered = (changes: Partial<typeof request>) => {
      const write = (payload: Parameters<typeof writeRegisterRequest>[0]) =>
        writeRegisterRequest(payload, { ...request, ...changes });
      const message = readOne(call(1, { questionId: 0 }, registrationServer, 0, write));
      if (message.kind !== 'call') throw new Error('no call');
      return readRegisterRequest(message.params);
    };
    for (const changes of [{ tunnelId: '11111111' }, { connectorId: '' }])
      expect(() => registered(changes)).toThrow('an id that is none');
    const shown = registered({ version: '2026\u0000.8\u001b', arch: 'a\nb', features: ['\u0085c'] });
    expect(shown).toMatchObject({ version: '2026.8', arch: 'ab', features: ['c'] });
  });

  it('neither crashes nor grows: 150 000 mutated messages', async () => {
    const random = randomOf(20_261_121);
    let readable = 0;
    const left = await bytesLeftBy(() => {
      for (let turn = 0; turn < 75_000; turn += 1) {
        const frames = new FrameReader();
        const bytes = mutate(fromConnector[turn % fromConnector.length] as Buffer, random);
        try {
          for (const segments of frames.push(bytes)) {
            const message = readMessage(segments);
            if (message.kind === 'call') readRegisterRequest(message.params);
            readable += 1;
          }
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
        }
      }
    });
    expect(readable).toBeGreaterThan(1_000);
    expect(left).toBeLessThan(4 * 1_048_576);
  });
});

it('holds no more of a message that comes byte by byte than the message', async () => {
  const all: FrameReader[] = [];
  const left = await bytesLeftBy(() => {
    const frames = new FrameReader();
    all.push(frames);
    const begin = Buffer.alloc(8);
    begin.writeUInt32LE(maximumMessageBytes / 8 - 1, 4);
    frames.push(begin);
    for (let count = 0; count < 100_000; count += 1) frames.push(Buffer.from('x'));
  });
  expect(all).toHaveLength(2);
  expect(left).toBeLessThan(4 * 1_048_576);
});
