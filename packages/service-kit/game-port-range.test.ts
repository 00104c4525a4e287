import { describe, expect, it } from 'vitest';
import {
  localPorts,
  refuseNameWithCookies,
  refusePortsBesideCookies,
  refuseServersWithin,
} from './game-port-range.ts';

it.each([
  ['DATABASE_URL', 'postgres://u:p@localhost:5433/db', [5433]],
  ['DATABASE_URL', 'postgres://u:p@127.0.0.1/db', [5432]],
  ['DATABASE_URL', 'postgres://u:12345@db.example:5433,localhost:5434/db', [5434]],
  ['DATABASE_URL', 'postgres://u:p@localhost/db?host=/run/postgresql', []],
  ['DATABASE_URL', 'postgres://localhost:25001@db.example/db', []],
  ['NATS_URL', 'nats://u:p@[::1]:4223', [4223]],
  ['NATS_URL', 'nats://u:p@127.0.0.2:4223,nats://u:p@localhost', [4223, 4222]],
  ['NATS_URL', 'nats:4222', []],
  ['REDIS_URL', 'redis://u:p@LOCALHOST', [6379]],
  ['REDIS_URL', 'unix://u:p@localhost/run/redis.sock', []],
  ['REDIS_URL', undefined, []],
] as const)('the ports of this machine in %s=%s are %j', (setting, address, ports) => {
  expect(localPorts(setting, address)).toEqual(ports);
});

it('a range with the port of a store on this machine is refused by the name of its setting, without its password', () => {
  const range = { first: 5_000, last: 6_000 };
  const local = { DATABASE_URL: 'postgres://u:secret@localhost/db' };
  expect(() => refuseServersWithin(range, local)).toThrow(
    /^DATABASE_URL leads to port 5432 of this machine, which is one of EDGE_TCP_PORTS\. Change one of them\.$/,
  );
  for (const [other, addresses] of [
    [null, local],
    [{ first: 5_433, last: 6_000 }, local],
    [range, { DATABASE_URL: 'postgres://u:secret@postgres/db' }],
  ] as const)
    expect(() => refuseServersWithin(other, addresses)).not.toThrow();
});

describe('no game port is where browsers send cookies', () => {
  const EDGE_TCP_PORTS = { first: 25_000, last: 25_099 };

  it.each<[Partial<Parameters<typeof refusePortsBesideCookies>[0]>, boolean]>([
    [{}, true],
    [{ PUBLIC_URL: 'http://panel.example.com' }, true],
    [{ PUBLIC_URL: 'http://localhost:8080', EDGE_TCP_HOST: '0.0.0.0' }, true],
    ...['127.0.0.1', '::1', '::', 'localhost', '10.0.0.2', '127.example.com'].map(
      (EDGE_TCP_HOST): [object, boolean] => [{ EDGE_TCP_HOST }, true],
    ),
    [{ EDGE_TCP_HOST: '127.0.0.2', EDGE_HOST: '127.0.0.2' }, true],
    [{ EDGE_TCP_HOST: '127.0.0.2', EDGE_HOST: '127.0.0.1' }, false],
    [{ PUBLIC_URL: 'https://panel.example.com', EDGE_TCP_HOST: '0.0.0.0' }, false],
    [{ EDGE_TCP_PORTS: null }, false],
  ])('with %j: refused %s', (settings, refused) => {
    const start = expect(() => refusePortsBesideCookies({ EDGE_TCP_PORTS, ...settings }));
    if (refused)
      start.toThrow(/^EDGE_TCP_PORTS needs PUBLIC_URL with https: .* set EDGE_TCP_HOST=127\.0\.0\.2\.$/);
    else start.not.toThrow();
  });

  it.each([
    ['panel.example.com', true],
    ['tunnel.example.net', true],
    ['alice.tunnel.example.net', true],
    ['play.example.com', false],
    ['not-tunnel.example.net', false],
    ['example.net', false],
    [undefined, false],
  ])('the name %s: refused %s', (EDGE_TCP_NAME, refused) => {
    const own = { PUBLIC_URL: 'https://panel.example.com', TUNNEL_DOMAIN: 'tunnel.example.net' };
    const start = expect(() => refuseNameWithCookies({ ...own, EDGE_TCP_NAME }));
    if (refused) start.toThrow('a host of the panel or of subdomains');
    else start.not.toThrow();
  });
});
