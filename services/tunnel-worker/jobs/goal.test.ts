import type { DesiredTunnel } from '@talpa/contracts';
import { expect, it } from 'vitest';
import type { Job } from './claim.ts';
import { goalOf } from './goal.ts';

const job = (fullScan: boolean) => ({ proxyId: 'p1', fullScan }) as Job;
const applied = { tunnelId: 't1', dnsRecordId: 'r1', incarnation: 1, hostname: 'h', origin: 'o' };
const desired = (changes: Partial<DesiredTunnel> = {}): DesiredTunnel => ({
  ...{ proxyId: 'p1', generation: 3, want: { incarnation: 1, hostname: 'h', origin: 'o' } },
  ...{ applied, connected: false, settled: true },
  ...changes,
});

it('what is wanted and not yet reached is reached, reported, and required', () => {
  const unsettled = desired({ settled: false });
  for (const fullScan of [false, true])
    expect(goalOf(job(fullScan), unsettled)).toEqual({ desired: unsettled, reported: true, required: true });
});

it('what is settled is left alone, unless it is to be compared with what is there', () => {
  expect(goalOf(job(false), desired())).toBeNull();
  expect(goalOf(job(false), null)).toBeNull();
  expect(goalOf(job(true), desired())).toEqual({ desired: desired(), reported: true, required: false });
});

it('of what nobody knows, or was refused, nothing may be left; nothing is reported', () => {
  const nothing = { proxyId: 'p1', want: null, applied: null, connected: true, settled: true };
  const expected = (generation: number) => ({
    ...{ desired: { ...nothing, generation }, reported: false, required: false },
  });
  expect(goalOf(job(true), null)).toEqual(expected(1));
  expect(goalOf(job(true), desired({ applied: null }))).toEqual(expected(3));
});
