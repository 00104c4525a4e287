import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../provider/names.ts';
import { compareHealth, findLeftovers, findRecordsGone, type KnownProxy } from './compare.ts';

const madeBefore = new Date('2026-11-22T12:00:00Z');
const earlier = new Date(madeBefore.getTime() - 1);
const known = (changes: Partial<KnownProxy> = {}): KnownProxy => ({
  ...{ proxyId: randomUUID(), tunnelId: 't1', dnsRecordId: 'r1', health: 'inactive', settled: true },
  ...changes,
});
const tunnelOf = (proxyId: string, id: string, createdAt = earlier) => ({
  ...{ id, createdAt, name: namesOf('i1', proxyId).tunnel(1), status: 'inactive' as const },
});
const recordOf = (proxyId: string, id: string, createdAt = earlier) => ({
  ...{ id, createdAt, hostname: `${id}.example.com`, type: 'CNAME', content: 't1.cfargotunnel.com' },
  ...{ comment: namesOf('i1', proxyId).comment },
});

describe('the health of tunnels', () => {
  it('is a change where it differs from the known one; one without health is none', () => {
    const [same, other, unclear] = [known(), known({ tunnelId: 't2' }), known({ tunnelId: 't3' })];
    const tunnels = [
      tunnelOf(same.proxyId, 't1'),
      { ...tunnelOf(other.proxyId, 't2'), status: 'healthy' as const },
      { ...tunnelOf(unclear.proxyId, 't3'), status: null },
    ];
    expect(compareHealth([same, other, unclear], tunnels)).toEqual({
      changed: [{ proxyId: other.proxyId, tunnelId: 't2', health: 'healthy' }],
      unlisted: [],
    });
  });

  it('of one that is not listed is asked for, unless it is being worked on or has never been', () => {
    const [lost, busy, none] = [known(), known({ settled: false }), known({ tunnelId: null })];
    expect(compareHealth([lost, busy, none], [])).toEqual({
      ...{ changed: [], unlisted: [{ proxyId: lost.proxyId, tunnelId: 't1' }] },
    });
  });
});

it('a proxy’s custom domain is no leftover, and missed when its record is gone', () => {
  const proxy = known({ domains: ['r2.example.com'] });
  const [own, custom] = [recordOf(proxy.proxyId, 'r1'), recordOf(proxy.proxyId, 'r2')];
  const all = new Map([[proxy.proxyId, proxy]]);
  expect(findLeftovers('i1', all, [], [own, custom], madeBefore)).toEqual([]);
  expect(findRecordsGone('i1', [proxy], [own, custom])).toEqual([]);
  expect(findRecordsGone('i1', [proxy], [own])).toEqual([proxy.proxyId]);
});

describe('leftovers', () => {
  const found = (
    proxies: readonly KnownProxy[],
    tunnels: readonly ReturnType<typeof tunnelOf>[],
    records: readonly ReturnType<typeof recordOf>[],
  ) => findLeftovers('i1', new Map(proxies.map((one) => [one.proxyId, one])), tunnels, records, madeBefore);

  it('are what no proxy wants, by the proxy whose name they have', () => {
    const proxy = known();
    const gone = randomUUID();
    const left = tunnelOf(proxy.proxyId, 't0');
    expect(
      found(
        [proxy],
        [tunnelOf(proxy.proxyId, 't1'), left, tunnelOf(gone, 't9')],
        [recordOf(proxy.proxyId, 'r1'), recordOf(proxy.proxyId, 'r0'), recordOf(gone, 'r9')],
      ),
    ).toEqual([
      { proxyId: proxy.proxyId, tunnels: [left.name], records: ['r0.example.com'] },
      { proxyId: gone, tunnels: [tunnelOf(gone, 't9').name], records: ['r9.example.com'] },
    ]);
  });

  it('are neither what is new, nor what is being worked on, nor what is not ours', () => {
    const busy = known({ settled: false });
    const stranger = { ...tunnelOf(randomUUID(), 't8'), name: 'somebody’s' };
    const theirs = { ...recordOf(randomUUID(), 'r8'), comment: 'somebody’s' };
    expect(
      found(
        [busy],
        [tunnelOf(busy.proxyId, 't0'), stranger, tunnelOf(randomUUID(), 't9', madeBefore)],
        [recordOf(busy.proxyId, 'r0'), theirs, recordOf(randomUUID(), 'r9', madeBefore)],
      ),
    ).toEqual([]);
  });
});

it('a record is gone when it is not there or no longer marked as its proxy’s', () => {
  const [there, lost, taken] = [known(), known({ dnsRecordId: 'r2' }), known({ dnsRecordId: 'r3' })];
  const [busy, none] = [known({ dnsRecordId: 'r4', settled: false }), known({ dnsRecordId: null })];
  const records = [recordOf(there.proxyId, 'r1'), recordOf(randomUUID(), 'r3')];
  expect(findRecordsGone('i1', [there, lost, taken, busy, none], records)).toEqual([
    lost.proxyId,
    taken.proxyId,
  ]);
});
