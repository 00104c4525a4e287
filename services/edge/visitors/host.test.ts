import { domainToASCII } from 'node:url';
import { bytesLeftBy } from '@talpa/test-kit/memory';
import { processorTime } from '@talpa/test-kit/processor-time';
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
  `${'a'.repeat(64)}.example`,
  `${'ä'.repeat(64)}.example`,
  `a.${'\u00c3\u00a4'.repeat(64)}.example`,
  `${'\u00c3\u00a4'.repeat(60)}.example`,
])('is refused when it names no host: “%s”', (text) => {
  expect(readHost(text)).toBeNull();
});

it.each([
  ['one label of letters that no other has', 2_650, ''],
  ['labels of one letter each', 2_650, '.'],
  ['a name of the allowed length', 250, ''],
  ['labels of the allowed length', 62, '.example'],
])('costs nothing to read, whatever a visitor sends: %s', async (_shape, letters, between) => {
  const work = () => {
    for (let count = 0; count < 50; count += 1) {
      const many = Array.from({ length: letters }, (_, index) =>
        String.fromCodePoint(0x4e00 + index * 7 + count),
      );
      readHost(Buffer.from(many.join(between)).toString('latin1'));
    }
  };
  expect(await processorTime(work)).toBeLessThan(300);
});

it('is what the standard makes of it, for every name of the allowed length', () => {
  const letters = ['a', '0', '-', 'ä', 'ß', 'I', '中', '😀', 'é'];
  let state = 1;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  let refused = 0;
  for (let count = 0; count < 1_000; count += 1) {
    const label = () =>
      Array.from({ length: 1 + random(70) }, () => letters[random(letters.length)]).join('');
    // One with a letter that is not ASCII: of others a reader asks no standard.
    const name = `ü${Array.from({ length: 1 + random(4) }, label).join('.')}`;
    const ascii = domainToASCII(name);
    const isName =
      ascii !== '' && ascii.length <= 253 && ascii.split('.').every(({ length }) => length <= 63);
    if (!isName) refused += 1;
    const read = readHost(Buffer.from(name).toString('latin1'));
    expect(read?.name, name).toBe(isName ? ascii : undefined);
  }
  expect(refused).toBeGreaterThan(100);
  expect(refused).toBeLessThan(900);
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
