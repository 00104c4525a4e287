/** Builds one frontend in a process of its own: `build-frontend.ts <its folder> <output folder>`. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Configuration, rspack, type Stats } from '@rspack/core';

const [folder = '', output = ''] = process.argv.slice(2);
const config: { default: Configuration } = await import(pathToFileURL(join(folder, 'rspack.config.ts')).href);

const compiler = rspack({
  mode: 'production',
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
}
