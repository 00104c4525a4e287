import type { ProxyConfig } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { nextStepOf } from './next-step.ts';

const step = (part: Partial<ProxyConfig>) =>
  nextStepOf({
    status: 'active',
    suspension: null,
    paused: null,
    changePending: false,
    tunnelHealth: 'healthy',
    cfTunnelId: 'a',
    ...part,
  } as ProxyConfig);

it('a row leads to the installation until a connector has come, then to the status, without a tunnel to a new one', () => {
  expect(step({ status: 'inactive', tunnelHealth: 'inactive' })).toBe('install');
  expect(step({ status: 'inactive', tunnelHealth: 'down' })).toBe('check');
  expect(step({})).toBe('check');
  expect(step({ status: 'error', tunnelHealth: null, cfTunnelId: null })).toBe('recreate');
});

it('leads out of a pause, but where there is no tunnel to resume', () => {
  const paused = { message: '', since: '2026-01-01T00:00:00.000Z' };
  expect(step({ paused, status: 'inactive', tunnelHealth: 'inactive' })).toBe('resume');
  expect(step({ paused, status: 'error', tunnelHealth: null, cfTunnelId: null })).toBe('recreate');
});

it('leads nowhere while there is nothing to do', () => {
  const suspension = { reason: 'x', since: '2026-01-01T00:00:00.000Z', of: 'proxy' } as const;
  expect(step({ suspension })).toBeNull();
  expect(step({ status: 'pending', tunnelHealth: null, cfTunnelId: null })).toBeNull();
  expect(step({ changePending: true })).toBeNull();
});
