import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askOperator } from '@talpa/service-kit/bus/operator';
import type { Stores } from './stores/stores.ts';

export interface Administrator {
  readonly username: string;
  readonly password: string;
}

const username = 'admin';
const noteIn = (secretsFolder: string) => join(secretsFolder, 'first-admin-password');

/**
 * Creates the first administrator where there is none. A generated password is stored until it has been
 * shown (`forgetPassword`): a start that dies in between must not lock all out.
 * @returns the administrator to show; null when it was shown before
 */
export async function ensureFirstAdmin(
  stores: Pick<Stores, 'natsUrl'>,
  secretsFolder: string,
  given: string | undefined,
): Promise<Administrator | null> {
  const note = noteIn(secretsFolder);
  const unseen = existsSync(note) ? readFileSync(note, 'utf8') : '';
  const password = given || unseen || randomBytes(9).toString('base64url');
  if (!given) writeFileSync(note, password, { mode: 0o600, flush: true });
  const { created } = await askOperator(stores.natsUrl('operator'), 'auth.ensureFirstAdmin', {
    username,
    password,
  });
  if (created && given) forgetPassword(secretsFolder);
  if (created) return { username, password };
  if (unseen) return { username, password: unseen };
  forgetPassword(secretsFolder);
  return null;
}

/** To be called once the password has been shown. */
export function forgetPassword(secretsFolder: string): void {
  rmSync(noteIn(secretsFolder), { force: true });
}
