import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder with the sources of a process, by its name. */
export const sourcesOf = (process: string) =>
  ['gateway', 'services'].includes(process) ? process : `services/${process}`;

/** The home of the instance that TALPA_HOME names, or the clone's own. */
export const homeOf = (environment: NodeJS.ProcessEnv) => resolve(root, environment.TALPA_HOME || '.talpa');

/** The folders of one instance's home. */
export function homeFolders(home: string) {
  return {
    home,
    secrets: join(home, 'secrets'),
    logs: join(home, 'log'),
    /** Which processes are ours, for the next start. */
    pids: join(home, 'pids'),
    nats: join(home, 'nats'),
    /** The secrets of each process, as files of its own. */
    settings: join(home, 'settings'),
  };
}
export type HomeFolders = ReturnType<typeof homeFolders>;
