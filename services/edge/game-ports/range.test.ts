import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseServerPorts } from './range.ts';

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
