import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/**
 * Waits until no other process holds the lock on this file, and holds it until released. The kernel gives it back when
 * its holder dies, however it dies. Only its owner may open the file: anybody else who could open it could hold the lock.
 * @param {string} file made when it is missing; its folder must exist
 * @param {() => void} [onWait] called once when another process has it
 * @returns {Promise<() => void>} how to release it
 */
export async function holdLock(file, onWait = () => {}) {
  for (let waited = false; ; ) {
    const release = tryLock(file);
    if (release) return release;
    if (!waited) onWait();
    waited = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Takes the lock on this file, if no other process holds it.
 * @param {string} file
 * @returns {(() => void) | null} how to release it; null when another process has it
 */
export function tryLock(file) {
  let fd;
  try {
    fd = openSync(file, 'a', 0o600);
  } catch {
    // The folder belongs to somebody else. The command that writes there reports the error.
    return () => {};
  }
  // Node has no flock. The lock belongs to the open file, which the command shares with us: it stays when that has ended.
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === 1) {
    closeSync(fd);
    return null;
  }
  return () => closeSync(fd);
}
