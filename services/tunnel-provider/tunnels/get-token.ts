import { z } from 'zod';
import { operation, tunnelId } from '../api/operation.ts';
import { connectorToken, openSecret } from './secret.ts';
import { findTunnel } from './sql.ts';

/** What a connector of this tunnel is started with. */
export const getToken = operation({
  name: 'getToken',
  input: z.object({ tunnelId }),
  run: async ({ sql, keys, accountId }, input) => {
    const row = await findTunnel(sql, input.tunnelId);
    return connectorToken(accountId, row.id, openSecret(keys, row.id, row));
  },
});
