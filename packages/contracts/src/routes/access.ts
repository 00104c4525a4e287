import { z } from 'zod';
import { longestTokenDays } from '../access-limits.ts';
import { accessPolicy, accessVerdict, proxyAccess } from '../access-policy.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { serviceToken, serviceTokens } from '../service-tokens.ts';
import { visits } from '../visits.ts';

const ofProxy = z.object({ id: fields.id });

/** Who may visit a proxy. */
export const accessRoutes = {
  'GET /api/tunnel-configs/:id/access': entry({
    summary: 'Get who may visit a proxy',
    procedure: 'proxies.getAccess',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: ofProxy,
    response: proxyAccess,
    errors: ['not_signed_in', 'not_found'],
  }),
  'PUT /api/tunnel-configs/:id/access': entry({
    summary: 'Set who may visit a proxy',
    procedure: 'proxies.setAccess',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.setAccess',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({
      policy: accessPolicy,
      /** Of a wall: new secrets; left out: they stay. */
      pin: fields.wallPin.optional(),
      password: fields.wallPassword.optional(),
      /** The policy that the change was made from; if the stored one differs, nothing is saved. */
      expected: accessPolicy.optional(),
    }),
    response: proxyAccess,
    errors: [
      'not_signed_in',
      'not_found',
      'edit_conflict',
      'account_suspended',
      'proxy_suspended',
      'access_unavailable',
      'access_sign_in_unavailable',
      'access_email_unavailable',
    ],
  }),
  'GET /api/tunnel-configs/:id/access/verdict': entry({
    summary: 'Get what a proxy’s policy would say of a visitor',
    procedure: 'proxies.judgeVisitor',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({ address: fields.address, path: fields.visitedPath.default('/') }),
    response: accessVerdict.extend({
      /** The country that the address is registered in; null: it is not known. */
      country: fields.country.nullable(),
    }),
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/visits': entry({
    summary: 'List who has passed the wall of a proxy and is still in',
    procedure: 'proxies.listVisits',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'manage',
    input: ofProxy,
    response: visits,
    errors: ['not_signed_in', 'not_found'],
  }),
  'DELETE /api/tunnel-configs/:id/visits/:visitId': entry({
    summary: 'End a visit of a proxy',
    procedure: 'proxies.endVisit',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.endVisit',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({ visitId: fields.uuid }),
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'visit_not_found'],
  }),
  'DELETE /api/tunnel-configs/:id/visits': entry({
    summary: 'End all visits of a proxy',
    procedure: 'proxies.endAllVisits',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.endAllVisits',
    of: 'proxy',
    role: 'manage',
    input: ofProxy,
    response: z.null(),
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/service-tokens': entry({
    summary: 'List the tokens with which programs pass the wall of a proxy',
    procedure: 'proxies.listServiceTokens',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'manage',
    input: ofProxy,
    response: serviceTokens,
    errors: ['not_signed_in', 'not_found'],
  }),
  'POST /api/tunnel-configs/:id/service-tokens': entry({
    summary: 'Create a token with which a program passes the wall of a proxy; only this response has it',
    procedure: 'proxies.createServiceToken',
    access: 'user',
    scope: null,
    audit: 'proxy.createServiceToken',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({
      name: fields.serviceTokenName,
      /** In how many days it expires; null: never. */
      days: fields.coerced(z.int().min(1).max(longestTokenDays)).nullable(),
    }),
    response: z.object({ token: serviceToken, secret: z.string() }),
    status: 201,
    secret: true,
    errors: [
      'not_signed_in',
      'not_found',
      'account_suspended',
      'proxy_suspended',
      'access_unavailable',
      'service_token_limit',
    ],
  }),
  'DELETE /api/tunnel-configs/:id/service-tokens/:tokenId': entry({
    summary: 'Revoke a token with which a program passes the wall of a proxy',
    procedure: 'proxies.revokeServiceToken',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.revokeServiceToken',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({ tokenId: fields.id }),
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'service_token_not_found'],
  }),
  'GET /api/walls/:host': entry({
    summary: 'Get which proxy’s wall is at an address, and as whom the caller would pass it',
    procedure: 'proxies.getWall',
    access: 'user',
    scope: null,
    input: z.object({ host: fields.visitedHost }),
    response: z.object({
      /** Where the caller would be sent. */
      url: z.string(),
      serverName: z.string(),
      /** Null: it is not known yet. */
      ownerName: z.string().nullable(),
      as: z.enum(['owner', 'member', 'administrator']),
    }),
    errors: ['not_signed_in', 'visit_refused', 'account_suspended'],
  }),
  'POST /api/access-codes': entry({
    summary: 'Get the address at which a visitor who is signed in passes the wall of a proxy',
    procedure: 'proxies.createAccessCode',
    access: 'user',
    scope: null,
    audit: null,
    input: z.object({
      /** Where the wall is; scheme and port are those of all proxies. */
      host: fields.visitedHost,
      /** What the wall has given the browser, hashed. */
      state: fields.text(43).regex(/^[\w-]{43}$/),
    }),
    response: z.object({ url: z.string() }),
    secret: true,
    errors: ['not_signed_in', 'visit_refused', 'account_suspended'],
  }),
} as const;
