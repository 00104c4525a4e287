import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorRelease } from '@talpa/contracts';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { type ConnectorParts, registerConnector } from './connector.ts';

const withCloudflare: ConnectorParts = {
  publicUrl: 'https://panel.example.com',
  edge: null,
  authorityFile: undefined,
  mirror: connectorRelease.mirror,
};

async function serve(parts: Partial<ConnectorParts> = {}) {
  const app = fastify();
  await registerConnector(app, { ...withCloudflare, ...parts });
  return async (path: string, headers: Record<string, string> = {}) => app.inject({ path, headers });
}

it('with Cloudflare the scripts name no edge, and the pinned release with the hash of each file', async () => {
  const get = await serve();
  const script = (await get('/install/en.sh')).body;
  execFileSync('shellcheck', ['-s', 'sh', '-'], { input: script });
  expect(script).toContain("panel='https://panel.example.com'\n");
  expect(script).toContain("edge=''\nauthority=''\nauthority_hash=''\n");
  expect(script).toContain(`mirror='${connectorRelease.mirror}'`);
  for (const one of [script, (await get('/install/de.ps1')).body])
    for (const entry of Object.entries(connectorRelease.files)) expect(one).toContain(entry.join(' '));
  expect((await get('/install/cloudflared-linux-amd64')).statusCode).toBe(404);
});

it('without PUBLIC_URL the panel is called what the request calls it, and nothing breaks out of its quotation marks', async () => {
  const get = await serve({ publicUrl: undefined });
  const called = async (host: string) => get('/install/de.sh', { host });
  expect((await called('panel.example.com:8080')).body).toContain("panel='http://panel.example.com:8080'\n");
  for (const host of ["x'; reboot; '", 'x$(reboot)', 'x`reboot`', 'x"y', "a'b"]) {
    const { statusCode, body } = await called(host);
    if (statusCode !== 200) continue;
    const said = execFileSync('sh', ['-s'], { input: `${body}printf %s "$panel"\n`, encoding: 'utf8' });
    expect(said).toBe(new URL(`http://${host}`).origin);
  }
});

it('a folder serves the files that it has, by their own hashes, and nothing else of it', async () => {
  const mirror = mkdtempSync(join(tmpdir(), 'mirror-'));
  writeFileSync(join(mirror, 'cloudflared-linux-arm64'), 'program');
  writeFileSync(join(mirror, 'secret'), 'secret');
  const get = await serve({ mirror });
  const { body } = await get('/install/en.sh');
  expect(body).toContain(
    "mirror='https://panel.example.com/install'\nfiles='cloudflared-linux-arm64 1310ca2c8932dbd118668bd97442558a3e1f546b5e15c69699dfbd6024f548d8'\n",
  );
  expect((await get('/install/cloudflared-linux-arm64')).body).toBe('program');
  for (const other of ['secret', 'cloudflared-linux-amd64', '..%2Fsecret', '__proto__'])
    expect((await get(`/install/${other}`)).statusCode, other).toBe(404);
});
