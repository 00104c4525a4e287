import { migrate } from '../containers/migrate.ts';
import { prepare } from '../containers/prepare.ts';
import { adminCreate, adminFirst, adminReset } from './admin.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { keysForget, keysList, keysRotate } from './keys.ts';
import { parkedList, parkedRetry } from './parked.ts';
import { eventsRepublish, statsRebuild } from './rebuild.ts';
import { reconcile } from './reconcile.ts';
import { restore } from './restore.ts';

/** Every command of `npm run talpa`, in the order its help shows them. */
export const commands: readonly Command[] = [
  adminCreate,
  adminReset,
  adminFirst,
  backup,
  restore,
  keysList,
  keysRotate,
  keysForget,
  parkedList,
  parkedRetry,
  reconcile,
  statsRebuild,
  eventsRepublish,
  prepare,
  migrate,
];
