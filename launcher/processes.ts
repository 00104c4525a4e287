import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { ChildCommand } from './child.ts';
import { root } from './paths.ts';

/** What a process of ours tells when it is ready. */
export interface ProcessFacts {
  readonly port: number | null;
  /** Further ports it listens on, by name. */
  readonly ports: Readonly<Record<string, number>>;
}

/** Starts `<folder>/main.ts` under the Node we run on; a restart keeps the port it had. */
export function processCommand(name: string, folder: string, env: NodeJS.ProcessEnv) {
  return (earlier: ProcessFacts | null): ChildCommand => ({
    name,
    file: process.execPath,
    args: [join(root, folder, 'main.ts')],
    env: { ...env, ...(earlier?.port ? { PORT: String(earlier.port) } : {}) },
    channel: true,
    cwd: root,
  });
}

/** Waits for `{ ready: true, port? }` on the channel. */
export function readyMessage(child: ChildProcess): Promise<ProcessFacts> {
  return new Promise((resolve) => {
    child.on('message', (message: { ready?: boolean; port?: number; ports?: Record<string, number> }) => {
      if (message.ready) resolve({ port: message.port ?? null, ports: message.ports ?? {} });
    });
  });
}
