import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for an instance; Postgres's own user may enter it. `npm test` removes it, whatever happens. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'talpa-'));
  chmodSync(home, 0o755);
  return home;
}
