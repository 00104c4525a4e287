import { expect, it } from 'vitest';
import { refuseNameWithCookies } from './name.ts';

it.each([
  ['panel.example.com', true],
  ['tunnel.example.net', true],
  ['alice.tunnel.example.net', true],
  ['play.example.com', false],
  ['not-tunnel.example.net', false],
  ['example.net', false],
  [undefined, false],
])(
  'no game port has a name that browsers have cookies for: with %s, refused %s',
  (EDGE_TCP_NAME, refused) => {
    const own = { PUBLIC_URL: 'https://panel.example.com', TUNNEL_DOMAIN: 'tunnel.example.net' };
    const start = expect(() => refuseNameWithCookies({ ...own, EDGE_TCP_NAME }));
    if (refused) start.toThrow('a host of the panel or of subdomains');
    else start.not.toThrow();
  },
);
