import { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { operation, tunnelId } from '../api/operation.ts';
import { tunnelName, tunnelSecret } from './fields.ts';
import { hashSecret, openSecret, sealSecret } from './secret.ts';
import { findTunnel, isNameTaken, tunnelViewWithSecret } from './sql.ts';

/** Renames a tunnel or rotates its secret: the old token opens no new connection, existing ones stay. */
export const editTunnel = operation({
  name: 'editTunnel',
  input: z.object({ tunnelId, name: tunnelName.optional(), tunnel_secret: tunnelSecret.optional() }),
  run: async (context, input) => {
    try {
      return await context.sql.begin(async (tx) => {
        const row = await findTunnel(tx, input.tunnelId, { lock: true });
        const secret = input.tunnel_secret ?? openSecret(context.keys, row.id, row);
        const sealed = input.tunnel_secret ? sealSecret(context.keys, row.id, secret) : row;
        const name = input.name ?? row.name;
        await tx`
          update tunnels set name = ${name}, secret = ${sealed.secret}, key_id = ${sealed.keyId},
            secret_hash = ${hashSecret(secret)}
          where id = ${row.id}`;
        return tunnelViewWithSecret({ ...row, name }, secret, context);
      });
    } catch (error) {
      throw isNameTaken(error) ? new ApiError('tunnelNameTaken') : error;
    }
  },
});
