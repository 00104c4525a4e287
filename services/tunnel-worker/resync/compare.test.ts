import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { proxyNames, serverNames } from '../provider/names.ts';
import { compareHealth, findLeftovers, findRecordsGone, type KnownServer } from './compare.ts';

const madeBefore = new Date('2026-11-22T12:00:00Z');
const earlier = new Date(madeBefore.getTime() - 1);
/** A server of one proxy, which has its uuid. */
const known = (
  changes: { settled?: boolean; tunnelId?: string | null } & Partial<KnownServer['proxies'][number]> = {},
) => {
  const proxyId = randomUUID();
  const { settled = true, tunnelId = 't1', ...more } = changes;
  const proxy = { proxyId, dnsRecordId: 'r1', settled, ...more };
  const server: KnownServer = { serverId: proxyId, tunnelId, health: 'inactive', settled, proxies: [proxy] };
  return { ...server, proxyId };
};
const tunnelOf = (proxyId: string, id: string, createdAt = earlier) => ({
  ...{ id, createdAt, name: serverNames('i1', proxyId).tunnel(1), status: 'inactive' as const },
});
const recordOf = (proxyId: string, id: string, createdAt = earlier) => ({
  ...{ id, createdAt, hostname: `${id}.example.com`, type: 'CNAME', content: 't1.cfargotunnel.com' },
  ...{ comment: proxyNames('i1', proxyId).comment },
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
      changed: [{ serverId: other.serverId, tunnelId: 't2', health: 'healthy' }],
      unlisted: [],
    });
  });

  it('of one that is not listed is asked for, unless it is being worked on or has never been', () => {
    const [lost, busy, none] = [known(), known({ settled: false }), known({ tunnelId: null })];
    expect(compareHealth([lost, busy, none], [])).toEqual({
      ...{ changed: [], unlisted: [{ serverId: lost.serverId, tunnelId: 't1' }] },
    });
  });
});

it('a proxy’s custom domain is no leftover, and missed when its record is gone', () => {
  const proxy = known({ domains: ['r2.example.com'] });
  const [own, custom] = [recordOf(proxy.proxyId, 'r1'), recordOf(proxy.proxyId, 'r2')];
  expect(findLeftovers('i1', [proxy], [], [own, custom], madeBefore)).toEqual([]);
  expect(findRecordsGone('i1', [proxy], [own, custom])).toEqual([]);
  expect(findRecordsGone('i1', [proxy], [own])).toEqual([proxy.proxyId]);
});

describe('leftovers', () => {
  const found = (
    servers: readonly KnownServer[],
    tunnels: readonly ReturnType<typeof tunnelOf>[],
    records: readonly ReturnType<typeof recordOf>[],
  ) => findLeftovers('i1', servers, tunnels, records, madeBefore);

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

it('a record is gone when it is not there, no longer marked as its proxy’s, or leads to another server’s tunnel', () => {
  const [there, lost, taken] = [known(), known({ dnsRecordId: 'r2' }), known({ dnsRecordId: 'r3' })];
  const [busy, none] = [known({ dnsRecordId: 'r4', settled: false }), known({ dnsRecordId: null })];
  const moved = known({ dnsRecordId: 'r5' });
  const strayed = { ...recordOf(moved.proxyId, 'r5'), content: 't9.cfargotunnel.com' };
  const records = [recordOf(there.proxyId, 'r1'), recordOf(randomUUID(), 'r3'), strayed];
  expect(findRecordsGone('i1', [there, lost, taken, busy, none, moved], records)).toEqual([
    lost.proxyId,
    taken.proxyId,
    moved.proxyId,
  ]);
});

describe('a server of several proxies', () => {
  const server = known({ proxyId: randomUUID() });
  const second = { proxyId: randomUUID(), dnsRecordId: 'r2', settled: true };
  const both: KnownServer = { ...server, proxies: [...server.proxies, second] };

  it('has one tunnel, and a record of each proxy', () => {
    const tunnels = [tunnelOf(server.serverId, 't1'), tunnelOf(second.proxyId, 't2')];
    const records = [recordOf(server.proxies[0]?.proxyId ?? '', 'r1'), recordOf(second.proxyId, 'r2')];
    expect(findLeftovers('i1', [both], tunnels, records, madeBefore)).toEqual([
      // A proxy's own is nobody's.
      { proxyId: second.proxyId, tunnels: [tunnels[1]?.name], records: [] },
    ]);
    expect(findRecordsGone('i1', [both], records.slice(0, 1))).toEqual([second.proxyId]);
  });

  it('is being worked on while one of them is: its tunnel is not missed', () => {
    const busy = { ...both, proxies: [...server.proxies, { ...second, settled: false }] };
    expect(compareHealth([busy], []).unlisted).toEqual([]);
    expect(compareHealth([both], []).unlisted).toEqual([{ serverId: server.serverId, tunnelId: 't1' }]);
  });
});
