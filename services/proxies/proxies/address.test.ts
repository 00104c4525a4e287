import { expect, it } from 'vitest';
import { hostnameFor } from './address.ts';

const settings = { TUNNEL_DOMAIN: 'example.com', PUBLIC_URL: 'https://spiele.example.com/' };

it('the panel’s own host is nobody’s subdomain, whether asked for or made from the name', () => {
  const reserved = expect.objectContaining({ code: 'subdomain_reserved', params: { subdomain: 'spiele' } });
  for (const input of [
    { serverName: 'Server', customUrl: 'spiele' },
    { serverName: 'Server', customUrl: 'Spiele.example.com' },
    { serverName: 'Spiele', customUrl: null },
  ])
    expect(() => hostnameFor(input, settings)).toThrow(reserved);
  expect(hostnameFor({ serverName: 'Spiele 2', customUrl: null }, settings)).toBe('spiele-2.example.com');
});
