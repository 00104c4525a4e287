import { type ProxyConfig, proxyRoles, routes } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { actionRoles, mayDo, type ProxyAction } from './action-roles.ts';

it('offers each action to those whom the contract lets make its call', () => {
  expect(actionRoles).toEqual({
    edit: routes['PUT /api/tunnel-configs/:id'].role,
    install: routes['GET /api/tunnel-configs/:id/tunnel-token'].role,
    check: routes['GET /api/tunnel-status/:id'].role,
    recreate: routes['POST /api/recreate-tunnel/:id'].role,
    pause: routes['PUT /api/tunnel-configs/:id/pause'].role,
    resume: routes['DELETE /api/tunnel-configs/:id/pause'].role,
    suspend: routes['POST /api/admin/tunnel-configs/:id/suspension'].role,
    lift: routes['DELETE /api/admin/tunnel-configs/:id/suspension'].role,
    delete: routes['DELETE /api/tunnel-configs/:id'].role,
  });
});

it('offers what takes the token to nobody who may not read it, whatever their role at the proxy', () => {
  const actions = Object.keys(actionRoles) as ProxyAction[];
  const offered = (role: (typeof proxyRoles)[number], mayReadToken: boolean) => {
    const membership = role === 'owner' ? null : { role };
    return actions.filter((action) => mayDo({ membership, mayReadToken } as ProxyConfig, action));
  };
  for (const role of proxyRoles)
    expect(offered(role, false)).toEqual(
      offered(role, true).filter((action) => action !== 'install' && action !== 'recreate'),
    );
  expect(offered('operate', true)).toEqual(['install', 'check', 'recreate', 'pause', 'resume']);
});
