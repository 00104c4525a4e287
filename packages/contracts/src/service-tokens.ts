import { z } from 'zod';
import { mostServiceTokens } from './access-limits.ts';

const time = z.iso.datetime();

/** What lets a program pass the wall of a proxy. Its secret is shown once, when it is created. */
export const serviceToken = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    createdAt: time,
    /** Null: never. */
    expiresAt: time.nullable(),
  })
  .meta({ id: 'ServiceToken' });
export type ServiceToken = z.infer<typeof serviceToken>;

/** The service tokens of a proxy. */
export const serviceTokens = z.array(serviceToken).max(mostServiceTokens);
