import { cpSync, globSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Neither sources nor small. `load` holds results at the root alone. */
const notCopied = /(^|\/)(node_modules|\.git|dist|\.talpa[^/]*|screenshots)$|^load$/;
/** What is worth breaking: neither tests nor generated. */
const isSource = (path: string) => /\.ts$/.test(path) && !/\.(test|d)\.ts$/.test(path);

/** The files that these names stand for: a file, some lines of one (`file.ts:10-40`), or a folder's. */
export function filesToMutate(root: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = name.replace(/:\d+(:\d+)?-\d+(:\d+)?$/, '');
    if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory())
      return isSource(path) ? [name] : [];
    const inFolder = globSync('**/*.ts', { cwd: join(root, path) });
    return inFolder
      .map((file) => join(path, file))
      .filter((file) => isSource(file) && !/(^|\/)(node_modules|dist)\//.test(file));
  });
}

/**
 * Copies the clone without its packages, which are linked; but the workspaces among them lead to the copy, so that
 * a mutant in one is found.
 */
export function copySources(root: string, copy: string): void {
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !notCopied.test(relative(root, path)),
  });
  const [packages, ours] = [join(root, 'node_modules'), join(root, 'node_modules', '@talpa')];
  mkdirSync(join(copy, 'node_modules', '@talpa'), { recursive: true });
  for (const name of readdirSync(packages))
    if (name !== '@talpa') symlinkSync(join(packages, name), join(copy, 'node_modules', name));
  for (const name of readdirSync(ours))
    symlinkSync(readlinkSync(join(ours, name)), join(copy, 'node_modules', '@talpa', name));
}
