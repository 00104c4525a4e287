import { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { operation, tunnelId } from '../api/operation.ts';
import { findTunnel, tunnelView } from './sql.ts';

/** Deletes a tunnel, leaving a tombstone. One that is connected only with `cascade`. */
export const deleteTunnel = operation({
  name: 'deleteTunnel',
  input: z.object({ tunnelId, cascade: z.enum(['true', 'false']).default('false') }),
  run: async ({ sql, accountId }, input) =>
    sql.begin(async (tx) => {
      const row = await findTunnel(tx, input.tunnelId, { lock: true });
      if (row.connectionCount > 0 && input.cascade === 'false') throw new ApiError('tunnelConnected');
      // Those too that do not count: an edge that only hangs still holds them.
      await tx`delete from connections where tunnel_id = ${row.id}`;
      await tx`delete from configurations where tunnel_id = ${row.id}`;
      await tx`update tunnels set deleted_at = now() where id = ${row.id}`;
      return tunnelView({ ...row, connectionCount: 0, deletedAt: new Date() }, accountId);
    }),
});
