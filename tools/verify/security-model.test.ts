import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { expect, it } from 'vitest';

const [, table = ''] = readFileSync(join(root, 'docs/security-model.md'), 'utf8').split(
  '## Which test guards which promise',
);
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  .map((line) => line.slice(2, -2).split(' | '));

/** The files that a row names; a bare name lies beside the file before it, and “the same” is the row before. */
function filesOf(cell: string, before: readonly string[]): readonly string[] {
  const files = cell.includes('the same') ? [...before] : [];
  for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const last = files.at(-1);
    files.push(name.includes('/') || last === undefined ? name : join(dirname(last), name));
  }
  return files;
}

it('each promise of the security model names a test that there is', () => {
  let files: readonly string[] = [];
  const faults = rows.flatMap(([promise = '', cell = '', ...rest]) => {
    files = filesOf(cell, files);
    const missing = files.filter((file) => !existsSync(join(root, file)));
    const text = files
      .filter((file) => !missing.includes(file) && statSync(join(root, file)).isFile())
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const quoted = [...cell.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title);
    const unknown = quoted.filter((title) => !title.split('…').every((part) => text.includes(part.trim())));
    const shape = rest.length > 0 || files.length === 0 ? ['names no test'] : [];
    return [...shape, ...missing, ...unknown].map((fault) => `${promise}: ${fault}`);
  });
  expect(faults).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
});
