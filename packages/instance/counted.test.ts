import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { counted } from './counted.ts';
import { root } from './paths.ts';

describe('a count', () => {
  it.each([
    [0, '0 tunnels', '0 proxies'],
    [1, '1 tunnel', '1 proxy'],
    [2, '2 tunnels', '2 proxies'],
  ])('of %i has its noun’s form', (count, tunnels, proxies) => {
    expect([counted(count, 'tunnel'), counted(count, 'proxy', 'proxies')]).toEqual([tunnels, proxies]);
  });

  it('in what the launcher says never has a plural of its own', () => {
    const said = globSync('{launcher,operator,tools}/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'));
    const counts = /\$\{[^{}]*\} (?:proxies|[a-z]+(?<!i|a|u|s|thi|sign|hold|mean|alway|need|exist)s)\b/;
    expect(said.filter((line) => /\b(say|console\.log)\(`/.test(line) && counts.test(line))).toEqual([]);
  });
});
