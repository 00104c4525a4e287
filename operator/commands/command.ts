import { parseArgs } from 'node:util';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { talpaCall } from '@talpa/instance/command-names';
import type { Instance } from '../instance.ts';

/** Switches, given as `--name`, and what each does. */
export type Options = Readonly<Record<string, { readonly type: 'boolean'; readonly what: string }>>;
type OptionValues<O extends Options> = { readonly [K in keyof O]?: boolean };

/** What a command is given. */
export interface Invocation<O extends Options = Options> {
  /** The words in the places of `<name>` and `[name]`. */
  readonly words: readonly string[];
  readonly options: OptionValues<O>;
  readonly instance: Instance;
  readonly log: LogLine;
}

/** One command of `npm run talpa`. */
export interface Command {
  /** Its words, then `<needed>` and `[optional]` arguments: “dead-letters retry [id]”. */
  readonly usage: string;
  readonly summary: string;
  readonly options: Options;
  /** It makes the instance where there is none; every other command refuses. */
  readonly makesInstance?: true;
  run(invocation: Invocation): Promise<void>;
}

/** Keeps the types of a command's options while checking its shape. */
export function command<const O extends Options>(
  definition: Omit<Command, 'run' | 'options'> & {
    readonly options?: O;
    run(invocation: Invocation<O>): Promise<void>;
  },
): Command {
  return { options: {}, ...definition } as Command;
}

const partsOf = (usage: string) => usage.split(' ').filter((part) => !part.startsWith('['));
const nameOf = (usage: string) => partsOf(usage).filter((part) => !part.startsWith('<'));

/**
 * Finds the command a person means and reads its arguments.
 * @throws CliError that says what may be typed instead
 */
export function readCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; words: string[]; options: Invocation['options'] } {
  const found = commands
    .filter(({ usage }) => nameOf(usage).every((word, at) => argv[at] === word))
    .sort((a, b) => nameOf(b.usage).length - nameOf(a.usage).length)[0];
  if (!found) throw new CliError(noCommand(commands, argv));
  const { length } = nameOf(found.usage);
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: argv.slice(length), options: found.options, allowPositionals: true });
  } catch (error) {
    throw new CliError(`${error instanceof Error ? error.message : error}\n${usageLine(found)}`);
  }
  const words = parsed.positionals;
  const needed = partsOf(found.usage).length - length;
  const optional = found.usage.split(' ').length - length - needed;
  if (words.length < needed || words.length > needed + optional) throw new CliError(usageLine(found));
  return { command: found, words, options: parsed.values as Invocation['options'] };
}

/** The help somebody asks for, with `help`, `--help` or no word at all; null when a command is meant. */
export function askedHelp(commands: readonly Command[], argv: readonly string[]): string | null {
  const words = argv.filter((word, at) => !['--help', '-h'].includes(word) && !(at === 0 && word === 'help'));
  if (argv.length > 0 && words.length === argv.length) return null;
  const meant = commands.filter(({ usage }) => nameOf(usage).every((word, at) => words[at] === word));
  const near = meant.length > 0 ? meant : startingWith(commands, words[0]);
  return helpText(near.length > 0 ? near : commands);
}

const startingWith = (commands: readonly Command[], first: string | undefined) =>
  commands.filter(({ usage }) => nameOf(usage)[0] === first);

function noCommand(commands: readonly Command[], argv: readonly string[]): string {
  const near = startingWith(commands, argv[0]);
  if (near.length > 0) return [`Commands that start with “${argv[0]}”:`, '', ...helpLines(near)].join('\n');
  return `Unknown command “${argv[0] ?? ''}”.\n\n${helpText(commands)}`;
}

function usageLine({ usage, options }: Command): string {
  const flags = Object.keys(options).map((name) => ` [--${name}]`);
  return `Usage: ${talpaCall} ${usage}${flags.join('')}`;
}

const helpText = (commands: readonly Command[]) =>
  [`Usage: ${talpaCall} <command>`, '', ...helpLines(commands)].join('\n');

function helpLines(commands: readonly Command[]): string[] {
  const entries = commands.flatMap(({ usage, summary, options }) => [
    { left: usage, right: summary },
    ...Object.entries(options).map(([name, { what }]) => ({ left: `  --${name}`, right: what })),
  ]);
  const width = Math.max(...entries.map(({ left }) => left.length)) + 2;
  return entries.map(({ left, right }) => `  ${left.padEnd(width)}${right}`);
}
