import { expect, it } from 'vitest';
import { hostnameFor, refuseReserved } from './address.ts';

const settings = {
  TUNNEL_DOMAIN: 'example.com',
  PUBLIC_URL: 'https://spiele.example.com/',
  RESERVED_NAMES: ['turnier', 'liga-*', '*pokal*'],
};
const asked = (serverName: string, customUrl: string | null = null) => {
  const hostname = hostnameFor({ serverName, customUrl }, settings);
  refuseReserved(hostname, settings);
  return hostname;
};
const reserved = (subdomain: string) =>
  expect.objectContaining({ code: 'subdomain_reserved', params: { subdomain } });

it('the panel’s own host is nobody’s subdomain, whether asked for or made from the name', () => {
  for (const [name, custom] of [
    ['Server', 'spiele'],
    ['Server', 'Spiele.example.com'],
    ['Spiele', null],
  ] as const)
    expect(() => asked(name, custom)).toThrow(reserved('spiele'));
  expect(asked('Spiele 2')).toBe('spiele-2.example.com');
});

it('what the operator has reserved is nobody’s subdomain, nor is what looks like it', () => {
  for (const label of ['turnier', 'tur-nier', 'liga', '1iga', 'liga-2', 'mein-p0kal', 'pokal-2026'])
    expect(() => asked('Server', label), label).toThrow(reserved(label));
  for (const label of ['turniere', 'ligastern', 'pokale']) expect(asked(label)).toBe(`${label}.example.com`);
});

it('what is no subdomain is refused at its field; one that is merely reserved is not refused here', () => {
  const invalid = expect.objectContaining({
    code: 'invalid_input',
    issues: [expect.objectContaining({ path: ['customUrl'] })],
  });
  expect(() => asked('Server', 'a.b.example.org')).toThrow(invalid);
  expect(hostnameFor({ serverName: 'Server', customUrl: 'admin' }, settings)).toBe('admin.example.com');
});

it('where the panel has no public address, no name is the panel’s', () => {
  const open = { ...settings, PUBLIC_URL: undefined };
  expect(() => refuseReserved('spiele.example.com', open)).not.toThrow();
});
