import { expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { type ProxyRole, proxyRoles } from './roles.ts';
import { routes } from './routes.ts';

/** What each role may do beyond those before it, by hand: `role.*.text` in the panel's texts of members says the same to people. */
const allowed: Readonly<Record<ProxyRole, readonly string[]>> = {
  view: [
    'GET /api/tunnel-configs/:id',
    'GET /api/tunnel-configs/:id/access',
    'GET /api/tunnel-configs/:id/domains',
    'GET /api/tunnel-configs/:id/events',
    'GET /api/tunnel-configs/:id/health',
    'GET /api/tunnel-configs/:id/members',
    'GET /api/tunnel-configs/:id/ports',
    'GET /api/tunnel-configs/:id/traffic',
    'GET /api/tunnel-status/:id',
    'POST /api/tunnel-configs/:id/leave',
  ],
  operate: [
    'GET /api/tunnel-configs/:id/tunnel-token',
    'POST /api/recreate-tunnel/:id',
    'POST /api/tunnel-configs/:id/domains/:domainId/check',
  ],
  // What visitors did is personal data: it is for those who answer for the proxy, as the rules and their trial are.
  manage: [
    'DELETE /api/tunnel-configs/:id/domains/:domainId',
    'DELETE /api/tunnel-configs/:id/members/:memberId',
    'DELETE /api/tunnel-configs/:id/ports/:portId',
    'DELETE /api/tunnel-configs/:id/service-tokens/:tokenId',
    'DELETE /api/tunnel-configs/:id/visits',
    'DELETE /api/tunnel-configs/:id/visits/:visitId',
    'GET /api/tunnel-configs/:id/access/verdict',
    'GET /api/tunnel-configs/:id/request-log',
    'GET /api/tunnel-configs/:id/requests',
    'GET /api/tunnel-configs/:id/requests.csv',
    'GET /api/tunnel-configs/:id/service-tokens',
    'GET /api/tunnel-configs/:id/visits',
    'POST /api/tunnel-configs/:id/domains',
    'POST /api/tunnel-configs/:id/members',
    'POST /api/tunnel-configs/:id/ports',
    'POST /api/tunnel-configs/:id/service-tokens',
    'PUT /api/tunnel-configs/:id',
    'PUT /api/tunnel-configs/:id/access',
    'PUT /api/tunnel-configs/:id/members/:memberId',
    'PUT /api/tunnel-configs/:id/ports/:portId',
    'PUT /api/tunnel-configs/:id/request-log',
  ],
  owner: [
    'DELETE /api/admin/tunnel-configs/:id/suspension',
    'DELETE /api/tunnel-configs/:id',
    'POST /api/admin/tunnel-configs/:id/suspension',
  ],
};

it.each(proxyRoles)('lets the role “%s” do what this table says, and nothing else', (role) => {
  const about = Object.entries<Entry>(routes).filter(([, { of }]) => of === 'proxy');
  const named = about.filter(([, { role: needed = 'owner' }]) => needed === role).map(([name]) => name);
  expect(named.toSorted()).toEqual(allowed[role]);
});
