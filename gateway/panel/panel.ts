import type { PanelConfig } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Folder, readFolder } from './folder.ts';
import { createIndexPage, type IndexPage } from './index-page.ts';
import { sendFile } from './send-file.ts';
import { fetchText, registerUpstream } from './upstream.ts';

/** Where the frontends are: each the folder of a build, or the URL of a server that has it. */
export interface PanelSources {
  readonly shell: string;
  readonly user: string;
  readonly admin: string;
}

/** Lets a request pass, or throws. */
export type Gate = (request: FastifyRequest) => Promise<void>;

const isUrl = (source: string) => /^https?:\/\//.test(source);
const hasExtension = (path: string) => /\.\w+$/.test(path);
const pathOf = (request: FastifyRequest) => (request.params as { '*'?: string })['*'] ?? '';

/**
 * Serves the panel: the shell at `/`, the remotes below `/remotes/`, and the shell's page for every address
 * that is no file, since the browser's router knows it.
 */
export async function registerPanel(
  app: FastifyInstance,
  sources: PanelSources,
  config: PanelConfig,
  adminGate: Gate,
): Promise<void> {
  await registerRemote(app, '/remotes/user', sources.user);
  await app.register(async (scope) => {
    scope.addHook('onRequest', adminGate);
    await registerRemote(scope, '/remotes/admin', sources.admin, 'private');
  });
  app.get('/remotes/*', notFound);
  if (isUrl(sources.shell)) await registerShellUpstream(app, sources.shell, config);
  else await registerShellFolder(app, sources.shell, config);
}

async function registerRemote(
  app: FastifyInstance,
  prefix: string,
  source: string,
  audience: 'public' | 'private' = 'public',
): Promise<void> {
  if (isUrl(source)) return registerUpstream(app, prefix, source, audience);
  const folder = await readFolder(source);
  app.get(`${prefix}/*`, (request, reply) => sendFrom(folder, request, reply, audience));
}

async function registerShellFolder(app: FastifyInstance, source: string, config: PanelConfig): Promise<void> {
  const folder = await readFolder(source);
  const html = folder.get('index.html')?.content.toString('utf8');
  if (html === undefined) throw new Error('PANEL_SHELL: the folder has no index.html');
  const page = createIndexPage(html, config);
  app.get('/*', async (request, reply) =>
    isPage(request) ? sendPage(page, request, reply) : sendFrom(folder, request, reply, 'public'),
  );
}

async function registerShellUpstream(
  app: FastifyInstance,
  source: string,
  config: PanelConfig,
): Promise<void> {
  await registerUpstream(app, '/', source, 'public', async (request, reply) => {
    if (!isPage(request)) return;
    const html = await fetchText(source, 'index.html');
    await sendPage(createIndexPage(html, config), request, reply);
  });
}

const isPage = (request: FastifyRequest) =>
  pathOf(request) === 'index.html' || !hasExtension(pathOf(request));

async function sendPage(
  page: IndexPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const accept = request.headers.accept ?? '*/*';
  if (!accept.includes('text/html') && !accept.includes('*/*')) throw new AppError('not_found');
  return page.send(request, reply);
}

async function sendFrom(
  folder: Folder,
  request: FastifyRequest,
  reply: FastifyReply,
  audience: 'public' | 'private',
): Promise<FastifyReply> {
  const file = folder.get(pathOf(request));
  if (!file) throw new AppError('not_found');
  return sendFile(file, request, reply, audience);
}

function notFound(): never {
  throw new AppError('not_found');
}
