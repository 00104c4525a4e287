/** A failure whose message is all a person needs; the launcher prints it as one line, without a stack. */
export class CliError extends Error {}

/** Where progress is written: the terminal for `npm start`, nowhere for tests. */
export type LogLine = (line: string) => void;

/** Runs a command's main function: a failure becomes a clear line and exit code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  // A closed terminal must not end us before everything is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    await main();
  } catch (error) {
    if (error instanceof CliError) console.error(`✗ ${error.message}`);
    else console.error('✗ Unexpected error:', error);
    process.exit(1);
  }
}
