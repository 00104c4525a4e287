import { watch } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from '@talpa/instance/cli';
import { root, sourcesOf } from '@talpa/instance/paths';
import { schemas } from '../../launcher/stores/schemas.ts';
import type { Talpa } from '../../launcher/system.ts';

export const devProcesses = ['gateway', ...schemas.map(({ service }) => service)];
/** What every process is made from, too. */
const shared = ['packages/access', 'packages/contracts', 'packages/service-kit'];
/** An editor writes a file in several steps. */
const settleMs = 30;

const isSource = (path: string | null) =>
  path !== null && /\.(ts|txt|json)$/.test(path) && !/\.test\.ts$|node_modules/.test(path);

/** Restarts processes whose sources change. @returns how to stop */
export function watchSources({ parts }: Pick<Talpa, 'parts'>, log: LogLine): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const restart = async (name: string) => {
    const began = performance.now();
    await parts.get(name)?.restart();
    log(`${name} runs with your change (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  };
  const rememberChange = (names: readonly string[]) => (_event: string, path: string | null) => {
    if (!isSource(path)) return;
    for (const name of names) if (parts.has(name)) changed.add(name);
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const name of changed) void restart(name);
      changed.clear();
    }, settleMs);
  };
  const watchers = [
    ...devProcesses.map((name) => [sourcesOf(name), [name]] as const),
    ...shared.map((folder) => [folder, devProcesses] as const),
  ].map(([folder, names]) => watch(join(root, folder), { recursive: true }, rememberChange(names)));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
