import { readdirSync } from 'node:fs';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { describe, expect, it } from 'vitest';
import { overweight } from '../../launcher/build/panel-weight.ts';
import { buildPanel } from '../../launcher/build.ts';

const panel = await buildPanel(() => {});
const system = useSharedTalpa();

it('no entry of the panel weighs more than its budget', () => {
  const heavy = Object.entries(panel).flatMap(([frontend, folder]) => overweight(frontend, folder));
  expect(heavy).toEqual([]);
});

describe('the panel’s files', () => {
  /** What a response says of a file. */
  const headersOf = async (path: string, encoding = 'gzip, br') => {
    const response = await fetch(`${system.url}${path}`, { headers: { 'accept-encoding': encoding } });
    await response.arrayBuffer();
    expect(response.status, path).toBe(200);
    return response.headers;
  };
  const files = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

  it('with a hash in their name are kept for good, and everything that code is in has one', async () => {
    const paths = [
      ...files(panel.shell).map((file) => `/${file}`),
      ...files(panel.user).map((file) => `/remotes/user/${file}`),
    ].filter((path) => /\.(js|css|woff2)$/.test(path));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const headers = await headersOf(path);
      expect(headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
    }
  });

  it('without one are asked for each time: the page, the remotes’ manifests, the icons', async () => {
    for (const path of [
      '/',
      '/settings',
      '/remotes/user/mf-manifest.json',
      '/mole.svg',
      '/talpa.webmanifest',
    ])
      expect((await headersOf(path)).get('cache-control'), path).toMatch(/^(public|private), no-cache$/);
  });

  it('travel compressed to browsers that accept it', async () => {
    const main = files(panel.shell).find((file) => file.startsWith('main.')) ?? '';
    expect((await headersOf(`/${main}`)).get('content-encoding')).toBe('br');
    expect((await headersOf(`/${main}`, 'gzip')).get('content-encoding')).toBe('gzip');
    expect((await headersOf('/remotes/user/mf-manifest.json')).get('content-encoding')).toBe('br');
  });
});
