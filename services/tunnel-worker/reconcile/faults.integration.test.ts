import { randomUUID } from 'node:crypto';
import { accountPath, installation, useReconcile, want, zonePath } from '@talpa/test-kit/reconcile';
import { describe, expect, it } from 'vitest';

const {
  embedded,
  tunnels,
  records,
  configuration,
  makeRecord,
  makeTunnel,
  newProxy,
  run,
  applied,
  existing,
  expectWhole,
} = useReconcile();

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
