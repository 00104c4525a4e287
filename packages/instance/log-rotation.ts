import { copyFileSync, statSync, truncateSync } from 'node:fs';

const logLimitBytes = 10_000_000;
const checkEveryMs = 30_000;

/**
 * Keeps a log file that another process appends to below a size, one earlier file beside it.
 * @returns how to stop
 */
export function rotateLog(path: string, limitBytes = logLimitBytes): () => void {
  rotateNow(path, limitBytes);
  const timer = setInterval(() => rotateNow(path, limitBytes), checkEveryMs).unref();
  return () => clearInterval(timer);
}

/** Copies and empties it: the process keeps its open file, so a renamed one would go on growing. */
export function rotateNow(path: string, limitBytes: number): void {
  try {
    if (statSync(path).size <= limitBytes) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // Not there yet, or the disk is full: the log is not worth the process.
  }
}
