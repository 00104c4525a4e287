import { bytesInUse } from '@talpa/test-kit/memory';
import { expect, it } from 'vitest';
import { isConnectorsOwn, readSerializedFields } from './serialized.ts';

const b64 = (text: string) => Buffer.from(text, 'latin1').toString('base64').replace(/=+$/, '');
const serialized = (...pairs: [string, string][]) =>
  pairs.map(([name, value]) => `${b64(name)}:${b64(value)}`).join(';');

it('gives the origin’s headers in order, repeated ones and empty values included', () => {
  const text = serialized(
    ['Content-Type', 'text/html'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['X-E', ''],
  );
  expect(readSerializedFields(text)).toEqual([
    ...['Content-Type', 'text/html', 'Set-Cookie', 'a=1'],
    ...['Set-Cookie', 'b=2', 'X-E', ''],
  ]);
});

it('leaves out what concerns the origin’s own connection, what Connection names, and the connector’s own', () => {
  const text = serialized(
    ['Keep-Alive', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'x-hop, content-length'],
    ['X-Hop', '1'],
    ['Cf-Cloudflared-Response-Meta', '{}'],
    ['Content-Length', '3'],
  );
  expect(readSerializedFields(text)).toEqual(['Content-Length', '3']);
});

it.each(['nonsense', ':YQ', ';', `${b64('a')}:${b64('b')};`])('refuses what has another form: %s', (text) => {
  expect(() => readSerializedFields(text)).toThrow('malformed');
});

it('refuses more headers than a server sends', () => {
  expect(() => readSerializedFields('YQ:YQ;'.repeat(30_000))).toThrow('too many');
});

it('does not fill the memory: neither many names do nor long ones, nor the texts in which short ones stand', () => {
  const before = bytesInUse();
  for (let count = 0; count < 60_000; count += 1)
    readSerializedFields(serialized([`x-${count}-${'x'.repeat(40)}`, '1']));
  for (let count = 0; count < 1_000; count += 1) {
    readSerializedFields(serialized([`${count}${'x'.repeat(40_000)}`, '1']));
    readSerializedFields(serialized([`x-rather-long-${count}`, 'y'.repeat(40_000)]));
  }
  expect(bytesInUse() - before).toBeLessThan(8 * 1_048_576);
});

it('distinguishes the connector’s own responses from the origin’s', () => {
  expect(isConnectorsOwn('{"src":"cloudflared"}')).toBe(true);
  expect(isConnectorsOwn('{"src":"origin"}')).toBe(false);
  expect(isConnectorsOwn(undefined)).toBe(false);
});
