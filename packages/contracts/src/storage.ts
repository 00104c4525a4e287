import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** How much room there is for what the stores keep; for administrators. */
export const storage = z
  .object({
    freeBytes: z.int().nonnegative(),
    reserveBytes: z.int().positive(),
    /** Nothing new can be created until there is room again. */
    isShort: z.boolean(),
  })
  .meta({ id: 'Storage' });

/** Whether a call creates something that takes room: it lists the error for when there is none. */
export const needsRoom = (errors: readonly ErrorCode[]) => errors.includes('storage_full');
