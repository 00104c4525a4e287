import { routes } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { actionRoles } from './action-roles.ts';

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
