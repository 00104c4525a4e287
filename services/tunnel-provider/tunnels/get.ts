import { z } from 'zod';
import { operation, tunnelId } from '../api/operation.ts';
import { findTunnel, tunnelView } from './sql.ts';

/** One tunnel; a deleted one with its `deleted_at`. */
export const getTunnel = operation({
  name: 'getTunnel',
  input: z.object({ tunnelId }),
  run: async ({ sql, accountId }, input) =>
    tunnelView(await findTunnel(sql, input.tunnelId, { deleted: true }), accountId),
});
