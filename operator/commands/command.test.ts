import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { describe, expect, it } from 'vitest';
import { faultsIn } from '../../frontends/text-rules.ts';
import { askedHelp, readCommand } from './command.ts';
import { commands } from './commands.ts';

const help = (...argv: string[]) => askedHelp(commands, argv) ?? '';
const refusal = (...argv: string[]) => {
  try {
    return readCommand(commands, argv).command.usage;
  } catch (error) {
    return String(error);
  }
};

describe('the help of the operator’s commands', () => {
  it('names every command and every switch, for --help and for no word at all', () => {
    for (const { usage, options } of commands)
      for (const name of [usage, ...Object.keys(options).map((option) => `--${option}`)])
        expect(help('--help')).toContain(`  ${name} `);
    expect([help(), help('help')]).toEqual([help('--help'), help('--help')]);
  });

  it('is that of one command, or of those that begin so, where a word is given too', () => {
    expect(help('resync', '--help').match(/--[a-z-]+/g)).toEqual(['--dry-run', '--confirm', '--last']);
    expect(help('dead-letters', '-h')).toMatch(/dead-letters list .*\n.*dead-letters retry \[id\] /);
    expect(help('dead-letters', '-h')).not.toContain('resync');
    expect(help('help', 'dead-letters')).toBe(help('dead-letters', '-h'));
  });

  it('follows the rules for texts', () => {
    const texts = commands.flatMap(({ summary, options }) => [
      summary,
      ...Object.values(options).map(({ what }) => what),
    ]);
    expect(texts.flatMap((text) => faultsIn(text, 'en', 'others'))).toEqual([]);
  });

  it('is not asked by a command', () => {
    expect(askedHelp(commands, ['dead-letters', 'list'])).toBeNull();
  });
});

describe('a command that there is not', () => {
  it('gets the list of what may follow the first word', () => {
    for (const words of [['dead-letters'], ['dead-letters', 'lsit']]) {
      expect(refusal(...words)).toMatch(/Commands that start with “dead-letters”:\n\n {2}dead-letters list /);
      expect(refusal(...words)).not.toContain('resync');
    }
  });

  it('is named, with all that there are', () => {
    expect(refusal('amdin')).toMatch(/Unknown command “amdin”\.\n\nUsage: [\s\S]*admin create <username>/);
  });
});

it('knows every command that alerts and documents name', () => {
  const files = globSync(['docs/**/*.md', '*.md', 'deploy/observability/**/*.yml'], { cwd: root });
  const named = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/npm run talpa -- ([^`"#]*?)\s*(?:[`"#]|$)/gm),
  ]);
  expect(named.length).toBeGreaterThan(10);
  for (const [, typed = ''] of named)
    if (typed !== '<command>') expect(() => readCommand(commands, typed.split(/\s+/)), typed).not.toThrow();
});
