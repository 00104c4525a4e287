import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tunnelProviderNames, tunnelProviders } from '@talpa/contracts';
import { root } from '@talpa/instance/paths';
import {
  edgeNames,
  isGrouped,
  portSettingsOf,
  portsOf,
  processNames,
  processOf,
  runsProvider,
  startedNames,
  takenPort,
} from '@talpa/instance/ports.mjs';
import { readSettings, type SettingName } from '@talpa/service-kit/settings';
import { describe, expect, it } from 'vitest';

/** The same processes on a machine of any size. */
const single = { EDGE_PROCESSES: '1', PROCESSES: 'separate' };
const names = (env: NodeJS.ProcessEnv) =>
  portsOf({ ...single, ...env }).map(({ setting, port }) => `${setting} ${port}`);

describe('the ports of npm start', () => {
  it('are those of the settings’ defaults', () => {
    const { EDGE_CONNECTOR_PORT: connectors, EDGE_PEER_PORT } = readSettings(
      ['EDGE_CONNECTOR_PORT', 'EDGE_PEER_PORT'],
      {},
    );
    expect(names({})).toEqual(['PORT 8080', 'TUNNEL_PUBLIC_PORT 8081', `EDGE_CONNECTOR_PORT ${connectors}`]);
    expect(EDGE_PEER_PORT).toBe(0);
  });

  it('are all that the settings ask for, each on its own host', () => {
    const env = {
      HOST: '0.0.0.0',
      METRICS_PORT: '9100',
      EDGE_HTTP_PORT: '80',
      EDGE_HTTPS_PORT: '443',
      EDGE_PEER_SECRET: 'x',
      EDGE_PEER_PORT: '7000',
    };
    const metrics = processNames.map((_, at) => `METRICS_PORT ${9100 + at}`);
    const edge = [
      'EDGE_HTTP_PORT 80',
      'EDGE_HTTPS_PORT 443',
      'EDGE_CONNECTOR_PORT 7844',
      'EDGE_PEER_PORT 7000',
    ];
    expect(names(env)).toEqual(['PORT 8080', ...metrics, ...edge]);
    const hosts = Object.fromEntries(portsOf(env).map(({ setting, host }) => [setting, host]));
    expect(hosts).toMatchObject({
      PORT: '0.0.0.0',
      METRICS_PORT: '127.0.0.1',
      EDGE_HTTPS_PORT: '0.0.0.0',
      EDGE_PEER_PORT: '127.0.0.1',
    });
  });

  it('are one more for the metrics of each further edge, and none more for visitors', () => {
    const more = names({ EDGE_PROCESSES: '3', METRICS_PORT: '9100' });
    const less = names({ METRICS_PORT: '9100' });
    const last = 9100 + processNames.length;
    expect(more.filter((one) => !less.includes(one))).toEqual([
      `METRICS_PORT ${last}`,
      `METRICS_PORT ${last + 1}`,
    ]);
  });

  it('are the edge’s with each provider that runs here by the table of providers', () => {
    const { TUNNEL_PROVIDER: byDefault } = readSettings(['TUNNEL_PROVIDER'], {});
    expect(runsProvider({})).toBe(tunnelProviders[byDefault].runsHere);
    for (const name of tunnelProviderNames)
      expect(runsProvider({ TUNNEL_PROVIDER: name }), name).toBe(tunnelProviders[name].runsHere);
  });

  it('are none of the edge’s with Cloudflare', () => {
    expect(names({ TUNNEL_PROVIDER: 'cloudflare', EDGE_HTTPS_PORT: '443' })).toEqual(['PORT 8080']);
  });

  it('are chosen by settings that exist, from the environment before the folder', () => {
    expect(() =>
      readSettings(Object.keys(portSettingsOf({})) as SettingName[], { TUNNEL_PUBLIC_PORT: '1' }),
    ).not.toThrow();
    const folder = mkdtempSync(join(tmpdir(), 'talpa-ports-'));
    for (const name of ['PORT', 'EDGE_HTTP_PORT']) writeFileSync(join(folder, name), '99\n');
    expect(portSettingsOf({ SETTINGS_FOLDER: folder, PORT: '98' })).toMatchObject({
      PORT: '98',
      EDGE_HTTP_PORT: '99',
    });
    rmSync(folder, { recursive: true });
  });
});

it('the edge is one process for every two cores, at most four, unless EDGE_PROCESSES says otherwise', () => {
  const counts = [1, 2, 3, 4, 8, 64].map((cores) => edgeNames({}, cores).length);
  expect(counts).toEqual([1, 1, 1, 2, 4, 4]);
  expect(edgeNames({ EDGE_PROCESSES: '3' }, 1)).toEqual(['edge', 'edge-2', 'edge-3']);
  expect(edgeNames({ EDGE_PROCESSES: '3', TUNNEL_PROVIDER: 'cloudflare' }, 64)).toEqual(['edge']);
});

it('services share a process on small machines, unless PROCESSES says otherwise', () => {
  const gib = 1024 ** 3;
  const machines = [
    [1, 64],
    [2, 64],
    [3, 64],
    [64, 3.9],
    [64, 4],
  ] as const;
  const grouped = (env: NodeJS.ProcessEnv) =>
    machines.map(([cores, memory]) => isGrouped(env, cores, memory * gib));
  for (const env of [{}, { PROCESSES: '' }, { PROCESSES: 'auto' }])
    expect(grouped(env)).toEqual([true, true, false, true, false]);
  expect(grouped({ PROCESSES: 'separate' })).not.toContain(true);
  expect(grouped({ PROCESSES: 'grouped' })).not.toContain(false);
});

it('every process has its place among those that are started, grouped or not', () => {
  const env = { PROCESSES: 'grouped', EDGE_PROCESSES: '2' };
  expect(startedNames(env)).toEqual(['gateway', 'services', 'edge', 'edge-2']);
  expect(startedNames(single)).toEqual(processNames);
  for (const one of [env, single])
    for (const name of processNames) expect(startedNames(one)).toContain(processOf(name, one));
});

it('a port that is one of those for game servers is refused by name, with Cloudflare there are none', async () => {
  const env = { PORT: '0', EDGE_HTTP_PORT: '0', EDGE_CONNECTOR_PORT: '25050', EDGE_TCP_PORTS: '25000-25099' };
  expect(await takenPort(env)).toBe(
    'EDGE_CONNECTOR_PORT asks for port 25050, which is one of EDGE_TCP_PORTS. Change one of them.',
  );
  expect(await takenPort({ ...env, EDGE_TCP_PORTS: '25050-25050' })).toContain('EDGE_TCP_PORTS');
  expect(await takenPort({ ...env, EDGE_CONNECTOR_PORT: '0' })).toBeNull();
  const cloudflare = { ...env, TUNNEL_PROVIDER: 'cloudflare', PORT: '25050' };
  expect(await takenPort(cloudflare)).toBeNull();
});

it('a taken port is said before npm packages are installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-bare-'));
  mkdirSync(join(folder, 'bin'));
  for (const part of ['launcher', 'packages/instance'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(folder, file));
  const installed = join(folder, 'installed');
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\ntouch ${installed}\nexit 1\n`, { mode: 0o755 });
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    PORT: '0',
    EDGE_HTTP_PORT: '0',
    EDGE_CONNECTOR_PORT: String(port),
  };
  const child = spawn(join(folder, 'launcher/run'), ['start'], { env });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const [code] = await once(child, 'close');
  other.close();
  expect([code, said.trim(), existsSync(installed)]).toEqual([
    1,
    `✗ Port ${port} is already in use. Choose another: EDGE_CONNECTOR_PORT=${port + 1} npm start`,
    false,
  ]);
  rmSync(folder, { recursive: true });
});
