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
  'a:b',
  'a,b',
  '[::1',
  `${'a.'.repeat(130)}b`,
])('is refused when it names no host: “%s”', (text) => {
  expect(readHost(text)).toBeNull();
});
