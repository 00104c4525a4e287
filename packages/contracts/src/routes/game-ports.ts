import { z } from 'zod';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { gamePort, gamePortInput, gamePorts } from '../game-ports.ts';

const ofProxy = z.object({ id: fields.id });
const one = ofProxy.extend({ portId: fields.id });
const changeErrors = [
  'account_suspended',
  'proxy_suspended',
  'game_ports_off',
  'game_ports_unavailable',
  'game_port_no_address',
  'game_port_loop',
] as const;

/** Game ports of proxies. */
export const gamePortRoutes = {
  'GET /api/tunnel-configs/:id/ports': entry({
    summary: 'List a proxy’s game ports',
    procedure: 'proxies.listGamePorts',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: ofProxy,
    response: gamePorts,
    errors: ['not_signed_in', 'not_found'],
  }),
  'POST /api/tunnel-configs/:id/ports': entry({
    summary: 'Make a TCP port of a proxy’s server public',
    procedure: 'proxies.addGamePort',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.addGamePort',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend(gamePortInput.shape),
    response: gamePort,
    status: 201,
    errors: [
      'not_signed_in',
      'not_found',
      ...changeErrors,
      'game_port_limit_reached',
      'game_ports_exhausted',
    ],
  }),
  'PUT /api/tunnel-configs/:id/ports/:portId': entry({
    summary: 'Change a game port',
    procedure: 'proxies.updateGamePort',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.updateGamePort',
    of: 'proxy',
    role: 'manage',
    input: one.extend({
      ...gamePortInput.shape,
      /** What the change was made from; if the stored values differ, nothing is saved. */
      expected: gamePortInput.optional(),
    }),
    response: gamePort,
    errors: ['not_signed_in', 'not_found', ...changeErrors, 'game_port_not_found', 'edit_conflict'],
  }),
  'DELETE /api/tunnel-configs/:id/ports/:portId': entry({
    summary: 'Remove a game port; its public port stays reserved for seven days',
    procedure: 'proxies.removeGamePort',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.removeGamePort',
    of: 'proxy',
    role: 'manage',
    input: one,
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'game_port_not_found'],
  }),
} as const;
