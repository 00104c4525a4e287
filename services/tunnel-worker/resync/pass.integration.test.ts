import { randomUUID } from 'node:crypto';
import type { TunnelHealth } from '@talpa/contracts';
import { createLog } from '@talpa/service-kit/log';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { type LoneProxy, listedServer } from '@talpa/test-kit/lone-proxy';
import { useStores } from '@talpa/test-kit/stores';
import { useRuns } from '@talpa/test-kit/worker-runs';
import { beforeEach, describe, expect, it } from 'vitest';
import { areManyMissing } from '../problems/held-back.ts';
import { createProviderProblems } from '../problems/problems.ts';
import { listProviderProblems } from '../problems/sql.ts';
import { createProvider } from '../provider/client.ts';
import type { Seen } from './compare.ts';
import type { PassContext, PassOptions } from './context.ts';
import { makePass } from './pass.ts';
import { claimPass, endPass } from './sql.ts';

const stores = useStores();
const embedded = useProvider(stores);
const worker = useRuns(stores, embedded);
const account = '/client/v4/accounts/account1/cfd_tunnel';
const zone = '/client/v4/zones/zone1/dns_records';

/** What proxies has stored, and what it is notified of. */
let known: LoneProxy[] = [];
let reported: Seen[] = [];
beforeEach(async () => {
  known = [];
  reported = [];
  await worker.sql`update resync set held_back_at = null, holder = null, missed = '{}', many_missing_at = null`;
});

const hour = 3_600_000;
function pass(options: Partial<PassOptions> = {}, changes: Partial<PassContext> = {}) {
  const context: PassContext = {
    sql: worker.sql,
    provider: createProvider(embedded.settings),
    problems: createProviderProblems(worker.sql, createLog('tunnel-worker', 'silent')),
    installationId: 'test1',
    graceMs: hour,
    brake: 4,
    // Two a page.
    listServers: async (after) => {
      const rest = known.filter(({ proxyId }) => proxyId > after);
      rest.sort((a, b) => (a.proxyId < b.proxyId ? -1 : 1));
      return {
        servers: rest.slice(0, 2).map(listedServer),
        next: rest.length > 2 ? (rest[1]?.proxyId ?? null) : null,
      };
    },
    observe: async (seen) => {
      reported.push(...seen);
      return seen.length;
    },
    ...changes,
  };
  return makePass(context, { dryRun: false, confirm: false, whole: true, ...options });
}

const makeTunnel = async (name: string) =>
  ((await embedded.send('POST', account, { name })).body.result as { id: string }).id;
const makeRecord = async (name: string, comment: string, content = `${randomUUID()}.cfargotunnel.com`) =>
  (
    (await embedded.send('POST', zone, { type: 'CNAME', name, content, comment })).body.result as {
      id: string;
    }
  ).id;
const tunnelName = (proxyId: string, incarnation = 1) => `talpa-test1-${proxyId}-g${incarnation}`;
/** All that is at the provider now was made two hours ago. */
const letTimePass = async () => {
  await embedded.sql`update tunnels set created_at = created_at - interval '2 hours'`;
  await embedded.sql`update dns_records set created_on = created_on - interval '2 hours'`;
};
/** A proxy that is at the provider as proxies believes. */
async function existing(health: TunnelHealth = 'inactive') {
  const proxyId = randomUUID();
  const tunnelId = await makeTunnel(tunnelName(proxyId));
  const [name, content] = [`${proxyId}.example.com`, `${tunnelId}.cfargotunnel.com`];
  const dnsRecordId = await makeRecord(name, `talpa test1 ${proxyId}`, content);
  const proxy = { proxyId, tunnelId, dnsRecordId, health, settled: true };
  known.push(proxy);
  return proxy;
}
const connect = (tunnelId: string, connections: number) => embedded.edgeSql`
  insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip, run_at)
  select gen_random_uuid(), ${tunnelId}, ${randomUUID()}, '1', 'linux', 'x', '203.0.113.1', now()
  from generate_series(1, ${connections})`;
const enqueued = async () =>
  (await worker.sql<{ proxyId: string }[]>`select proxy_id from jobs where full_scan`).map(
    ({ proxyId }) => proxyId,
  );
const changing = [
  'createTunnel',
  'deleteTunnel',
  'editTunnel',
  'putConfiguration',
  'dropConnections',
  'createRecord',
  'deleteRecord',
  'editRecord',
];

describe('health', () => {
  it('is notified of the tunnels where it has changed, and of no others, with a call a page', async () => {
    const [healthy, degraded, lost] = [await existing(), await existing(), await existing('healthy')];
    await existing('healthy').then(({ tunnelId }) => connect(tunnelId, 4));
    for (let count = 0; count < 97; count += 1) await existing();
    await connect(healthy.tunnelId, 4);
    await connect(degraded.tunnelId, 2);
    await embedded.send('DELETE', '/fault-injection/calls');
    expect(await pass({ whole: false })).toMatchObject({ tunnels: 101, changed: 3, tunnelsGone: [] });
    const expected = [
      { serverId: healthy.proxyId, tunnelId: healthy.tunnelId, health: 'healthy' },
      { serverId: degraded.proxyId, tunnelId: degraded.tunnelId, health: 'degraded' },
      { serverId: lost.proxyId, tunnelId: lost.tunnelId, health: 'inactive' },
    ];
    expect(reported).toHaveLength(3);
    expect(reported).toEqual(expect.arrayContaining(expected));
    expect(await embedded.calls()).toEqual({ listTunnels: 1 });
  });

  it('is “missing” only after the tunnel itself was asked for, and not while its proxy is worked on', async () => {
    const [gone, deleted, busy] = [await existing(), await existing(), await existing()];
    known.push({ ...(await existing()), proxyId: randomUUID(), tunnelId: randomUUID(), dnsRecordId: null });
    await embedded.send('DELETE', `${account}/${deleted.tunnelId}`);
    await embedded.sql`delete from tunnels where id = ${gone.tunnelId}`;
    await embedded.send('DELETE', `${account}/${busy.tunnelId}`);
    known = known.map((one) => (one.proxyId === busy.proxyId ? { ...one, settled: false } : one));
    const report = await pass({ whole: false });
    expect(report.tunnelsGone).toHaveLength(3);
    expect(report.tunnelsGone).toEqual(expect.arrayContaining([gone.proxyId, deleted.proxyId]));
    expect(report.tunnelsGone).not.toContain(busy.proxyId);

    reported = [];
    await embedded.fault({ match: { operation: 'getTunnel' }, fault: '500' });
    await expect(pass({ whole: false })).rejects.toThrow();
    expect(reported).toEqual([]);
  });
});

describe('a tunnel that is missing', () => {
  const lose = (...proxies: readonly { readonly tunnelId: string }[]) =>
    embedded.sql`delete from tunnels where id = any(${embedded.sql.array(
      proxies.map(({ tunnelId }) => tunnelId),
      2950,
    )})`;
  const problems = async () => (await listProviderProblems(worker.sql)).map(({ fault }) => fault);

  it('is reported as gone by the second pass in a row that misses it, and by no dry run', async () => {
    const proxy = await existing();
    await lose(proxy);
    const missing = { serverId: proxy.proxyId, tunnelId: proxy.tunnelId, health: 'missing' };
    expect((await pass()).tunnelsGone).toEqual([proxy.proxyId]);
    await pass({ dryRun: true });
    expect(reported).toEqual([]);
    await pass({ whole: false });
    expect(reported).toEqual([missing]);
  });

  it('and comes back meanwhile was never gone', async () => {
    const proxy = await existing();
    const away = embedded.sql`update tunnels set deleted_at = now()`;
    const back = embedded.sql`update tunnels set deleted_at = null`;
    await away;
    await pass({ whole: false });
    await back;
    await pass({ whole: false });
    await lose(proxy);
    await pass({ whole: false });
    expect(reported).toEqual([]);
  });

  it('with too many others is not believed, costs no call, and changes nothing before an operator’s word', async () => {
    for (let count = 0; count < 5; count += 1) await existing();
    await makeTunnel(tunnelName(randomUUID()));
    await lose(...known.map(({ tunnelId }) => ({ tunnelId: tunnelId ?? '' })));
    await letTimePass();
    await embedded.send('DELETE', '/fault-injection/calls');
    for (let count = 0; count < 3; count += 1) {
      const report = await pass();
      expect(report).toMatchObject({ heldBack: 'missing', enqueued: 0 });
      expect(report.tunnelsGone).toHaveLength(5);
    }
    expect([reported, await enqueued()]).toEqual([[], []]);
    expect(await embedded.calls()).toEqual({ listTunnels: 3, listRecords: 3 });
    expect([await problems(), await areManyMissing(worker.sql)]).toEqual([['tunnels_missing'], true]);

    expect(await pass({ confirm: true })).toMatchObject({ heldBack: null, enqueued: 1 });
    expect(reported).toHaveLength(5);
    expect([await problems(), await areManyMissing(worker.sql)]).toEqual([[], false]);
  });
});

describe('leftovers', () => {
  it('enqueue the controller once they are old enough; the pass itself changes nothing', async () => {
    const proxy = await existing();
    await makeTunnel(tunnelName(proxy.proxyId, 2));
    const unknown = randomUUID();
    await makeTunnel(tunnelName(unknown));
    await makeRecord('left.example.com', `talpa test1 ${unknown}`);
    expect(await pass()).toMatchObject({ leftovers: [], enqueued: 0 });
    await letTimePass();
    await embedded.send('DELETE', '/fault-injection/calls');
    const report = await pass();
    expect(report).toMatchObject({ enqueued: 2, heldBack: null, recordsGone: [] });
    expect(report.leftovers).toEqual(
      expect.arrayContaining([
        { proxyId: proxy.proxyId, tunnels: [tunnelName(proxy.proxyId, 2)], records: [] },
        { proxyId: unknown, tunnels: [tunnelName(unknown)], records: ['left.example.com'] },
      ]),
    );
    expect((await enqueued()).sort()).toEqual([proxy.proxyId, unknown].sort());
    expect(Object.keys(await embedded.calls()).filter((call) => changing.includes(call))).toEqual([]);
  });

  it('are never tunnels of another name, however alike', async () => {
    const proxyId = randomUUID();
    const names = [
      'home',
      `talpa-other-${proxyId}-g1`,
      `talpa-test1-${proxyId}-gold`,
      `talpa-test1-${proxyId}`,
      'talpa-test1-home',
    ];
    for (const name of names) await makeTunnel(name);
    await makeRecord('a.example.com', 'home');
    await makeRecord('b.example.com', `talpa other ${proxyId}`);
    await makeRecord('c.example.com', `talpa test1 mine`);
    await makeRecord('d.example.com', `talpa test1 ${proxyId}`, 'elsewhere.example');
    await letTimePass();
    expect(await pass()).toMatchObject({ leftovers: [], enqueued: 0 });
  });

  it('of proxies that are worked on are left to that', async () => {
    const proxy = await existing();
    known = [{ ...proxy, tunnelId: null, dnsRecordId: null, settled: false }];
    await letTimePass();
    expect(await pass()).toMatchObject({ leftovers: [], enqueued: 0 });
  });

  it('that are more than a handful wait for an operator’s word', async () => {
    for (let count = 0; count < 5; count += 1) await makeTunnel(tunnelName(randomUUID()));
    await letTimePass();
    expect(await pass()).toMatchObject({ heldBack: 'brake', enqueued: 0 });
    expect(await pass({ confirm: true, dryRun: true })).toMatchObject({ enqueued: 0, dryRun: true });
    expect(await enqueued()).toEqual([]);
    expect(await pass({ confirm: true })).toMatchObject({ heldBack: null, enqueued: 5 });
    expect(await enqueued()).toHaveLength(5);
  });

  it('are only listed after a restore, until an operator has confirmed', async () => {
    await worker.sql`update resync set held_back_at = now()`;
    await makeTunnel(tunnelName(randomUUID()));
    await letTimePass();
    expect(await pass()).toMatchObject({ heldBack: 'restored', enqueued: 0, leftovers: [{}] });
    expect(await pass({ confirm: true, dryRun: true })).toMatchObject({ enqueued: 0 });
    expect(await pass()).toMatchObject({ heldBack: 'restored', enqueued: 0 });
    expect(await pass({ confirm: true })).toMatchObject({ heldBack: null, enqueued: 1 });
    expect(await pass()).toMatchObject({ heldBack: null, enqueued: 1 });
  });
});

describe('a record that is gone', () => {
  it('requests nobody after a restore, until an operator has confirmed', async () => {
    await worker.sql`update resync set held_back_at = now()`;
    const gone = await existing();
    await embedded.send('DELETE', `${zone}/${gone.dnsRecordId}`);
    expect(await pass()).toMatchObject({ recordsGone: [gone.proxyId], enqueued: 0 });
    expect(await enqueued()).toEqual([]);
    expect(await pass({ confirm: true })).toMatchObject({ enqueued: 1 });
  });

  it('or has become another’s requests the controller; a dry run only reports', async () => {
    const [gone, taken] = [await existing(), await existing()];
    await existing();
    await embedded.send('DELETE', `${zone}/${gone.dnsRecordId}`);
    await embedded.send('PATCH', `${zone}/${taken.dnsRecordId}`, { comment: 'mine now' });
    const both = [gone.proxyId, taken.proxyId].sort();
    const dry = await pass({ dryRun: true });
    expect([dry.recordsGone.toSorted(), dry.enqueued, await enqueued()]).toEqual([both, 0, []]);
    const report = await pass();
    expect([report.recordsGone.toSorted(), (await enqueued()).sort()]).toEqual([both, both]);
  });
});

describe('a pass', () => {
  it('is made by one worker at a time, and taken over from a dead one', async () => {
    const due = { healthMs: 0, wholeMs: hour * 1_000 };
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimPass(worker.sql, due, 60_000)));
    const [first, ...others] = claims.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(first?.whole).toBe(false);
    await worker.sql`update resync set expires_at = now() - interval '1 second'`;
    const second = await claimPass(worker.sql, due, 60_000);
    if (!first || !second) throw new Error('nobody makes the pass');
    await endPass(worker.sql, first, null);
    expect(await claimPass(worker.sql, due, 60_000)).toBeNull();
    await endPass(worker.sql, second, null);
    expect(await claimPass(worker.sql, { ...due, healthMs: hour }, 60_000)).toBeNull();
  });
});
