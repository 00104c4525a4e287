import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { createLog } from '@talpa/service-kit/log';
import { inScope } from '@talpa/service-kit/telemetry/scope';
import { useCloudflare } from '@talpa/test-kit/cloudflare';
import { type LoneProxy, listedServer } from '@talpa/test-kit/lone-proxy';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { areManyMissing, isHeldBack } from '../problems/held-back.ts';
import { createProviderProblems } from '../problems/problems.ts';
import { listProviderProblems } from '../problems/sql.ts';
import { createProvider } from '../provider/client.ts';
import type { Seen } from './compare.ts';
import type { PassContext, PassOptions } from './context.ts';
import { makePass } from './pass.ts';

const stores = useStores();
const cloudflare = useCloudflare();
let opened: Sql | undefined;
const sql = () => {
  if (!opened) throw new Error('the database is not open');
  return opened;
};
beforeAll(async () => {
  opened = openDatabase((await newSchemas(stores, 'tunnel-worker'))('tunnel-worker'), 4);
});
afterAll(() => opened?.end({ timeout: 5 }));

/** The proxies that the proxies service knows, and the health reports that the worker sent it, by message. */
let known: LoneProxy[] = [];
let reported: (readonly Seen[])[] = [];
beforeEach(async () => {
  [known, reported] = [[], []];
  await sql()`update resync set held_back_at = null, missed = '{}', many_missing_at = null`;
  await sql()`delete from jobs`;
  await sql()`delete from provider_problems`;
});

const brake = 4;
function pass(options: Partial<PassOptions> = {}, changes: Partial<PassContext> = {}) {
  const context: PassContext = {
    sql: sql(),
    provider: createProvider(cloudflare.settings),
    problems: createProviderProblems(sql(), createLog('tunnel-worker', 'silent')),
    installationId: 'test1',
    graceMs: 3_600_000,
    brake,
    listServers: async () => ({ servers: known.map(listedServer), next: null }),
    observe: async (seen) => {
      reported.push(seen);
      return seen.length;
    },
    ...changes,
  };
  return makePass(context, { dryRun: false, confirm: false, whole: true, ...options });
}
const old = '2026-11-03T08:15:00.000Z';

/** An old object at the provider that has a proxy's name. */
function tunnelOf(proxyId: string, incarnation = 1): string {
  const tunnel = {
    ...{ id: randomUUID(), name: `talpa-test1-${proxyId}-g${incarnation}`, created_at: old, secret: '' },
    ...{ deleted_at: null, conns_active_at: null, conns_inactive_at: null, status: 'healthy' as const },
  };
  cloudflare.tunnels.set(tunnel.id, tunnel);
  return tunnel.id;
}
function recordOf(proxyId: string): string {
  const record = {
    ...{ id: randomUUID(), name: `${proxyId}.example.com`, type: 'CNAME', proxied: true, created_on: old },
    ...{ content: `${randomUUID()}.cfargotunnel.com`, comment: `talpa test1 ${proxyId}` },
  };
  cloudflare.records.set(record.id, record);
  return record.id;
}
/** A proxy that is at the provider as proxies believes. */
function existing() {
  const proxyId = randomUUID();
  const proxy = {
    ...{ proxyId, tunnelId: tunnelOf(proxyId), dnsRecordId: recordOf(proxyId) },
    ...{ health: 'healthy' as const, settled: true },
  };
  known.push(proxy);
  return proxy;
}
/** So many whose tunnel is not there. */
const missing = (count: number) => {
  const proxies = Array.from({ length: count }, existing);
  for (const { tunnelId } of proxies) cloudflare.tunnels.delete(tunnelId);
  return proxies;
};
const asMissing = ({ proxyId, tunnelId }: { proxyId: string; tunnelId: string }) => ({
  ...{ serverId: proxyId, tunnelId, health: 'missing' },
});
const jobs = () => sql()<{ proxyId: string; requestId: string | null }[]>`
  select proxy_id, request_id from jobs where full_scan order by proxy_id`;

describe('what proxies is notified of', () => {
  it('comes in pieces that a message can hold, each once and none of them empty', async () => {
    for (let count = 0; count < 1_000; count += 1) existing();
    known = known.map((one) => ({ ...one, health: 'inactive' }));
    expect(await pass({ whole: false })).toMatchObject({ changed: 1_000 });
    expect(reported.map(({ length }) => length)).toEqual([500, 500]);
    expect(new Set(reported.flat().map(({ serverId }) => serverId)).size).toBe(1_000);
  });

  it('is nothing in a dry run, whose report has the same count', async () => {
    existing();
    known = known.map((one) => ({ ...one, health: 'inactive' }));
    expect(await pass({ dryRun: true })).toMatchObject({ changed: 1, dryRun: true, tunnels: 1, records: 1 });
    expect(reported).toEqual([]);
    expect(await pass()).toMatchObject({ changed: 1, dryRun: false });
  });
});

describe('a pass over health alone', () => {
  it('looks at no record and enqueues nobody', async () => {
    const unknown = randomUUID();
    tunnelOf(unknown);
    recordOf(unknown);
    const before = Date.now();
    const { at, ...report } = await pass({ whole: false });
    expect(report).toEqual({
      ...{ dryRun: false, tunnels: 1, tunnelsGone: [], changed: 0 },
      ...{ records: 0, recordsGone: [], leftovers: [], enqueued: 0, heldBack: null },
    });
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect(cloudflare.calls).toHaveLength(1);
    const tunnelsGone = missing(brake + 1).map(({ proxyId }) => proxyId);
    expect(await pass({ whole: false })).toMatchObject({ heldBack: 'missing', tunnelsGone });
  });
});

describe('as many missing tunnels as the brake allows', () => {
  it('are asked for each, and believed when they are missing again', async () => {
    const proxies = missing(brake);
    expect(await pass({ whole: false })).toMatchObject({
      ...{ heldBack: null, changed: 0, tunnelsGone: proxies.map(({ proxyId }) => proxyId) },
    });
    expect(await pass({ whole: false })).toMatchObject({ heldBack: null, changed: brake });
    expect(reported.flat()).toEqual(proxies.map(asMissing));
  });

  it('are believed at once on an operator’s word', async () => {
    const proxies = missing(1);
    await pass({ whole: false, confirm: true });
    expect(reported.flat()).toEqual(proxies.map(asMissing));
  });

  it('and more are only counted in a dry run, however often', async () => {
    missing(1);
    for (let count = 0; count < 2; count += 1) await pass({ dryRun: true });
    expect(await sql()`select missed from resync`).toEqual([{ missed: [] }]);
    await pass();
    expect(reported).toEqual([]);
    missing(brake);
    expect(await pass({ dryRun: true })).toMatchObject({ heldBack: 'missing', enqueued: 0 });
    expect(await areManyMissing(sql())).toBe(false);
    expect(await sql()`select cardinality(missed) as missed from resync`).toEqual([{ missed: 1 }]);
  });

  it('and one more are shown to operators with their number, until they are fewer', async () => {
    const [first] = missing(brake + 1);
    await pass();
    expect(await listProviderProblems(sql())).toMatchObject([
      { fault: 'tunnels_missing', detail: `tunnels that are missing: ${brake + 1}` },
    ]);
    known = known.filter(({ proxyId }) => proxyId !== first?.proxyId);
    await pass({ dryRun: true });
    expect(await listProviderProblems(sql())).toHaveLength(1);
    await pass();
    expect(await listProviderProblems(sql())).toEqual([]);
  });

  it('are asked for in portions: the next pass goes on', async () => {
    missing(51);
    const report = await pass({ whole: false }, { brake: 100 });
    expect(report.tunnelsGone).toEqual(known.slice(0, 50).map(({ proxyId }) => proxyId));
  });
});

describe('a record that is gone', () => {
  const withoutRecord = () => {
    const proxy = existing();
    cloudflare.records.delete(proxy.dnsRecordId);
    return proxy;
  };

  it('with its tunnel is the tunnel’s matter', async () => {
    const [proxy] = missing(1);
    cloudflare.records.delete(proxy?.dnsRecordId ?? '');
    expect(await pass()).toMatchObject({ recordsGone: [], enqueued: 0 });
  });

  it('is brought back while leftovers wait for an operator’s word', async () => {
    const proxy = withoutRecord();
    for (let count = 0; count <= brake; count += 1) tunnelOf(randomUUID());
    expect(await pass()).toMatchObject({ heldBack: 'brake', enqueued: 1 });
    expect(await jobs()).toMatchObject([{ proxyId: proxy.proxyId }]);
  });

  it('is not brought back while too many tunnels are missing', async () => {
    withoutRecord();
    missing(brake + 1);
    expect(await pass()).toMatchObject({ heldBack: 'missing', enqueued: 0 });
    expect(await jobs()).toEqual([]);
  });

  it('of a proxy with leftovers makes one job of both, on behalf of the pass’s own request', async () => {
    const proxy = withoutRecord();
    tunnelOf(proxy.proxyId, 2);
    const report = await inScope({ requestId: 'r-1' }, () => pass());
    expect(report).toMatchObject({ enqueued: 1, recordsGone: [proxy.proxyId] });
    expect(await jobs()).toEqual([{ proxyId: proxy.proxyId, requestId: 'r-1' }]);
  });
});

describe('leftovers', () => {
  it('as many as the brake allows are removed, and records count among them', async () => {
    for (let count = 0; count < brake; count += 1) tunnelOf(randomUUID());
    expect(await pass()).toMatchObject({ heldBack: null, enqueued: brake });
    recordOf(randomUUID());
    expect(await pass()).toMatchObject({ heldBack: 'brake', enqueued: 0 });
  });

  it('stay held back after a restore in a dry run with an operator’s word', async () => {
    await sql()`update resync set held_back_at = now()`;
    await pass({ confirm: true, dryRun: true });
    expect(await isHeldBack(sql())).toBe(true);
    await pass({ confirm: true });
    expect(await isHeldBack(sql())).toBe(false);
  });
});
