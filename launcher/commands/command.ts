import { parseArgs } from 'node:util';
import { talpaCall } from '../calls.ts';
import type { Instance } from '../instance.ts';
import { PlainError, type Say } from '../say.ts';

/** A yes-or-no switch or a value, given as `--name` or `--name value`. */
export type Options = Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>;
type OptionValues<O extends Options> = {
  readonly [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string;
};

/** What a command is given. */
export interface Invocation<O extends Options = Options> {
  /** The words in the places of `<name>` and `[name]`. */
  readonly words: readonly string[];
  readonly options: OptionValues<O>;
  readonly instance: Instance;
  readonly say: Say;
}

/** One command of `npm run talpa`. */
export interface Command {
  /** Its words, then `<needed>` and `[optional]` arguments: «parked retry <id>». */
  readonly usage: string;
  readonly summary: string;
  readonly options: Options;
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
 * @throws PlainError that says what may be typed instead
 */
export function readCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; words: string[]; options: Invocation['options'] } {
  const found = commands
    .filter(({ usage }) => nameOf(usage).every((word, at) => argv[at] === word))
    .sort((a, b) => nameOf(b.usage).length - nameOf(a.usage).length)[0];
  if (!found) throw new PlainError(helpText(commands));
  const { length } = nameOf(found.usage);
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: argv.slice(length), options: found.options, allowPositionals: true });
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : error}\n${usageLine(found)}`);
  }
  const words = parsed.positionals;
  const needed = partsOf(found.usage).length - length;
  const optional = found.usage.split(' ').length - length - needed;
  if (words.length < needed || words.length > needed + optional) throw new PlainError(usageLine(found));
  return { command: found, words, options: parsed.values as Invocation['options'] };
}

function usageLine({ usage, options }: Command): string {
  const switches = Object.entries(options).map(
    ([name, { type }]) => ` [--${name}${type === 'string' ? ' …' : ''}]`,
  );
  return `Usage: ${talpaCall} ${usage}${switches.join('')}`;
}

function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length)) + 2;
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}${summary}`);
  return [`Usage: ${talpaCall} <command>`, '', ...lines].join('\n');
}
