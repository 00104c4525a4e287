import { expect, it } from 'vitest';
import { passkeyHost } from './passkey-host.ts';

it('is the host of PUBLIC_URL, where browsers make passkeys', () => {
  expect(passkeyHost('https://panel.example.org:8443')).toBe('panel.example.org');
  expect(passkeyHost('http://localhost:8080')).toBe('localhost');
  for (const nowhere of [undefined, 'http://panel.example.org', 'https://192.0.2.1', 'https://[2001:db8::1]'])
    expect(passkeyHost(nowhere)).toBeNull();
});
