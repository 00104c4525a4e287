import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * The name of a lock on a folder: by its inode, because containers on one network may have equal paths.
 * @param {string} purpose
 * @param {string} folder must exist
 */
export function folderLock(purpose, folder) {
  const { dev, ino } = statSync(folder);
  return `${purpose} ${dev} ${ino}`;
}

/**
 * Waits until no other process holds the lock of this name, and holds it until released. It is an abstract
 * socket, so the kernel gives it back when its holder dies, however it dies.
 * @param {string} name
 * @param {() => void} [onWait] told once when another process has it
 * @returns {Promise<() => void>} how to release it
 */
export async function holdLock(name, onWait = () => {}) {
  for (let waited = false; ; ) {
    const release = await tryLock(name);
    if (release) return release;
    if (!waited) onWait();
    waited = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Takes the lock of this name, if no other process holds it.
 * @param {string} name
 * @returns {Promise<(() => void) | null>} how to release it; null when another process has it
 */
export function tryLock(name) {
  // Only Linux has abstract sockets; elsewhere two commands at once are the user's own care.
  if (process.platform !== 'linux') return Promise.resolve(() => {});
  const address = `\0talpa-${createHash('sha256').update(name).digest('hex')}`;
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => resolve(error.code === 'EADDRINUSE' ? null : () => {}));
    server.listen(address, () => {
      server.unref();
      resolve(() => server.close());
    });
  });
}
