import { describe, expect, it } from 'vitest';
import { cookieWarning, sharedDomain } from './shared-domain.ts';

describe('the domain whose cookies subdomains and panel share', () => {
  it.each([
    ['panel.example.com', 'tunnel.example.com', 'example.com'],
    ['example.com', 'tunnel.example.com', 'example.com'],
    ['panel.example.com', 'example.com', 'example.com'],
    ['Panel.Example.com', 'example.com', 'example.com'],
    ['a.b.example.com', 'c.b.example.com', 'b.example.com'],
    ['panel.firma.co.uk', 'tunnel.firma.co.uk', 'firma.co.uk'],
    ['panel.talpa.localhost', 'talpa.localhost', 'talpa.localhost'],
  ])('of %s and %s is %s', (panel, tunnel, shared) => {
    expect(sharedDomain(panel, tunnel)).toBe(shared);
  });

  it.each([
    ['panel.example.com', 'tunnel.example.net'],
    ['panel.example.com', 'tunnel.other.com'],
    ['panel.eins.co.uk', 'tunnel.zwei.co.uk'],
    ['localhost', 'tunnel.localhost'],
    ['192.0.2.1', '0.2.1'],
    ['[2001:db8::1]', 'tunnel.example.com'],
  ])('of %s and %s is none', (panel, tunnel) => {
    expect(sharedDomain(panel, tunnel)).toBeNull();
  });
});

it('by http alone the session’s cookie can come from a subdomain: only then there is a warning', () => {
  const domain = 'tunnel.example.com';
  expect(cookieWarning('http://panel.example.com:8080', domain)).toMatch(/PUBLIC_URL.*example\.com.*https/);
  expect(cookieWarning('https://panel.example.com', domain)).toBeNull();
  expect(cookieWarning('http://panel.example.net', domain)).toBeNull();
  expect(cookieWarning(undefined, domain)).toBeNull();
});
