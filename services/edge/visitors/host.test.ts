import { bytesLeftBy } from '@talpa/test-kit/memory';
import { expect, it } from 'vitest';
import { readHost } from './host.ts';

it.each([
  ['srv.tunnel.localhost', 'srv.tunnel.localhost', 'srv.tunnel.localhost'],
  ['SRV.Tunnel.Localhost:8081', 'srv.tunnel.localhost', 'srv.tunnel.localhost:8081'],
  ['srv.tunnel.localhost.:8081', 'srv.tunnel.localhost', 'srv.tunnel.localhost:8081'],
  ['srv.tunnel.localhost:', 'srv.tunnel.localhost', 'srv.tunnel.localhost'],
  ['xn--mller-kva.example', 'xn--mller-kva.example', 'xn--mller-kva.example'],
  ['127.0.0.1:80', '127.0.0.1', '127.0.0.1:80'],
  ['[::1]:80', '[::1]', '[::1]:80'],
  ['[FE80::1]', '[fe80::1]', '[fe80::1]'],
  ['a_b-1.example:65535', 'a_b-1.example', 'a_b-1.example:65535'],
  [
    `${'a'.repeat(63)}.${'b.'.repeat(94)}c`,
    `${'a'.repeat(63)}.${'b.'.repeat(94)}c`,
    `${'a'.repeat(63)}.${'b.'.repeat(94)}c`,
  ],
])('is the same name whatever its case, port and trailing dot: %s', (text, name, authority) => {
  expect(readHost(text)).toEqual({ name, authority });
});

it('is the ASCII form of a name written with umlauts, as bytes of UTF-8', () => {
  const bytes = Buffer.from('MÜLLER.example').toString('latin1');
  expect(readHost(bytes)).toEqual({ name: 'xn--mller-kva.example', authority: 'xn--mller-kva.example' });
});

it.each([
  '',
  '.',
  ':80',
  'a b',
  'a..b',
  'a/b',
  'user@a',
  'a:99999',
  'a:65536',
  'a:80:80',
  'x[::1]',
  '[::1]x',
  '[]',
  '[a',
  'a%2eb',
  'a\u00e4 b',
  '.a',
  `${'a'.repeat(62)}.${'b.'.repeat(95)}c`,
  'a:b',
  'a,b',
  '[::1',
  `${'a.'.repeat(130)}b`,
])('is refused when it names no host: “%s”', (text) => {
  expect(readHost(text)).toBeNull();
});

it('is read once, however many others are asked for in between', () => {
  const first = readHost('cached.example');
  readHost('another.example');
  expect(readHost('cached.example')).toBe(first);
});

it('does not fill the memory with many names', async () => {
  const left = await bytesLeftBy((round) => {
    for (let count = 0; count < 50_000; count += 1)
      readHost(`${round}-${count}.${'a'.repeat(60)}.${'b.'.repeat(80)}c`);
  });
  expect(left).toBeLessThan(8 * 1_048_576);
});

it('does not fill the memory with long names', async () => {
  const left = await bytesLeftBy((round) => {
    for (let count = 0; count < 3_000; count += 1) readHost(`${round}-${count}${'x'.repeat(10_000)}:`);
  });
  expect(left).toBeLessThan(8 * 1_048_576);
});
