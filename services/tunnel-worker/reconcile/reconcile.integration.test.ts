import { randomUUID } from 'node:crypto';
import type { AppliedTunnel, DesiredTunnel, Outcome } from '@talpa/contracts';
import { describe, expect, it } from 'vitest';
import { useProvider } from '../../../tests/kit/embedded-provider.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { createProvider } from '../provider/client.ts';
import { ProviderError } from '../provider/errors.ts';
import { reconcile } from './reconcile.ts';

const stores = useStores();
const embedded = useProvider(stores);
const installation = 'test1';
const accountPath = '/client/v4/accounts/account1/cfd_tunnel';
const zonePath = '/client/v4/zones/zone1/dns_records';

interface Tunnel {
  id: string;
  name: string;
}
interface DnsRecord {
  id: string;
  name: string;
  content: string;
  comment: string;
}
const tunnels = async () =>
  (await embedded.send('GET', `${accountPath}?is_deleted=false`)).body.result as Tunnel[];
const records = async () => (await embedded.send('GET', zonePath)).body.result as DnsRecord[];
const configuration = async (id: string) =>
  (await embedded.send('GET', `${accountPath}/${id}/configurations`)).body.result as {
    config: { ingress: { hostname?: string; service: string }[] };
  };
const makeRecord = (name: string, comment: string, content = `${randomUUID()}.cfargotunnel.com`) =>
  embedded.send('POST', zonePath, { type: 'CNAME', name, content, comment });
const makeTunnel = async (name: string) =>
  (await embedded.send('POST', accountPath, { name })).body.result as Tunnel;

const connect = (tunnelId: string) => embedded.sql`
  insert into connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip, run_at)
  values (gen_random_uuid(), ${tunnelId}, gen_random_uuid(), '2026.8.2', 'linux_amd64', 'edge', '127.0.0.1', now())`;

const want = { incarnation: 1, hostname: 'srv.example.com', origin: 'http://127.0.0.1:40120' };

function newProxy(): DesiredTunnel {
  return { proxyId: randomUUID(), generation: 1, want, applied: null, connected: false, settled: false };
}

/** One run as the worker does it; `doubtful` as it is after a run that failed. */
function run(desired: DesiredTunnel, unverified = false): Promise<Outcome> {
  return reconcile(createProvider(embedded.settings), installation, desired, unverified);
}

async function applied(desired: DesiredTunnel, unverified = false): Promise<AppliedTunnel> {
  const outcome = await run(desired, unverified);
  if (outcome.kind !== 'applied') throw new Error(`it ended ${JSON.stringify(outcome)}`);
  return outcome.applied;
}

/** A proxy that is at the provider, and what it looks like there. */
async function existing() {
  const proxy = newProxy();
  const seen = await applied(proxy);
  await embedded.send('DELETE', '/fault-injection/calls');
  return { ...proxy, applied: seen };
}

/** Exactly one tunnel, configured, and one record that leads to it. */
async function expectWhole(proxy: DesiredTunnel, seen: AppliedTunnel): Promise<void> {
  expect(await tunnels()).toMatchObject([
    { id: seen.tunnelId, name: `talpa-${installation}-${proxy.proxyId}-g${proxy.want?.incarnation}` },
  ]);
  expect(await records()).toMatchObject([
    {
      id: seen.dnsRecordId,
      name: proxy.want?.hostname,
      content: `${seen.tunnelId}.cfargotunnel.com`,
      comment: `talpa ${installation} ${proxy.proxyId}`,
      proxied: true,
    },
  ]);
  expect((await configuration(seen.tunnelId)).config.ingress).toEqual([
    { hostname: proxy.want?.hostname, service: proxy.want?.origin },
    { service: 'http_status:404' },
  ]);
}

describe('creating', () => {
  it('makes three calls', async () => {
    const proxy = newProxy();
    const seen = await applied(proxy);
    expect(await embedded.calls()).toEqual({ createTunnel: 1, putConfiguration: 1, createRecord: 1 });
    expect(seen).toMatchObject(want);
    await expectWhole(proxy, seen);
  });

  it.each(['createTunnel', 'putConfiguration', 'createRecord'])(
    'ends with one tunnel and one record when the answer of %s is lost or never comes',
    async (operation) => {
      for (const fault of ['lose_answer', 'drop', '500']) {
        const proxy = newProxy();
        await embedded.fault({ match: { operation }, fault, times: 1 });
        await expect(run(proxy)).rejects.toMatchObject({ kind: 'passing', reason: 'provider_unavailable' });
        await expectWhole(proxy, await applied(proxy, true));
        await run({ ...proxy, want: null });
        expect([await tunnels(), await records()]).toEqual([[], []]);
      }
    },
  );

  it('adopts what an earlier run left, even without knowing of it', async () => {
    const proxy = newProxy();
    const left = await makeTunnel(`talpa-${installation}-${proxy.proxyId}-g1`);
    await makeRecord(want.hostname, `talpa ${installation} ${proxy.proxyId}`);
    const seen = await applied(proxy);
    expect(seen.tunnelId).toBe(left.id);
    await expectWhole(proxy, seen);
  });

  it('takes over the name of another proxy of this installation', async () => {
    await makeRecord(want.hostname, `talpa ${installation} ${randomUUID()}`);
    const proxy = newProxy();
    await expectWhole(proxy, await applied(proxy));
  });

  it.each(['somebody else’s', '', 'talpa other 1'])(
    'is refused for a name whose record has the comment “%s”, and leaves that record alone',
    async (comment) => {
      await makeRecord(want.hostname, comment);
      const before = await records();
      expect(await run(newProxy())).toEqual({ kind: 'refused', reason: 'hostname_in_use' });
      expect(await records()).toEqual(before);
    },
  );

  it('is refused for a name whose record is marked as ours but was led elsewhere', async () => {
    const proxy = newProxy();
    await makeRecord(want.hostname, `talpa ${installation} ${proxy.proxyId}`, 'elsewhere.example');
    const before = await records();
    expect(await run(proxy, true)).toEqual({ kind: 'refused', reason: 'hostname_in_use' });
    await run({ ...proxy, want: null });
    expect(await records()).toEqual(before);
  });

  it('is refused at once when the provider refuses for good', async () => {
    await embedded.fault({
      match: { operation: 'createTunnel' },
      fault: 'refuse',
      status: 400,
      code: 1034,
    });
    expect(await run(newProxy())).toEqual({ kind: 'refused', reason: 'tunnel_refused' });
  });

  it('is not taken for done when the provider answers 200 without success', async () => {
    await embedded.fault({ fault: 'refuse', status: 200, code: 1 });
    await expect(run(newProxy(), true)).rejects.toMatchObject({ kind: 'passing' });
    await expect(run({ ...newProxy(), want: null })).rejects.toMatchObject({ kind: 'passing' });
  });
});

describe('suspending', () => {
  const ingressOf = async (id: string) => (await configuration(id)).config.ingress;

  it('refuses every visitor and cuts the connectors off, in two calls; lifting it takes one', async () => {
    const proxy = await existing();
    const seen = await applied({ ...proxy, want: { ...want, suspended: true } });
    expect(await embedded.calls()).toEqual({ putConfiguration: 1, dropConnections: 1 });
    expect(await ingressOf(seen.tunnelId)).toEqual([{ service: 'http_status:403' }]);
    expect(seen).toEqual({ ...proxy.applied, suspended: true });

    await embedded.send('DELETE', '/fault-injection/calls');
    const lifted = { ...proxy, applied: seen, want: { ...want, suspended: false } };
    await expectWhole(lifted, await applied(lifted));
    expect((await embedded.calls()).dropConnections).toBeUndefined();
  });

  it('does not wait for a move that is refused', async () => {
    const proxy = await existing();
    await makeRecord('new.example.com', 'somebody else’s');
    const moved = { ...proxy, want: { ...want, hostname: 'new.example.com', suspended: true } };
    expect(await run(moved)).toEqual({ kind: 'refused', reason: 'hostname_in_use' });
    expect(await ingressOf(proxy.applied.tunnelId)).toEqual([{ service: 'http_status:403' }]);
  });

  it('holds for a tunnel that is made anew meanwhile', async () => {
    const proxy = await existing();
    const seen = await applied({ ...proxy, want: { ...want, incarnation: 2, suspended: true } });
    expect(await ingressOf(seen.tunnelId)).toEqual([{ service: 'http_status:403' }]);
  });
});

describe('editing', () => {
  it('makes one call for another origin', async () => {
    const proxy = await existing();
    const edited = { ...proxy, want: { ...want, origin: 'http://10.0.0.1:80' } };
    const seen = await applied(edited);
    expect(await embedded.calls()).toEqual({ putConfiguration: 1 });
    await expectWhole(edited, seen);
  });

  it('moves to another name and deletes the old record', async () => {
    const proxy = await existing();
    const edited = { ...proxy, want: { ...want, hostname: 'new.example.com' } };
    const seen = await applied(edited);
    expect(seen.tunnelId).toBe(proxy.applied.tunnelId);
    expect(await embedded.calls()).toEqual({
      listRecords: 1,
      createRecord: 1,
      putConfiguration: 1,
      deleteRecord: 1,
    });
    await expectWhole(edited, seen);
  });

  it('goes on serving the old name when the new one is refused', async () => {
    const proxy = await existing();
    await makeRecord('new.example.com', 'somebody else’s');
    const edited = { ...proxy, want: { ...want, hostname: 'new.example.com' } };
    expect(await run(edited)).toEqual({ kind: 'refused', reason: 'hostname_in_use' });
    expect((await configuration(proxy.applied.tunnelId)).config.ingress[0]?.hostname).toBe(want.hostname);
    expect((await records()).find((record) => record.name === want.hostname)?.content).toBe(
      `${proxy.applied.tunnelId}.cfargotunnel.com`,
    );
  });

  it('comes back whole when it is undone after a half-done move', async () => {
    const proxy = await existing();
    const edited = { ...proxy, want: { ...want, hostname: 'new.example.com' } };
    await embedded.fault({ match: { operation: 'deleteRecord' }, fault: 'lose_answer', times: 1 });
    await expect(run(edited)).rejects.toBeInstanceOf(ProviderError);
    await expectWhole(proxy, await applied(proxy, true));
  });

  it('does not delete a record that is no longer marked as ours', async () => {
    const proxy = await existing();
    await embedded.send('PATCH', `${zonePath}/${proxy.applied.dnsRecordId}`, { comment: 'mine now' });
    await run({ ...proxy, want: { ...want, hostname: 'new.example.com' } });
    expect((await records()).map((record) => record.comment)).toContain('mine now');
  });

  it('finds the tunnel that a list has missed by its id', async () => {
    const proxy = await existing();
    const edited = { ...proxy, want: { ...want, origin: 'http://10.0.0.1:80' } };
    await embedded.sql`update tunnels set name = 'not listed'`;
    expect((await applied(edited, true)).tunnelId).toBe(proxy.applied.tunnelId);
  });

  it('tells that the tunnel is gone, and makes no other', async () => {
    const proxy = await existing();
    await embedded.send('DELETE', `${accountPath}/${proxy.applied.tunnelId}`);
    for (const unverified of [false, true])
      expect(await run(proxy, unverified)).toEqual({ kind: 'refused', reason: 'tunnel_gone' });
    expect(await tunnels()).toEqual([]);
  });
});

describe('recreating', () => {
  it('makes a new tunnel, repoints the record and removes every earlier tunnel', async () => {
    const proxy = await existing();
    const recreated = { ...proxy, want: { ...want, incarnation: 3 } };
    await makeTunnel(`talpa-${installation}-${proxy.proxyId}-g2`);
    const seen = await applied(recreated);
    expect(seen.tunnelId).not.toBe(proxy.applied.tunnelId);
    expect(seen.dnsRecordId).toBe(proxy.applied.dnsRecordId);
    await expectWhole(recreated, seen);
    expect(await embedded.calls()).toMatchObject({ dropConnections: 2, deleteTunnel: 2 });
  });

  it('gives a proxy whose tunnel is gone a new one', async () => {
    const proxy = await existing();
    await embedded.send('DELETE', `${accountPath}/${proxy.applied.tunnelId}`);
    const recreated = { ...proxy, generation: 2, applied: null, want: { ...want, incarnation: 2 } };
    await expectWhole(recreated, await applied(recreated));
  });

  it('leaves no record of the old name when a gone tunnel is made anew under another', async () => {
    const proxy = await existing();
    await embedded.send('DELETE', `${accountPath}/${proxy.applied.tunnelId}`);
    const moved = { ...proxy, generation: 2, applied: null, want: { ...want, hostname: 'new.example.com' } };
    await expectWhole(moved, await applied(moved));
  });
});

describe('removing', () => {
  it('makes three calls, and two more to cut a connector off for good', async () => {
    const proxy = await existing();
    expect(await run({ ...proxy, want: null })).toEqual({ kind: 'removed' });
    const calls = { listRecords: 1, deleteRecord: 1, deleteTunnel: 1 };
    expect(await embedded.calls()).toEqual(calls);
    const other = await existing();
    await run({ ...other, want: null, connected: true });
    expect(await embedded.calls()).toEqual({ ...calls, editTunnel: 1, dropConnections: 1 });
  });

  it('deletes a tunnel whose connector has come since it was last looked', async () => {
    const proxy = await existing();
    await connect(proxy.applied.tunnelId);
    expect(await run({ ...proxy, want: null })).toEqual({ kind: 'removed' });
    expect(await tunnels()).toEqual([]);
  });

  it('leaves a record alone that was led elsewhere', async () => {
    const proxy = await existing();
    await embedded.send('PATCH', `${zonePath}/${proxy.applied.dnsRecordId}`, { content: 'mine.example' });
    expect(await run({ ...proxy, want: null })).toEqual({ kind: 'removed' });
    expect(await records()).toMatchObject([{ content: 'mine.example' }]);
  });

  it('in doubt deletes all of this proxy and nothing else', async () => {
    const proxy = await existing();
    const foreignNames = [
      'home',
      `talpa-other-${proxy.proxyId}-g1`,
      `talpa-${installation}-${proxy.proxyId}-gold`,
      `talpa-${installation}-${randomUUID()}-g1`,
    ];
    for (const name of foreignNames) await makeTunnel(name);
    await makeRecord('foreign.example.com', 'home');
    await makeRecord('other.example.com', `talpa ${installation} ${randomUUID()}`);
    await makeRecord('left.example.com', `talpa ${installation} ${proxy.proxyId}`);
    await makeTunnel(`talpa-${installation}-${proxy.proxyId}-g12`);

    expect(await run({ ...proxy, want: null }, true)).toEqual({ kind: 'removed' });
    expect((await tunnels()).map(({ name }) => name).sort()).toEqual(foreignNames.sort());
    expect((await records()).map(({ name }) => name)).toEqual(['foreign.example.com', 'other.example.com']);
    expect(await run({ ...proxy, want: null })).toEqual({ kind: 'removed' });
  });

  it('finds everything when there are more than a page of it', async () => {
    const proxy = await existing();
    await embedded.sql`
      insert into tunnels (name, config_src, secret, key_id)
      select ${`talpa-${installation}-${proxy.proxyId}-g`} || number, 'cloudflare', '', 'k1'
      from generate_series(2, 120) as number`;
    await run({ ...proxy, want: null }, true);
    expect(await tunnels()).toEqual([]);
  });

  it('deletes connected tunnels, and tries again when a connector was quicker', async () => {
    const proxy = await existing();
    await embedded.fault({
      match: { operation: 'deleteTunnel' },
      fault: 'refuse',
      status: 400,
      code: 1022,
      times: 1,
    });
    await expect(run({ ...proxy, want: null, connected: true })).rejects.toMatchObject({ kind: 'passing' });
    expect(await run({ ...proxy, want: null }, true)).toEqual({ kind: 'removed' });
    expect(await tunnels()).toEqual([]);
  });
});

/** As the provider refuses a call about something that is not there (any more). */
const missing = (operation: string) =>
  embedded.fault({ match: { operation }, fault: 'refuse', status: 404, code: 1003, times: 1 });
const failing = (operation: string) => embedded.fault({ match: { operation }, fault: '500', times: 1 });
const passing = { kind: 'passing' };
const ingressOf = async (id = '') => (await configuration(id)).config.ingress;

describe('a tunnel that is new', () => {
  it('is configured before its name leads there', async () => {
    const proxy = newProxy();
    await failing('createRecord');
    await expect(run(proxy)).rejects.toMatchObject(passing);
    expect((await ingressOf((await tunnels())[0]?.id))[0]).toEqual({
      ...{ hostname: want.hostname, service: want.origin },
    });
  });

  it('of a suspended proxy lets nobody in from the beginning', async () => {
    const { tunnelId } = await applied({ ...newProxy(), want: { ...want, suspended: true } });
    expect(await ingressOf(tunnelId)).toEqual([{ service: 'http_status:403' }]);
  });

  it('and is not there yet when it is configured is tried again, not taken for gone', async () => {
    const proxy = newProxy();
    await missing('putConfiguration');
    await expect(run(proxy)).rejects.toMatchObject({ ...passing, codes: [1003] });
    await expectWhole(proxy, await applied(proxy, true));
  });

  it('is the one of exactly its name, when that is said to be taken', async () => {
    const proxy = newProxy();
    const name = `talpa-${installation}-${proxy.proxyId}-g1`;
    const longer = await makeTunnel(`${name}2`);
    const own = await makeTunnel(name);
    await embedded.sql`update tunnels set created_at = now() - interval '1 hour' where id = ${longer.id}`;
    expect((await applied(proxy)).tunnelId).toBe(own.id);
  });

  it('is tried again when its name is said to be taken by one that is not listed', async () => {
    const taken = {
      match: { operation: 'createTunnel' },
      fault: 'refuse',
      status: 409,
      code: 1013,
      times: 1,
    };
    await embedded.fault(taken);
    await expect(run(newProxy())).rejects.toMatchObject(passing);
  });
});

describe('a tunnel that no list shows', () => {
  const edited = (proxy: Awaited<ReturnType<typeof existing>>) => ({
    ...proxy,
    want: { ...want, hostname: 'new.example.com' },
  });

  it('is gone when it is deleted or nobody knows it, and no name is led there', async () => {
    const gone = { kind: 'refused', reason: 'tunnel_gone' };
    const deleted = await existing();
    await embedded.send('DELETE', `${accountPath}/${deleted.applied.tunnelId}`);
    const unknown = await existing();
    await embedded.sql`delete from configurations where tunnel_id = ${unknown.applied.tunnelId}`;
    await embedded.sql`delete from tunnels where id = ${unknown.applied.tunnelId}`;
    for (const proxy of [deleted, unknown]) expect(await run(edited(proxy), true)).toEqual(gone);
    expect((await records()).map(({ name }) => name)).not.toContain('new.example.com');
  });

  it('is not gone because it cannot be asked for, or configured', async () => {
    const proxy = await existing();
    await failing('putConfiguration');
    const other = { ...proxy, want: { ...want, origin: 'http://10.0.0.1:80' } };
    await expect(run(other)).rejects.toMatchObject(passing);
    await embedded.sql`update tunnels set name = 'not listed'`;
    await failing('getTunnel');
    await expect(run(edited(proxy), true)).rejects.toMatchObject(passing);
  });
});

describe('a record', () => {
  it('that leads right, but is another proxy’s, becomes this one’s', async () => {
    const proxy = await existing();
    const content = `${proxy.applied.tunnelId}.cfargotunnel.com`;
    await embedded.send('DELETE', `${zonePath}/${proxy.applied.dnsRecordId}`);
    await makeRecord(want.hostname, `talpa ${installation} ${randomUUID()}`, content);
    const seen = await applied(proxy, true);
    expect(await records()).toMatchObject([
      { id: seen.dnsRecordId, content, comment: `talpa ${installation} ${proxy.proxyId}` },
    ]);
  });

  it('that somebody deletes while it is led to another tunnel is made anew', async () => {
    const proxy = await existing();
    const recreated = { ...proxy, want: { ...want, incarnation: 2 } };
    await missing('editRecord');
    await expectWhole(recreated, await applied(recreated));
  });

  it('that cannot be led to another tunnel now is tried again', async () => {
    const proxy = await existing();
    const recreated = { ...proxy, want: { ...want, incarnation: 2 } };
    await failing('editRecord');
    await expect(run(recreated)).rejects.toMatchObject(passing);
    expect((await embedded.calls()).createRecord).toBeUndefined();
  });

  it('that is said to be there already but is not listed is no refusal', async () => {
    const exists = {
      match: { operation: 'createRecord' },
      fault: 'refuse',
      status: 400,
      code: 81_057,
      times: 1,
    };
    await embedded.fault(exists);
    await expect(run(newProxy())).rejects.toMatchObject(passing);
  });
});

describe('what is removed', () => {
  it.each([
    ['deleteRecord', false],
    ['deleteTunnel', false],
    ['editTunnel', true],
    ['dropConnections', true],
    ['deleteTunnel', true],
  ])('need not be there any more: %s, connected %s', async (operation, connected) => {
    const proxy = await existing();
    await missing(operation);
    expect(await run({ ...proxy, want: null, connected })).toEqual({ kind: 'removed' });
    if (!connected) expect((await embedded.calls()).editTunnel).toBeUndefined();
  });

  it.each([
    ['deleteRecord', false],
    ['deleteTunnel', false],
    ['editTunnel', true],
  ])('is not taken for removed when that fails: %s, connected %s', async (operation, connected) => {
    const proxy = await existing();
    await failing(operation);
    await expect(run({ ...proxy, want: null, connected })).rejects.toMatchObject(passing);
  });
});
