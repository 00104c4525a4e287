import { adminCreate, adminFirst, adminReset, adminResetLink } from './admin.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { deadLettersList, deadLettersRetry } from './dead-letters.ts';
import { doctor } from './doctor.ts';
import { keysForget, keysList, keysRotate } from './keys.ts';
import { mailTest } from './mail.ts';
import { migrate } from './migrate.ts';
import { prepare } from './prepare.ts';
import { eventsRepublish, statsRebuild } from './rebuild.ts';
import { restore } from './restore.ts';
import { resync } from './resync.ts';

/** Every command of `npm run talpa`, in the order its help shows them. */
export const commands: readonly Command[] = [
  adminCreate,
  adminReset,
  adminResetLink,
  adminFirst,
  doctor,
  backup,
  restore,
  keysList,
  keysRotate,
  keysForget,
  deadLettersList,
  deadLettersRetry,
  resync,
  mailTest,
  statsRebuild,
  eventsRepublish,
  prepare,
  migrate,
];
