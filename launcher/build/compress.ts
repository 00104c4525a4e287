import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Encoding, encodingEndings, isWorthCompressing } from '../../gateway/panel/folder.ts';

const compressors: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) =>
    promisify<Buffer, object, Buffer>(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Puts a `.br` and a `.gz` beside each file of a build that is sent compressed, as small as they can be. */
export async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  await Promise.all(
    files.flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const content = readFileSync(path);
      // The page is filled for each response.
      if (name === 'index.html' || !isWorthCompressing(name, content)) return [];
      return (['br', 'gzip'] as const).map(async (encoding) =>
        writeFileSync(`${path}${encodingEndings[encoding]}`, await compressors[encoding](content)),
      );
    }),
  );
}
