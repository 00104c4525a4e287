/** Builds one frontend in a process of its own: `launcher/build/frontend.ts <its folder> <output folder>`. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Configuration, rspack, type Stats } from '@rspack/core';
import { compressFiles } from './compress.ts';
import { weigh, weightsFile } from './panel-weight.ts';
import { writeRemotePreloads, writeShellPreloads } from './preload.ts';

const [folder = '', output = ''] = process.argv.slice(2);
const config: { default: Configuration } = await import(pathToFileURL(join(folder, 'rspack.config.ts')).href);

const compiler = rspack({
  mode: process.env.NODE_ENV === 'development' ? 'development' : 'production',
  context: folder,
  ...config.default,
  output: { ...config.default.output, path: output, clean: true },
});
const stats = await new Promise<Stats>((resolve, reject) => {
  compiler.run((error, result) => (result ? resolve(result) : reject(error)));
});
await new Promise((resolve) => compiler.close(resolve));
if (stats.hasErrors()) {
  console.error(stats.toString({ all: false, errors: true, colors: false }));
  process.exitCode = 1;
} else {
  const { chunks = [], modules = [] } = stats.toJson({
    all: false,
    ids: true,
    chunks: true,
    chunkOrigins: true,
    modules: true,
  });
  const weights = weigh({ chunks }, output);
  writeFileSync(join(output, weightsFile), `${JSON.stringify(weights, null, 2)}\n`);
  if (basename(folder) === 'shell') writeShellPreloads({ chunks, modules }, output);
  else writeRemotePreloads({ chunks, modules }, folder, output);
  if (compiler.options.mode === 'production') await compressFiles(output);
}
