import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import type { ChildCommand } from '@talpa/instance/child';
import { root } from '@talpa/instance/paths';

/** What a process of ours reports when it is ready. */
export interface ProcessFacts {
  readonly port: number | null;
  /** Further ports, by the setting that names each. */
  readonly ports: Readonly<Record<string, number>>;
  /** How long it may take to stop, in ms. */
  readonly stopMs: number;
}

interface ReadyMessage extends Partial<ProcessFacts> {
  readonly ready?: boolean;
}

/**
 * Of processes on small machines: V8 lets the space for new objects grow to 64 MB, more than all that a process keeps, and keeps it
 * while it is idle. A smaller one is collected more often. `--expose-gc`: see `giveBackMemory`.
 */
export const smallFlags = ['--max-semi-space-size=4', '--expose-gc'] as const;

/** Starts `<folder>/main.ts` under the Node we run on, with these flags; a restart keeps the ports it had. */
export function processCommand(
  name: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  sockets: ChildCommand['sockets'] = {},
  flags: readonly string[] = [],
) {
  return (earlier: ProcessFacts | null): ChildCommand => ({
    name,
    file: process.execPath,
    args: [...flags, join(root, folder, 'main.ts')],
    env: { ...env, ...(earlier ? portSettings(earlier) : {}) },
    channel: true,
    sockets,
    cwd: root,
  });
}

/** Has a process wait for a debugger on this port of our own machine. */
export function inspectorSettings(port: number | undefined, { NODE_OPTIONS = '' }: NodeJS.ProcessEnv) {
  return port === undefined ? {} : { NODE_OPTIONS: `${NODE_OPTIONS} --inspect=127.0.0.1:${port}`.trim() };
}

/** Waits for `{ ready: true, port?, ports?, stopMs? }` on the channel. */
export function readyMessage(child: ChildProcess): Promise<ProcessFacts> {
  return new Promise((resolve) => {
    child.on('message', ({ ready, port = null, ports = {}, stopMs = 0 }: ReadyMessage) => {
      if (ready) resolve({ port, ports, stopMs });
    });
  });
}

function portSettings({ port, ports }: ProcessFacts): NodeJS.ProcessEnv {
  const all = Object.entries({ ...(port ? { PORT: port } : {}), ...ports });
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

/** Asks a process of ours, on its channel, for a sign of life: its event loop turns. Its stores are not its fault. */
export async function probeOnChannel(child: ChildProcess, signal: AbortSignal): Promise<void> {
  child.send({ ask: 'alive' }, () => {});
  for await (const [message] of on(child, 'message', { signal, close: ['disconnect'] }))
    if ((message as { alive?: boolean }).alive) return;
}
