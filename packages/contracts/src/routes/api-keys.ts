import { z } from 'zod';
import { longestKeyDays } from '../api-key-limits.ts';
import { apiKey } from '../api-keys.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { scopes } from '../scopes.ts';

/** API keys: what scripts use in place of a session. No key manages keys. */
export const apiKeyRoutes = {
  'GET /api/user/api-keys': entry({
    summary: 'List your API keys',
    procedure: 'auth.listApiKeys',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(apiKey),
    errors: ['not_signed_in'],
  }),
  'POST /api/user/api-keys': entry({
    summary: 'Create an API key; only this response has it',
    procedure: 'auth.createApiKey',
    access: 'user',
    scope: null,
    audit: 'apiKey.create',
    input: z.object({
      name: fields.apiKeyName,
      scopes: z
        .array(z.enum(scopes))
        .min(1, 'scopeRequired')
        .max(scopes.length)
        .transform((given) => scopes.filter((scope) => given.includes(scope))),
      /** The only proxies that it reaches; null: all. */
      proxyIds: z
        .array(fields.id)
        .min(1, 'required')
        .max(100)
        .transform((given) => [...new Set(given)])
        .nullable()
        .default(null),
      /** The only IP addresses and networks that it is used from; empty: any. */
      networks: z.array(fields.network).max(20).default([]),
      /** In how many days it expires; null: never. */
      days: fields.coerced(z.int().min(1).max(longestKeyDays)).nullable(),
    }),
    response: z.object({ apiKey, key: z.string() }),
    status: 201,
    secret: true,
    stepUp: true,
    errors: ['not_signed_in', 'api_key_limit'],
  }),
  'DELETE /api/user/api-keys/:id': entry({
    summary: 'Revoke an API key immediately',
    procedure: 'auth.revokeApiKey',
    access: 'user',
    scope: null,
    audit: 'apiKey.revoke',
    of: 'apiKey',
    input: z.object({ id: fields.id }),
    response: z.null(),
    stepUp: true,
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/admin/users/:id/api-keys': entry({
    summary: 'List a user’s API keys',
    procedure: 'auth.listUserApiKeys',
    access: 'admin',
    scope: null,
    audit: 'user.readDetails',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: z.array(apiKey),
    errors: ['not_signed_in', 'forbidden', 'not_found'],
  }),
} as const;
