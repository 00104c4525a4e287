import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { until } from './wait.ts';

/** A command of the launcher while it runs. */
export interface Command {
  /** Sends a signal to its first process. */
  kill(signal: NodeJS.Signals): void;
  /** Everything it has printed so far, both streams. */
  output(): string;
  /** Waits until it has printed something that matches. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Waits for its end; its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Runs `npm start` and its like as a process of its own, without npm: `launch('start', { PORT: … })`. */
export function launch(command: string, env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Command {
  const child = spawn(join(root, 'launcher/run'), [command, ...args], {
    env: { ...process.env, EDGE_HTTP_PORT: '0', EDGE_CONNECTOR_PORT: '0', ...env },
    // The channel ends it when the tests are killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1));
  });
  return {
    kill: (signal) => void child.kill(signal),
    output: () => output,
    prints: (pattern) => until(`${pattern} from ${command}`, () => output.match(pattern)),
    ended,
  };
}
