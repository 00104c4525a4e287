import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { operation } from '../api/operation.ts';
import { tunnelName, tunnelSecret } from './fields.ts';
import { hashSecret, newSecret, sealSecret } from './secret.ts';
import { isNameTaken, type TunnelRow, tunnelViewWithSecret } from './sql.ts';

/** Makes a tunnel. Its name is unique among those that are not deleted. */
export const createTunnel = operation({
  name: 'createTunnel',
  input: z.object({
    name: tunnelName,
    config_src: z.enum(['cloudflare', 'local']).default('local'),
    tunnel_secret: tunnelSecret.optional(),
  }),
  run: async (context, input) => {
    const id = randomUUID();
    const secret = input.tunnel_secret ?? newSecret();
    const sealed = sealSecret(context.keys, id, secret);
    try {
      const [row] = await context.sql<TunnelRow[]>`
        insert into tunnels (id, name, config_src, secret, key_id, secret_hash)
        values (${id}, ${input.name}, ${input.config_src}, ${sealed.secret}, ${sealed.keyId}, ${hashSecret(secret)})
        returning *, 0 as connection_count`;
      if (!row) throw new Error('the tunnel was not inserted');
      return tunnelViewWithSecret(row, secret, context);
    } catch (error) {
      throw isNameTaken(error) ? new ApiError('tunnelNameTaken') : error;
    }
  },
});
