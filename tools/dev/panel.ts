import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Compiler, type Configuration, rspack } from '@rspack/core';
import type { LogLine } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { hotConfig } from '@talpa/panel-kit/build/hot';

const frontends = ['shell', 'user', 'admin'] as const;
type Frontend = (typeof frontends)[number];

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** The gateway gives up a stream that is silent for five seconds. */
const beatMs = 2_000;

/** Where the gateway finds the frontends. */
interface DevPanel {
  readonly env: Readonly<Record<'PANEL_SHELL' | 'PANEL_USER' | 'PANEL_ADMIN', string>>;
  stop(): Promise<void>;
}

/** Builds the frontends at each change of their sources, and serves them with the events of each build. */
export async function startDevPanel(home: string, log: LogLine): Promise<DevPanel> {
  const hashes = new Map<Frontend, string>();
  const streams = new Set<ServerResponse>();
  const send = (stream: ServerResponse, name: Frontend) =>
    hashes.has(name) && stream.write(`event: ${name}\ndata: ${hashes.get(name)}\n\n`);
  const compilers: Compiler[] = [];
  const outputOf = (name: Frontend) => join(home, 'panel', name);

  const build = async (name: Frontend) => {
    const { default: config }: { default: Configuration } = await import(
      pathToFileURL(join(root, 'frontends', name, 'rspack.config.ts')).href
    );
    mkdirSync(outputOf(name), { recursive: true });
    const compiler = rspack(hotConfig(config, outputOf(name)));
    compilers.push(compiler);
    await new Promise<void>((resolve) => {
      compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
        if (error) log(`frontends/${name} cannot be built: ${error.message}`);
        else if (stats?.hasErrors()) log(stats.toString({ all: false, errors: true, colors: false }));
        else if (stats?.hash) {
          if (hashes.has(name))
            log(`frontends/${name} was built (${Number(stats.endTime) - Number(stats.startTime)} ms)`);
          hashes.set(name, stats.hash);
          for (const stream of streams) send(stream, name);
        }
        resolve();
      });
    });
  };

  log('building the panel for development');
  const built = Object.fromEntries(frontends.map((name) => [name, build(name)])) as Record<
    Frontend,
    Promise<void>
  >;
  const follow = (stream: ServerResponse) => {
    stream
      .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      .write(':\n\n');
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
    for (const name of frontends) send(stream, name);
  };
  const answer = async (url: string, response: ServerResponse) => {
    const { pathname } = new URL(url, 'http://localhost');
    const [, name = '', ...rest] = decodeURIComponent(pathname).split('/');
    if (!isFrontend(name)) return response.writeHead(404).end();
    if (rest.join('/') === 'hot.events') return follow(response);
    await built[name];
    // `normalize` of an absolute path leaves no way out of the folder.
    const path = join(outputOf(name), normalize(`/${rest.join('/')}`));
    const content = await readFile(path);
    const type = types[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(content);
  };
  const server = createServer(({ url = '/' }, response) => {
    answer(url, response).catch(() => response.writeHead(404).end());
  });
  const beat = setInterval(() => {
    for (const stream of streams) stream.write(':\n\n');
  }, beatMs);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { PANEL_SHELL: `${base}/shell/`, PANEL_USER: `${base}/user/`, PANEL_ADMIN: `${base}/admin/` },
    stop: async () => {
      clearInterval(beat);
      for (const stream of streams) stream.end();
      server.close();
      server.closeAllConnections();
      await Promise.allSettled(Object.values(built));
      await Promise.all(compilers.map((one) => new Promise((done) => one.close(done))));
    },
  };
}

const isFrontend = (name: string): name is Frontend => frontends.some((one) => one === name);
