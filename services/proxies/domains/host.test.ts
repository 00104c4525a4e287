import { expect, it } from 'vitest';
import { readCustomHost } from './host.ts';

it('a custom domain is read as one name, however it is typed', () => {
  expect(readCustomHost(' Panel.Example.ORG. ')).toBe('panel.example.org');
  expect(readCustomHost('bücher.example.org')).toBe('xn--bcher-kva.example.org');
});

it.each([
  ...['', 'panel', 'localhost', 'panel.localhost', 'printer.local', 'db.internal', 'a.test', 'router.lan'],
  ...['203.0.113.7', '127.1', '0x7f.1', '[2001:db8::1]', '2001:db8::1', '1.168.192.in-addr.arpa'],
  ...['*.example.org', '_dmarc.example.org', 'http://example.org', 'example.org/x', 'example.org:80'],
  ...[
    'a b.example.org',
    'user@example.org',
    'a..example.org',
    '-a.example.org',
    `${'a'.repeat(64)}.example.org`,
  ],
  ...[`${'a.'.repeat(120)}example.org`, '%65xample.org', 'a.example.123'],
])('“%s” is no custom domain', (text) => {
  expect(readCustomHost(text)).toBeNull();
});
