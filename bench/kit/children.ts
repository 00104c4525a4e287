import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const children: ChildProcess[] = [];

/** A program of this folder that sends `{port}` once it is ready. */
export interface Started {
  readonly pid: number;
  readonly port: number;
}

/** Starts a program and waits until it is ready. `endAll` ends it. @throws Error when it ends instead */
export async function start(
  file: string,
  options: { args?: readonly string[]; env?: NodeJS.ProcessEnv; load?: string; say?: unknown } = {},
): Promise<Started> {
  const child = fork(join(import.meta.dirname, '..', file), [...(options.args ?? [])], {
    env: { ...process.env, ...options.env },
    execArgv: options.load ? ['--import', join(import.meta.dirname, '..', options.load)] : [],
  });
  children.push(child);
  if (options.say !== undefined) child.send(options.say as object);
  const gone = once(child, 'exit').then(() => {
    throw new Error(`${file} ${options.args?.join(' ') ?? ''} ended before it was ready`);
  });
  const [facts] = await Promise.race([once(child, 'message'), gone]);
  gone.catch(() => {});
  return { pid: child.pid ?? 0, port: (facts as { port: number }).port };
}

/** Ends with the others. */
export function adopt(child: ChildProcess): void {
  children.push(child);
}

/** Ends everything that was started, the last first. */
export async function endAll(): Promise<void> {
  for (const child of children.splice(0).reverse()) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  }
}
