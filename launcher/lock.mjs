import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/**
 * Waits until no other process holds the lock on this file, and holds it until released. The kernel gives it back when
 * its holder dies, however it dies. The file lies where nobody else may open it: who can, could hold it for ever.
 * @param {string} file made when it is missing; its folder must exist
 * @param {() => void} [onWait] told once when another process has it
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
    // Somebody else's folder: whoever writes there finds that out by himself, and says so.
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
