import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localPorts, refusePortsBesideCookies, refuseServerPorts, refuseServersWithin } from './range.ts';

const settings = {
  ...{ EDGE_TCP_PORTS: { first: 4_000, last: 65_535 }, METRICS_PORT: 0 },
  ...{ DATABASE_URL: 'postgres://u:p@postgres/db', NATS_URL: 'nats://u:p@nats:4222' },
};

it.each([
  ['DATABASE_URL', { DATABASE_URL: 'postgres://u:p@localhost/db' }, 'leads to port 5432 of this machine'],
  ['NATS_URL', { NATS_URL: 'nats://u:p@127.0.0.1:4222' }, 'leads to port 4222 of this machine'],
  ['EDGE_PANEL_URL', { EDGE_PANEL_URL: 'http://127.0.0.1:8080' }, 'leads to port 8080 of this machine'],
  ['METRICS_PORT', { METRICS_PORT: 9_100 }, 'asks for port 9100'],
  ['HEALTH_PORT', { HEALTH_PORT: 9_200 }, 'asks for port 9200'],
] as const)('an edge does not start when %s names one of its game ports', (setting, change, reason) => {
  expect(() => refuseServerPorts({ ...settings, ...change })).toThrow(
    `${setting} ${reason}, which is one of EDGE_TCP_PORTS. Change one of them.`,
  );
});

it('an edge starts beside servers elsewhere, and beside one whose port the system has chosen', () => {
  expect(() => refuseServerPorts(settings)).not.toThrow();
  expect(() => refuseServerPorts({ ...settings, NATS_URL: 'nats://u:p@127.0.0.1:40001' })).not.toThrow();
  const none = { ...settings, EDGE_TCP_PORTS: null, NATS_URL: 'nats://u:p@localhost' };
  expect(() => refuseServerPorts(none)).not.toThrow();
});

it.each([
  ['NATS_URL leads to port 4222 of this machine', { PUBLIC_URL: 'https://panel.example.com' }],
  ['EDGE_TCP_PORTS needs PUBLIC_URL with https', { NATS_URL: 'nats://u:secret@nats' }],
])('the process of the edge says “%s”, and ends before it connects to anything', (reason, changes) => {
  const main = join(import.meta.dirname, '../main.ts');
  const env = {
    ...{ PATH: process.env.PATH, TUNNEL_PUBLIC_PORT: '0', EDGE_TCP_PORTS: '4000-4999' },
    CERTIFICATE_KEYS: `key:${'x'.repeat(43)}`,
    ...{ DATABASE_URL: 'postgres://u:secret@localhost:1/db', NATS_URL: 'nats://u:secret@localhost' },
    ...changes,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(`${stdout}${stderr}`).toContain(reason);
  expect(`${stdout}${stderr}`).not.toContain('secret');
});

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
});
