import { certificateName } from '@talpa/contracts';
import { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { operation } from '../api/operation.ts';

/** Has a certificate ordered now, whatever it waits for; the limits still count. */
export const orderNow = operation({
  name: 'orderCertificate',
  input: z.object({ name: certificateName }),
  run: async ({ sql, keeper }, { name }) => {
    const { count } = await sql`update certificates set attempt_at = now() where name = ${name}`;
    if (count === 0) throw new ApiError('certificateNotFound');
    keeper?.hint();
    return { name };
  },
});
