import { z } from 'zod';
import { customDomain, customDomains } from '../custom-domains.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { suspendedErrors } from './proxy-errors.ts';

const ofProxy = z.object({ id: fields.id });
const one = ofProxy.extend({ domainId: fields.id });
/** Name servers are asked for four seconds, then the provider is waited for (PROVISION_WAIT_MS). */
const waitMs = 15_000;

/** Custom domains of proxies. */
export const domainRoutes = {
  'GET /api/tunnel-configs/:id/domains': entry({
    summary: 'List a proxy’s custom domains',
    procedure: 'proxies.listDomains',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: ofProxy,
    response: customDomains,
    errors: ['not_signed_in', 'not_found'],
  }),
  'POST /api/tunnel-configs/:id/domains': entry({
    summary: 'Add a custom domain to a proxy and check its DNS records',
    procedure: 'proxies.addDomain',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.addDomain',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({ host: fields.customHost }),
    response: customDomain,
    status: 201,
    errors: [
      'not_signed_in',
      'not_found',
      ...suspendedErrors,
      'domain_limit_reached',
      'server_full',
      'domain_taken',
      'domain_not_found',
      'domains_unavailable',
    ],
    deadline: waitMs,
  }),
  'POST /api/tunnel-configs/:id/domains/:domainId/check': entry({
    summary: 'Check the DNS records of a custom domain now',
    procedure: 'proxies.checkDomain',
    access: 'user',
    scope: 'proxies:write',
    audit: null,
    of: 'proxy',
    role: 'operate',
    input: one,
    response: customDomain,
    errors: ['not_signed_in', 'not_found', ...suspendedErrors, 'domain_not_found'],
    deadline: waitMs,
  }),
  'DELETE /api/tunnel-configs/:id/domains/:domainId': entry({
    summary: 'Remove a custom domain from a proxy',
    procedure: 'proxies.removeDomain',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.removeDomain',
    of: 'proxy',
    role: 'manage',
    input: one,
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'domain_not_found'],
    deadline: waitMs,
  }),
} as const;
