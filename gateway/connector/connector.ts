import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  connectorPath,
  connectorRelease,
  edgeAuthorityPath,
  languages,
  panelPresets,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readAuthority } from '../edge-authority.ts';
import { connectorEgg } from './egg.ts';
import { scriptTexts } from './texts.ts';

export interface ConnectorParts {
  readonly publicUrl: string | undefined;
  /** Where connectors find an edge of ours (`host:port`); null with Cloudflare. */
  readonly edge: string | null;
  /** The PEM of its certificate authority. */
  readonly authorityFile: string | undefined;
  /** Where the connector's files are: an address, or a folder of ours. */
  readonly mirror: string;
}

/** Inside single quotes. */
const quoted = {
  sh: (text: string) => text.replaceAll("'", String.raw`'\''`),
  // PowerShell takes typographic ones for the same.
  ps1: (text: string) => text.replace(/['‘’‚‛]/g, '$&$&'),
};
type Kind = keyof typeof quoted;
const kinds = Object.keys(quoted) as Kind[];

/** Serves the scripts that install a connector, the egg, and the connector's files where a folder of ours has them. */
export async function registerConnector(app: FastifyInstance, parts: ConnectorParts): Promise<void> {
  const files = isAbsolute(parts.mirror) ? await hashesIn(parts.mirror) : connectorRelease.files;
  for (const kind of kinds) {
    const script = await readFile(join(import.meta.dirname, `install.${kind}`), 'utf8');
    for (const language of languages)
      app.get(`${connectorPath}/${language}.${kind}`, async (request, reply) => {
        const values = { ...(await valuesFor(request, parts, files)), ...scriptTexts(language), language };
        return reply.headers(plainText).send(filledIn(script, values, kind));
      });
  }
  app.get(`${connectorPath}/egg.json`, async (request, reply) =>
    reply.headers(json).send(connectorEgg(baseOf(request, parts))),
  );
  app.get(`${connectorPath}/:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    if (!isAbsolute(parts.mirror) || !Object.hasOwn(files, file)) throw new AppError('not_found');
    return reply.type('application/octet-stream').send(createReadStream(join(parts.mirror, file)));
  });
}

// It changes with the installation, and a shell takes what it gets.
const plainText = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** What browsers call the panel; without PUBLIC_URL as this request does. */
function baseOf(request: FastifyRequest, { publicUrl }: ConnectorParts): string {
  const url = publicUrl ?? `http://${request.host}`;
  if (!URL.canParse(url)) throw new AppError('not_found');
  return new URL(url).origin;
}

async function valuesFor(
  request: FastifyRequest,
  parts: ConnectorParts,
  files: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const panel = baseOf(request, parts);
  const pem = parts.edge === null ? null : await readAuthority(parts.authorityFile);
  return {
    panel,
    edge: parts.edge ?? '',
    authority: pem === null ? '' : `${panel}${edgeAuthorityPath}`,
    authorityHash: pem === null ? '' : createHash('sha256').update(pem).digest('hex'),
    mirror: isAbsolute(parts.mirror) ? `${panel}${connectorPath}` : parts.mirror,
    files: Object.entries(files)
      .map((entry) => entry.join(' '))
      .join('\n'),
    panels: Object.entries(panelPresets)
      .map(([panel, { port, protocol, mark }]) => [panel, port, protocol, mark].join(' '))
      .join('\n'),
  };
}

/** A script with its values. @throws Error for a gap that nothing fills */
function filledIn(script: string, values: Readonly<Record<string, string>>, kind: Kind): string {
  return script.replace(/@([\w.]+)@/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing fills @${name}@`);
    return quoted[kind](value);
  });
}

/** The connector's files in a folder, by SHA-256. */
async function hashesIn(folder: string): Promise<Record<string, string>> {
  const known = (await readdir(folder)).filter((name) => Object.hasOwn(connectorRelease.files, name));
  const hashes = known.map(async (name) => {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    return [name, hash.digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
