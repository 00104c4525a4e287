import { statSync } from 'node:fs';

const dayMs = 86_400_000;

/** When Talpa was installed here, where this machine's clock stands before that; null where it does not: this very file was written then. */
export function clockBehind(now = Date.now()): Date | null {
  const { mtime } = statSync(import.meta.filename);
  return now > mtime.getTime() - dayMs ? null : mtime;
}
