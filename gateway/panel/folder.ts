import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** One file of a frontend's build, kept in memory. */
export interface StaticFile {
  readonly content: Buffer;
  readonly type: string;
  readonly etag: string;
  /** Its name contains its content's hash: it never changes. */
  readonly isImmutable: boolean;
  /** The content compressed, once; null where that is not worth it. */
  compressed(encoding: Encoding): Promise<Buffer> | null;
}

/** A build's files by their path below its folder. */
export type Folder = ReadonlyMap<string, StaticFile>;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const compressible = /^text|json|svg/;
const smallestToCompress = 1_024;
/** How the build names a file's compressed contents, beside the file. */
export const encodingEndings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
const isCompressed = (path: string) => /\.(br|gz)$/.test(path);
const hashedName = /[.-][0-9a-f]{8,}\.[\w.]+$/;

const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  // For a folder that our build did not make: six is a tenth larger than the highest quality, at a tenth of its time.
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** Compresses what is made for each response. */
export const compressNow = (encoding: Encoding, content: Buffer): Promise<Buffer> =>
  compressors[encoding](content);

/**
 * Reads a build into memory: a build made meanwhile does not mix with it, and no path leads out of it. Measured, `@fastify/static`
 * with `preCompressed` takes more than twice the CPU per file; it needs compressed files on disk, and its ETag is the file's
 * time and size, which differ between two gateways with the same build.
 */
export async function readFolder(folder: string): Promise<Folder> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)),
  );
  const files = [...contents].filter(([path]) => !isCompressed(path));
  return new Map(
    files.map(([path, content]) => {
      const made = (encoding: Encoding) => contents.get(`${path}${encodingEndings[encoding]}`);
      return [relative(folder, path), createFile(basename(path), content, made)];
    }),
  );
}

const typeOf = (name: string) => types[extname(name).toLowerCase()] ?? 'application/octet-stream';

/** Whether a file is sent compressed. */
export const isWorthCompressing = (name: string, content: Buffer): boolean =>
  compressible.test(typeOf(name)) && content.length >= smallestToCompress;

function createFile(
  name: string,
  content: Buffer,
  madeByBuild: (encoding: Encoding) => Buffer | undefined,
): StaticFile {
  const type = typeOf(name);
  const isWorthIt = isWorthCompressing(name, content);
  const made: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return {
    content,
    type,
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    isImmutable: hashedName.test(name),
    compressed: (encoding) => {
      if (!isWorthIt) return null;
      made[encoding] ??= Promise.resolve(madeByBuild(encoding) ?? compressors[encoding](content));
      return made[encoding];
    },
  };
}
