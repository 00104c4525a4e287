import { z } from 'zod';
import {
  enrolment,
  enrolmentKey,
  longestKeyMinutes,
  mostKeyUses,
  suggestedKeyMinutes,
} from '../enrolment.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { panels } from '../panels.ts';

/** Keys with which machines connect themselves. No API key makes one. */
export const enrolmentRoutes = {
  'GET /api/enrolment-keys': entry({
    summary: 'List your enrolment keys that have not expired',
    procedure: 'proxies.listEnrolmentKeys',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(enrolmentKey),
    errors: ['not_signed_in'],
  }),
  'POST /api/enrolment-keys': entry({
    summary: 'Create a key with which machines connect themselves; only this response has it',
    procedure: 'proxies.createEnrolmentKey',
    access: 'user',
    scope: null,
    audit: 'enrolmentKey.create',
    input: z
      .object({
        name: fields.apiKeyName,
        /** The proxy whose connector it installs, which takes the role `operate`; null: each machine gets a new proxy. */
        proxyId: fields.id.nullable().default(null),
        /** The server whose connector it installs, as its owner; it may have no proxy yet. One of both. */
        serverId: fields.id.nullable().default(null),
        /** The panel of new proxies; null: the machine says what it has found. */
        panel: z.enum(panels).nullable().default(null),
        uses: fields.coerced(z.int().min(1).max(mostKeyUses)).default(1),
        minutes: fields.coerced(z.int().min(5).max(longestKeyMinutes)).default(suggestedKeyMinutes),
      })
      .refine(({ proxyId, serverId }) => proxyId === null || serverId === null, {
        path: ['serverId'],
        error: 'invalid',
      }),
    response: z.object({ enrolmentKey, key: z.string() }),
    status: 201,
    secret: true,
    errors: [
      'not_signed_in',
      'not_found',
      'role_missing',
      'account_suspended',
      'email_unverified',
      'enrolment_key_limit',
    ],
  }),
  'DELETE /api/enrolment-keys/:id': entry({
    summary: 'Revoke an enrolment key; machines that it has connected stay so',
    procedure: 'proxies.revokeEnrolmentKey',
    access: 'user',
    scope: null,
    audit: 'enrolmentKey.revoke',
    of: 'enrolmentKey',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: ['not_signed_in', 'not_found'],
  }),
  'POST /api/enrol': entry({
    summary:
      'Connect the machine that sends this: get the token of its connector, and a proxy if it has none',
    procedure: 'proxies.enrol',
    access: 'public',
    scope: null,
    audit: 'enrolmentKey.use',
    input: z.object({
      key: fields.oneTimeToken,
      /** Made up once by the machine, which keeps it: with the same key it gets the same again, and uses nothing up. */
      machine: fields.text(64).regex(/^[0-9a-f]{64}$/),
      /** What the machine is called. */
      name: fields.serverName,
      /** What it has found; the key may say it, or name a proxy. Another panel of the same machine gets a proxy of its own behind the same connector. */
      panel: z.enum(panels).optional(),
      port: fields.adminPort.optional(),
      /** Where the connector finds a new proxy's panel; left out: on the machine itself. */
      address: fields.serverIP.optional(),
    }),
    response: enrolment,
    limit: 'enrolment',
    secret: true,
    errors: [
      'enrolment_key_invalid',
      'enrolment_key_used',
      'enrolment_panel_missing',
      'storage_full',
      'proxy_limit_reached',
      'proxy_pending',
      'no_tunnel',
      'server_token_shared',
      'server_full',
      'upgrade_running',
      'subdomain_taken',
      'subdomain_similar',
      'subdomain_reserved',
      'hostname_in_use',
      'zone_full',
      'tunnel_refused',
      'provider_unavailable',
    ],
    deadline: 20_000,
  }),
} as const;
