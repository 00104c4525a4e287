import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { expect, it } from 'vitest';

const folder = join(root, 'docs/decisions');
const records = readdirSync(folder).filter((file) => /^\d/.test(file));

it('each decision record has a number of its own, in its name and its title', () => {
  const numbers = records.map((file) => Number(file.slice(0, 4)));
  expect(new Set(numbers).size).toBe(numbers.length);
  const titles = records.map((file) => readFileSync(join(folder, file), 'utf8').split('.', 1)[0]);
  expect(titles).toEqual(numbers.map((number) => `# ${number}`));
});

it('each decision record has at most 300 words', () => {
  const words = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split(/\s+/).length;
  expect(records.filter((file) => words(file) > 300)).toEqual([]);
});
