import { adminCreate, adminReset } from './admin.ts';
import type { Command } from './command.ts';
import { keysForget, keysList, keysRotate } from './keys.ts';

/** Every command of `npm run talpa`, in the order its help shows them. */
export const commands: readonly Command[] = [adminCreate, adminReset, keysList, keysRotate, keysForget];
