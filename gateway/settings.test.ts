import { readSettings } from '@talpa/service-kit/settings';
import { expect, it } from 'vitest';
import { panelConfigOf } from './settings.ts';

const configOf = (env: NodeJS.ProcessEnv) =>
  panelConfigOf(
    readSettings(
      [
        ...(['PUBLIC_URL', 'TUNNEL_DOMAIN', 'TUNNEL_PROVIDER', 'EDGE_ADDRESS', 'EDGE_TCP_PORTS'] as const),
        ...([
          'REQUEST_LOG_DAYS',
          'SHOW_TOTALS',
          'REGISTRATION',
          'PLAN_CHANGES',
          'EMAIL_REQUIRED',
          'MAIL_FROM',
          'SECOND_FACTOR',
        ] as const),
        ...(['IMPRINT_URL', 'PRIVACY_URL', 'TERMS_URL', 'SUPPORT_URL'] as const),
      ],
      { TUNNEL_DOMAIN: 'tunnel.localhost', ...env },
    ),
    false,
  );

it('protected proxies are offered where Talpa’s own edge sends visitors to a panel whose address is known', () => {
  const offered = (env: NodeJS.ProcessEnv) => configOf(env).protectedProxies;
  expect(offered({ PUBLIC_URL: 'https://panel.example.com' })).toBe(true);
  expect(offered({})).toBe(false);
  expect(offered({ PUBLIC_URL: 'https://panel.example.com', TUNNEL_PROVIDER: 'cloudflare' })).toBe(false);
});

it('the panel promises emails only where the operator has set up a sender', () => {
  expect(configOf({}).sendsEmail).toBe(false);
  expect(configOf({ MAIL_FROM: 'talpa@example.org' }).sendsEmail).toBe(true);
});
