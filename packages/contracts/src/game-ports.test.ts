import { describe, expect, it } from 'vitest';
import type { GamePortInput } from './game-ports.ts';
import { routes } from './routes.ts';

const minecraft: GamePortInput = {
  ...{ targetPort: 25_565, preset: 'minecraft', rules: { kind: 'open' }, proxyProtocol: false },
};
const onlyMe = { kind: 'rules', otherwise: 'deny' };

describe('the input of a game port', () => {
  const { input } = routes['POST /api/tunnel-configs/:id/ports'];
  const rule = { action: 'allow', expiresAt: null };
  it.each([
    ['a port above 65535', { targetPort: 65_536 }],
    ['no port', { targetPort: '' }],
    ['an unknown preset', { preset: 'bedrock' }],
    ['a wall', { rules: { kind: 'wall', rules: [], methods: ['pin'], require: 'any', days: 1 } }],
    ['a rule of a path', { rules: { ...onlyMe, rules: [{ ...rule, match: { by: 'path', path: '/' } }] } }],
    ['no network', { rules: { ...onlyMe, rules: [{ ...rule, match: { by: 'address', network: 'all' } }] } }],
    ['rules without an end', { rules: { kind: 'rules', rules: [] } }],
  ])('%s is refused as it', (_case, wrong) => {
    expect(input.safeParse({ id: 1, ...minecraft }).success).toBe(true);
    expect(input.safeParse({ id: 1, ...minecraft, ...wrong }).success).toBe(false);
  });
});
