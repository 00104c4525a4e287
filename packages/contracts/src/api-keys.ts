import { z } from 'zod';
import { personal } from './personal-data.ts';
import { scopes } from './scopes.ts';

const time = z.iso.datetime();

/** An API key as its owner sees it. Its secret is shown once, when it is created. */
export const apiKey = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    /** The only proxies that it reaches; null: all. */
    proxyIds: z.array(z.int().positive()).nullable(),
    /** The only IP addresses and networks that it is used from; empty: any. */
    networks: z.array(z.string()),
    createdAt: time,
    /** Null: never. */
    expiresAt: time.nullable(),
    /** To the minute. */
    lastUsedAt: time.nullable(),
    /** From where it was last used. */
    lastUsedAddress: personal(z.string()).nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKey>;
