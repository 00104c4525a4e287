import { expect, it } from 'vitest';
import { ofSettings } from './get.ts';

it('an installation that only its own machine reaches is not set up', () => {
  const ofTrial = ofSettings({ TUNNEL_DOMAIN: 'tunnel.localhost', PUBLIC_URL: 'https://localhost:8080' });
  expect(ofTrial).toEqual({ domain: false, publicUrl: false, https: false });
  expect(ofSettings({ TUNNEL_DOMAIN: 'localhost', PUBLIC_URL: undefined }).domain).toBe(false);
  for (const PUBLIC_URL of ['http://127.0.0.1:8080', 'http://[::1]', 'http://panel.localhost'])
    expect(ofSettings({ TUNNEL_DOMAIN: 'tunnel.example.net', PUBLIC_URL }).publicUrl).toBe(false);
});

it('a public one is, with https only where browsers use it', () => {
  const TUNNEL_DOMAIN = 'tunnel.example.net';
  expect(ofSettings({ TUNNEL_DOMAIN, PUBLIC_URL: 'https://panel.example.com' })).toEqual({
    ...{ domain: true, publicUrl: true, https: true },
  });
  expect(ofSettings({ TUNNEL_DOMAIN, PUBLIC_URL: 'http://panel.example.com' })).toEqual({
    ...{ domain: true, publicUrl: true, https: false },
  });
});
