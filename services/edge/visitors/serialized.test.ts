import { bytesLeftBy } from '@talpa/test-kit/memory';
import { processorTime } from '@talpa/test-kit/processor-time';
import { expect, it, vi } from 'vitest';
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

it.each([
  'Clear-Site-Data',
  'X-Edge-Error',
  'CF-Ray',
  'cf-cloudflared-response-meta',
  'Cf-Int-A',
  'CF-Proxy-B',
])('leaves out what is no panel’s to say: %s', (name) => {
  const both = [name, name.toLowerCase()].map((spelling): [string, string] => [spelling, '"*"']);
  expect(readSerializedFields(serialized(...both, ['CF-Cache-Status', 'HIT'], ['X-Edge', '1']))).toEqual([
    ...['CF-Cache-Status', 'HIT', 'X-Edge', '1'],
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

it('takes milliseconds for as many Connection headers as fit', async () => {
  const options = Array.from({ length: 9_000 }, (_, number) => number.toString(36)).join(',');
  const text = serialized(['Connection', options], ...Array(2_800).fill(['Connection', 'a']));
  const work = () => expect(readSerializedFields(text)).toEqual([]);
  expect(await processorTime(work)).toBeLessThan(200);
});

it('does not fill the memory with many names', async () => {
  const left = await bytesLeftBy((round) => {
    for (let count = 0; count < 60_000; count += 1)
      readSerializedFields(serialized([`x-${round}-${count}-${'x'.repeat(40)}`, '1']));
  });
  expect(left).toBeLessThan(4 * 1_048_576);
});

it('does not fill the memory with long names, nor with the texts in which short ones stand', async () => {
  const modules: unknown[] = [];
  const left = await bytesLeftBy(async (round) => {
    // One that has seen nothing yet, so that the number of names leaves room for the long ones.
    vi.resetModules();
    const fresh = await import('./serialized.ts');
    modules.push(fresh);
    for (let count = 0; count < 500; count += 1) {
      fresh.readSerializedFields(serialized([`${round}-${count}${'x'.repeat(40_000)}`, '1']));
      fresh.readSerializedFields(serialized([`x-rather-long-${round}-${count}`, 'y'.repeat(40_000)]));
    }
  });
  expect(modules).toHaveLength(2);
  expect(left).toBeLessThan(4 * 1_048_576);
});

it('distinguishes the connector’s own responses from the origin’s', () => {
  expect(isConnectorsOwn('{"src":"cloudflared"}')).toBe(true);
  expect(isConnectorsOwn('{"src":"origin"}')).toBe(false);
  expect(isConnectorsOwn(undefined)).toBe(false);
});
