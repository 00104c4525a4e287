import type { ProxyConfig } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { attentionOf, byUrgency, needsCare } from './attention.ts';

const proxy = (serverName: string, part: Partial<ProxyConfig>) =>
  ({
    serverName,
    status: 'active',
    suspension: null,
    paused: null,
    changePending: false,
    tunnelHealth: 'healthy',
    ...part,
  }) as ProxyConfig;

it('puts the proxies that need care first, the urgent ones on top, and leaves the others as they come', () => {
  const suspension = { reason: 'x', since: '2026-01-01T00:00:00.000Z', of: 'proxy' } as const;
  const paused = { message: '', since: suspension.since };
  const proxies = [
    proxy('well', {}),
    proxy('degraded', { tunnelHealth: 'degraded' }),
    proxy('moving', { changePending: true }),
    proxy('moving while down', { status: 'inactive', changePending: true }),
    proxy('moving while broken', { status: 'error', changePending: true }),
    proxy('paused', { paused, status: 'inactive', tunnelHealth: 'down', changePending: true }),
    proxy('paused, broken', { paused, status: 'error' }),
    proxy('well too', {}),
    proxy('not installed', { status: 'inactive', tunnelHealth: 'inactive' }),
    proxy('down', { status: 'inactive', tunnelHealth: 'down' }),
    proxy('broken', { status: 'error', tunnelHealth: null }),
    proxy('suspended', { suspension }),
  ];
  const names = byUrgency(proxies).map(({ serverName }) => serverName);
  const moving = ['moving', 'moving while down', 'moving while broken'];
  expect(names).toEqual([
    'suspended',
    'paused, broken',
    'broken',
    'down',
    'not installed',
    'degraded',
    ...moving,
    'paused',
    'well',
    'well too',
  ]);
  expect(proxies.filter((one) => attentionOf(one) === null)).toHaveLength(2);
  expect(proxies.filter(needsCare)).toHaveLength(6);
});
