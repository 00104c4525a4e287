import { randomUUID } from 'node:crypto';
import { accountPath, installation, useReconcile, want, zonePath } from '@talpa/test-kit/reconcile';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../provider/errors.ts';

const {
  embedded,
  tunnels,
  records,
  configuration,
  makeRecord,
  makeTunnel,
  connect,
  newProxy,
  run,
  applied,
  existing,
  expectWhole,
} = useReconcile();

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
      for (const fault of ['lose_response', 'drop', '500']) {
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
    await embedded.fault({ match: { operation: 'deleteRecord' }, fault: 'lose_response', times: 1 });
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

  it('reports that the tunnel is gone, and makes no other', async () => {
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
      insert into tunnels (name, config_src, secret, key_id, secret_hash)
      select ${`talpa-${installation}-${proxy.proxyId}-g`} || number, 'cloudflare', '', 'k1', ''
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
