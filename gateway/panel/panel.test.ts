import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PanelConfig } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { createLog } from '@talpa/service-kit/log';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createErrorHandler } from '../api/errors.ts';
import { registerPanel } from './panel.ts';

const config: PanelConfig = {
  version: '1.2.3',
  tunnelDomain: 'tunnel.localhost',
  tunnelProvider: 'embedded',
  edge: null,
  defaultLanguage: 'de',
  registration: 'open',
  planChanges: 'self',
  emailRequired: false,
  sendsEmail: false,
  gamePorts: false,
  protectedProxies: false,
  requestLogDays: 30,
  showTotals: true,
  secondFactor: 'optional',
  passkeyHost: null,
  links: { imprint: 'https://example.org/?a=</script><script>alert(1)//' },
};
const script = 'console.log("mole");\n'.repeat(200);
const compressedByBuild = brotliCompressSync(`${script}// as the build made it`);
const files: Record<string, string | Buffer> = {
  'shell/index.html': `<script type="application/json" id="panel-config">__PANEL_CONFIG__</script>
    <script nonce="__CSP_NONCE__" src="/main.0123456789abcdef.js"></script><style nonce="__CSP_NONCE__"></style>`,
  'shell/main.0123456789abcdef.js': script,
  'shell/frame.0123456789abcdef.js': script,
  'shell/frame.0123456789abcdef.js.br': compressedByBuild,
  'user/mf-manifest.json': '{"name":"user"}',
  'admin/mf-manifest.json': '{"name":"admin"}',
  'secret.txt': 'outside',
};

let folder: string;
/** Serves the folders, and a second one that has the first as its upstream. */
let fromFolders: FastifyInstance;
let fromUrls: FastifyInstance;
const upstream = fastify();

async function panel(sources: { shell: string; user: string; admin: string }): Promise<FastifyInstance> {
  const app = fastify();
  app.setErrorHandler(createErrorHandler(createLog('test', 'silent')));
  await registerPanel(app, sources, config, async (request) => {
    if (request.headers['x-test-admin'] !== 'yes') throw new AppError('not_found');
  });
  return app;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'talpa-panel-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  fromFolders = await panel({
    shell: join(folder, 'shell'),
    user: join(folder, 'user'),
    admin: join(folder, 'admin'),
  });
  upstream.get('/*', (request, reply) => {
    const content = files[(request.params as { '*': string })['*']];
    reply.headers({ 'x-saw-cookie': request.headers.cookie ?? 'none', 'cache-control': 'public, no-cache' });
    return content === undefined ? reply.code(404).send('') : reply.type('text/plain').send(content);
  });
  const base = await upstream.listen({ port: 0, host: '127.0.0.1' });
  fromUrls = await panel({ shell: `${base}/shell/`, user: `${base}/user/`, admin: `${base}/admin/` });
});
afterAll(async () => {
  await Promise.all([fromFolders.close(), fromUrls.close(), upstream.close()]);
  rmSync(folder, { recursive: true });
});

describe.each([
  ['from folders', () => fromFolders],
  ['from URLs', () => fromUrls],
])('the panel %s', (_name, app) => {
  const get = (url: string, headers: Record<string, string> = {}) => app().inject({ url, headers });

  it.each(['/', '/index.html', '/settings', '/tunnel-configuration/12'])(
    'answers %s with its page',
    async (url) => {
      const response = await get(url, { accept: 'text/html' });
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(response.headers['cache-control']).toContain('no-cache');
    },
  );

  it('allows exactly the scripts of this one response', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { body, headers } = await get('/');
        const inPage = [...body.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
        const [inPolicy] =
          String(headers['content-security-policy']).match(/(?<=script-src 'self' 'nonce-)[^']+/) ?? [];
        expect(new Set([...inPage, inPolicy]).size).toBe(1);
        return inPolicy;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('puts its configuration into the page, and no value can end the element', async () => {
    const { body } = await get('/');
    const json = body.match(/id="panel-config">(.*?)<\/script>/)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual(config);
  });

  it('answers 404, never the page, for a file that is not there', async () => {
    for (const url of [
      '/main.ffffffffffffffff.js',
      '/remotes/user/old.0123456789.js',
      '/remotes/ghost/mf-manifest.json',
    ]) {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.body).not.toContain('panel-config');
    }
  });

  it('serves the remotes, the admin’s to those who pass the gate alone', async () => {
    expect((await get('/remotes/user/mf-manifest.json')).body).toBe(files['user/mf-manifest.json']);
    expect((await get('/remotes/admin/mf-manifest.json')).statusCode).toBe(404);
    const allowed = await get('/remotes/admin/mf-manifest.json', { 'x-test-admin': 'yes' });
    expect(allowed.body).toBe(files['admin/mf-manifest.json']);
  });

  it('has no way out of a frontend’s folder', async () => {
    for (const url of [
      '/..%2fsecret.txt',
      '/remotes/user/..%2f..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/remotes/user/..%5csecret.txt',
    ])
      expect((await get(url)).body).not.toContain('outside');
  });
});

describe('files from folders', () => {
  const get = (url: string, headers: Record<string, string> = {}) => fromFolders.inject({ url, headers });

  it('are kept for a year when their name has their hash, else asked for again', async () => {
    const hashed = await get('/main.0123456789abcdef.js');
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const manifest = await get('/remotes/user/mf-manifest.json');
    expect(manifest.headers['cache-control']).toBe('public, no-cache');
    const again = await get('/remotes/user/mf-manifest.json', {
      'if-none-match': String(manifest.headers.etag),
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const admins = await get('/remotes/admin/mf-manifest.json', { 'x-test-admin': 'yes' });
    expect(admins.headers['cache-control']).toBe('private, no-cache');
  });

  it('travel compressed to those who can read it', async () => {
    const compressed = await get('/main.0123456789abcdef.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(script);
    expect((await get('/main.0123456789abcdef.js')).body).toBe(script);
    const page = await get('/', { 'accept-encoding': 'gzip' });
    expect([page.headers['content-encoding'], page.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(gunzipSync(page.rawPayload).toString()).toContain('id="panel-config"');
  });

  it('are sent as the build has compressed them, and those contents have no address of their own', async () => {
    const headers = { 'accept-encoding': 'br' };
    const response = await get('/frame.0123456789abcdef.js', headers);
    expect(response.headers['content-encoding']).toBe('br');
    expect(response.rawPayload).toEqual(compressedByBuild);
    expect((await get('/frame.0123456789abcdef.js.br', headers)).statusCode).toBe(404);
  });
});

describe('a frontend’s server', () => {
  it('cannot have the administrators’ files kept for others', async () => {
    const admins = { 'x-test-admin': 'yes' };
    const url = '/remotes/admin/mf-manifest.json';
    expect((await fromUrls.inject({ url, headers: admins })).headers['cache-control']).toBe(
      'private, no-cache',
    );
    const shells = await fromUrls.inject({ url: '/main.0123456789abcdef.js' });
    expect(shells.headers['cache-control']).toBe('public, no-cache');
  });

  it('never sees our visitors’ cookies', async () => {
    const response = await fromUrls.inject({
      url: '/main.0123456789abcdef.js',
      headers: { cookie: 'talpa_session=x' },
    });
    expect([response.body, response.headers['x-saw-cookie']]).toEqual([script, 'none']);
  });
});
