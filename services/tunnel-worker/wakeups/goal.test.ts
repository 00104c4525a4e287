import type { DesiredTunnel } from '@talpa/contracts';
import { expect, it } from 'vitest';
import type { Lease } from '../leases/hold.ts';
import { goalOf } from './goal.ts';

const lease = (tidy: boolean) => ({ proxyId: 'p1', tidy }) as Lease;
const applied = { tunnelId: 't1', dnsRecordId: 'r1', incarnation: 1, hostname: 'h', origin: 'o' };
const desired = (changes: Partial<DesiredTunnel> = {}): DesiredTunnel => ({
  ...{ proxyId: 'p1', generation: 3, want: { incarnation: 1, hostname: 'h', origin: 'o' } },
  ...{ applied, connected: false, settled: true },
  ...changes,
});

it('what is wanted and not yet reached is reached, reported, and pressing', () => {
  const unsettled = desired({ settled: false });
  for (const tidy of [false, true])
    expect(goalOf(lease(tidy), unsettled)).toEqual({ desired: unsettled, reported: true, pressing: true });
});

it('what is settled is left alone, unless it is to be compared with what is there', () => {
  expect(goalOf(lease(false), desired())).toBeNull();
  expect(goalOf(lease(false), null)).toBeNull();
  expect(goalOf(lease(true), desired())).toEqual({ desired: desired(), reported: true, pressing: false });
});

it('of what nobody knows, or was refused, nothing may be left; nobody is told', () => {
  const nothing = { proxyId: 'p1', want: null, applied: null, connected: true, settled: true };
  const expected = (generation: number) => ({
    ...{ desired: { ...nothing, generation }, reported: false, pressing: false },
  });
  expect(goalOf(lease(true), null)).toEqual(expected(1));
  expect(goalOf(lease(true), desired({ applied: null }))).toEqual(expected(3));
});
