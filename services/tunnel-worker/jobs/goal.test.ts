import type { DesiredProxy, DesiredServer } from '@talpa/contracts';
import { expect, it } from 'vitest';
import type { Job } from './claim.ts';
import { generationOf, goalOf } from './goal.ts';

const job = (fullScan: boolean) => ({ serverId: 's1', fullScan }) as Job;
const tunnel = { tunnelId: 't1', incarnation: 1 };
const proxyOf = (proxyId: string, changes: Partial<DesiredProxy> = {}): DesiredProxy => ({
  ...{ proxyId, generation: 3, want: { hostname: 'h', origin: 'o' }, settled: true },
  ...{ applied: { ...tunnel, dnsRecordId: 'r1', hostname: 'h', origin: 'o' } },
  ...changes,
});
const desired = (
  changes: Partial<DesiredServer['tunnel']> = {},
  proxies = [proxyOf('s1'), proxyOf('p2')],
): DesiredServer => ({
  serverId: 's1',
  tunnel: {
    generation: 2,
    want: { incarnation: 1 },
    applied: tunnel,
    connected: false,
    settled: true,
    ...changes,
  },
  proxies,
});

it('what is wanted and not yet reached, of the tunnel or of one proxy, is reached, reported, and required', () => {
  const behind = [proxyOf('s1'), proxyOf('p2', { settled: false })];
  for (const unsettled of [desired({ settled: false }), desired({}, behind)])
    for (const fullScan of [false, true])
      expect(goalOf(job(fullScan), unsettled)).toEqual({
        desired: unsettled,
        reported: true,
        required: true,
      });
});

it('what is settled is left alone, unless it is to be compared with what is there', () => {
  expect(goalOf(job(false), desired())).toBeNull();
  expect(goalOf(job(false), null)).toBeNull();
  expect(goalOf(job(true), desired())).toEqual({ desired: desired(), reported: true, required: false });
});

it('of what nobody knows, or was refused, nothing may be left; nothing is reported', () => {
  const nothing = { want: null, applied: null, settled: true };
  const gone = { ...nothing, connected: true };
  expect(goalOf(job(true), null)).toEqual({
    desired: {
      serverId: 's1',
      tunnel: { ...gone, generation: 1 },
      proxies: [{ proxyId: 's1', generation: 1, ...nothing }],
    },
    ...{ reported: false, required: false },
  });
  expect(goalOf(job(true), desired({ applied: null }))?.desired).toEqual({
    serverId: 's1',
    tunnel: { ...gone, generation: 2 },
    proxies: ['s1', 'p2'].map((proxyId) => ({ proxyId, generation: 3, ...nothing })),
  });
});

it('the first proxy of a server, whose uuid it has, may have left something when it went', () => {
  const [first, ...others] = goalOf(job(true), desired({}, [proxyOf('p2')]))?.desired.proxies ?? [];
  expect(first).toEqual(proxyOf('p2'));
  expect(others).toMatchObject([{ proxyId: 's1', want: null, applied: null }]);
});

it('a change of the server or of any proxy is tried at once: it is another generation', () => {
  const all = [desired(), desired({}, [proxyOf('s1'), proxyOf('p2', { generation: 4 })])];
  expect(new Set(all.map(generationOf)).size).toBe(2);
  expect(generationOf(desired({}, []))).toBe(2);
  // Of the one that was changed less often too.
  const [before, after] = [1, 2].map((generation) =>
    generationOf(desired({}, [proxyOf('s1', { generation: 5 }), proxyOf('p2', { generation })])),
  );
  expect(after).not.toBe(before);
});
