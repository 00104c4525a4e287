import { z } from 'zod';
import { newProxyAccess } from '../access-policy.ts';
import { proxy, proxyInput, tunnelStatus } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { proxyHealth, proxyTraffic } from '../health.ts';
import { paged, proxySorts } from '../paging.ts';
import { mostProxyEvents, proxyEvent } from '../proxy-events.ts';
import { proxyStatuses } from '../status.ts';
import { subdomainAvailabilities } from '../subdomain.ts';

const own = z.object({ id: fields.id });
/** Suspended users and proxies are for looking at and deleting. */
const suspendedErrors = ['account_suspended', 'proxy_suspended'] as const;
const addressErrors = [
  'subdomain_taken',
  'subdomain_similar',
  'subdomain_reserved',
  'hostname_in_use',
  'zone_full',
  'tunnel_refused',
] as const;

/** Proxy configurations and their tunnels. Administrators reach those of all users by the same calls. */
export const proxyRoutes = {
  'GET /api/tunnel-configs': entry({
    summary: 'List your proxies',
    procedure: 'proxies.listProxies',
    access: 'user',
    scope: 'proxies:read',
    input: z.object({ ...paged(proxySorts), status: z.enum(proxyStatuses).optional() }),
    response: z.array(proxy),
    effect: 'page',
    cached: 'per-user',
    errors: ['not_signed_in'],
  }),
  'POST /api/tunnel-configs': entry({
    summary: 'Create a proxy and its tunnel',
    procedure: 'proxies.createProxy',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.create',
    input: proxyInput.extend({
      /** Left out: `open`. `protected` holds from the first moment. */
      access: newProxyAccess.optional(),
      /** Whose tunnel it uses; left out: a server of its own, with a tunnel of its own. */
      serverId: fields.id.optional(),
    }),
    response: z.object({ proxy, message: z.string() }),
    status: 201,
    idempotent: true,
    errors: [
      'idempotency_key_reused',
      'not_signed_in',
      'not_found',
      'account_suspended',
      'email_unverified',
      'storage_full',
      'proxy_limit_reached',
      'api_key_proxies',
      'server_token_shared',
      'no_tunnel',
      'server_full',
      'upgrade_running',
      'access_unavailable',
      'access_sign_in_unavailable',
      ...addressErrors,
    ],
    deadline: 12_000,
  }),
  'GET /api/subdomain-availability': entry({
    summary: 'Check whether a subdomain is free for a new proxy, or for one of yours',
    procedure: 'proxies.checkSubdomain',
    access: 'user',
    scope: 'proxies:read',
    input: z.object({
      /** As it would be sent as custom subdomain. */
      subdomain: fields.customUrl.pipe(fields.text(253, undefined, { error: 'required' })),
      /** The proxy that is to have it; left out for a new one. */
      proxyId: fields.id.optional(),
    }),
    response: z.object({ availability: z.enum(subdomainAvailabilities) }),
    limit: 'subdomainCheck',
    // The errors of a create or an edit: a user who may do neither may not check names either.
    errors: [
      'not_signed_in',
      'not_found',
      'role_missing',
      ...suspendedErrors,
      'proxy_limit_reached',
      'api_key_proxies',
    ],
  }),
  'GET /api/tunnel-configs/:id': entry({
    summary: 'Get a proxy',
    procedure: 'proxies.getProxy',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: own,
    response: proxy,
    cached: 'per-user',
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/health': entry({
    summary: 'Get the status and uptime of a proxy’s connector and admin panel',
    procedure: 'proxies.getHealth',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: own,
    response: proxyHealth,
    limit: 'proxyHealth',
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/traffic': entry({
    summary: 'Get a proxy’s traffic per day',
    procedure: 'proxies.getTraffic',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: own,
    response: proxyTraffic,
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/events': entry({
    summary: 'List a proxy’s changes and its connector’s connections, newest first',
    procedure: 'proxies.listEvents',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: own.extend({ limit: fields.coerced(z.int().min(1).max(mostProxyEvents)).default(20) }),
    response: z.array(proxyEvent),
    errors: ['not_signed_in', 'not_found'],
  }),
  'PUT /api/tunnel-configs/:id': entry({
    summary: 'Update a proxy',
    procedure: 'proxies.updateProxy',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.update',
    of: 'proxy',
    role: 'manage',
    input: proxyInput.extend(own.shape).extend({
      /** The entries the change was made from; if the stored ones differ, nothing is saved. */
      expected: proxyInput.optional(),
    }),
    response: proxy,
    errors: [
      'not_signed_in',
      'not_found',
      'edit_conflict',
      ...suspendedErrors,
      ...addressErrors,
      'game_port_no_address',
      'game_port_loop',
    ],
    deadline: 12_000,
  }),
  'DELETE /api/tunnel-configs/:id': entry({
    summary: 'Delete a proxy and its tunnel',
    procedure: 'proxies.deleteProxy',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.delete',
    of: 'proxy',
    role: 'owner',
    input: own,
    response: z.null(),
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/tunnel-token': entry({
    summary: 'Get the secret token that the connector signs in with',
    procedure: 'proxies.getTunnelToken',
    access: 'user',
    scope: 'tunnel-token:read',
    audit: 'proxy.readToken',
    of: 'proxy',
    role: 'operate',
    input: own,
    response: z.object({ token: z.string() }),
    limit: 'tunnelToken',
    errors: [
      'not_signed_in',
      'not_found',
      ...suspendedErrors,
      'no_tunnel',
      'proxy_pending',
      'provider_unavailable',
    ],
    deadline: 10_000,
    secret: true,
  }),
  'GET /api/tunnel-status/:id': entry({
    summary: 'Get the status of a proxy’s tunnel from the provider',
    procedure: 'proxies.getTunnelStatus',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: own,
    response: tunnelStatus,
    limit: 'tunnelStatus',
    errors: ['not_signed_in', 'not_found', 'provider_unavailable'],
    deadline: 10_000,
  }),
  'POST /api/recreate-tunnel/:id': entry({
    summary: 'Replace a proxy’s tunnel with a new one that has a new token',
    procedure: 'proxies.recreateTunnel',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.recreateTunnel',
    of: 'proxy',
    role: 'operate',
    input: own,
    response: tunnelStatus,
    limit: 'recreateTunnel',
    errors: [
      'not_signed_in',
      'not_found',
      ...suspendedErrors,
      'proxy_pending',
      'hostname_in_use',
      'zone_full',
      'tunnel_refused',
      'provider_unavailable',
    ],
    deadline: 12_000,
  }),
} as const;
