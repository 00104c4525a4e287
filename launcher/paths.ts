import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folders of one instance's home. */
export function homeFolders(home: string) {
  return {
    home,
    secrets: join(home, 'secrets'),
    logs: join(home, 'log'),
    /** Which processes are ours, for the next start. */
    pids: join(home, 'pids'),
    nats: join(home, 'nats'),
  };
}
export type HomeFolders = ReturnType<typeof homeFolders>;
