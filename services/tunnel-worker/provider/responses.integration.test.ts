import { refused, useCloudflare } from '@talpa/test-kit/cloudflare';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { useRuns, want } from '@talpa/test-kit/worker-runs';
import { describe, expect, it } from 'vitest';
import { listProviderProblems } from '../problems/sql.ts';
import { createProvider } from './client.ts';

const stores = useStores();
const worker = useRuns(stores, useProvider(stores));
const cloudflare = useCloudflare();
const provider = () => ({ provider: cloudflare.settings });

describe('a success', () => {
  it('is what does not say that it failed, as Cloudflare answers the delete of a record', async () => {
    const proxy = worker.newProxy();
    await proxy.run(provider());
    proxy.change(null);
    await proxy.run(provider());
    expect(proxy.reports.map(({ kind }) => kind)).toEqual(['applied', 'removed']);
    expect(cloudflare.records.size).toBe(0);
  });

  it.each([
    ['says that it failed', { success: false, result: null, errors: [], messages: [] }],
    ['cannot be read', '<html>'],
    ['is empty', ''],
    ['is no envelope', '"text"'],
  ])('is nothing that %s', async (_, body) => {
    cloudflare.script = () => ({ body });
    await expect(createProvider(cloudflare.settings).deleteRecord('1')).rejects.toMatchObject({
      kind: 'passing',
    });
  });
});

describe('a record that is not as it was asked for', () => {
  it('because its name is outside the zone is an error at once, shown to operators, and removed again', async () => {
    cloudflare.zoneName = 'other.example';
    const proxy = worker.newProxy();
    await proxy.run(provider());
    expect(proxy.reports).toEqual([{ kind: 'dead_letter', reason: 'provider_unavailable' }]);
    expect(cloudflare.records.size).toBe(0);
    expect(await listProviderProblems(worker.sql)).toMatchObject([
      {
        fault: 'domain_outside_zone',
        detail: `create record: the record’s name became ${want.hostname}.other.example`,
      },
    ]);
  });

  it('because it is not proxied is one, too, when it is made and when it is led elsewhere', async () => {
    const proxy = worker.newProxy();
    await proxy.run(provider());
    const unproxied = {
      success: true,
      errors: [],
      messages: [],
      result: { id: 'r1', name: want.hostname, proxied: false },
    };
    cloudflare.script = ({ method, path }) =>
      path.includes('dns_records') && method !== 'GET' ? { body: unproxied } : undefined;
    proxy.change({ ...want, incarnation: 2 });
    await proxy.run(provider());
    const other = worker.newProxy();
    await other.run(provider());
    for (const { reports } of [proxy, other])
      expect(reports.at(-1)).toEqual({ kind: 'dead_letter', reason: 'provider_unavailable' });
    expect(await listProviderProblems(worker.sql)).toMatchObject([{ fault: 'record_not_proxied' }]);
  });
});

describe('a zone without room for more records', () => {
  it('refuses a create with an error of its own, and is shown to operators', async () => {
    const proxy = worker.newProxy();
    cloudflare.script = ({ method, path }) =>
      method === 'POST' && path.includes('dns_records')
        ? refused(400, 81_045, 'Record quota exceeded.')
        : undefined;
    await proxy.run(provider());
    expect(proxy.reports).toEqual([{ kind: 'refused', reason: 'zone_full' }]);
    expect(await listProviderProblems(worker.sql)).toMatchObject([{ fault: 'zone_full' }]);
  });
});

describe('a tunnel whose connector comes back at once', () => {
  it('is deleted all the same: its token is worth nothing any more', async () => {
    const proxy = worker.newProxy();
    await proxy.run(provider());
    const [tunnel] = cloudflare.tunnels.values();
    if (!tunnel || !proxy.state) throw new Error('there is no tunnel');
    const { secret } = tunnel;
    cloudflare.script = ({ method, path }) =>
      method === 'DELETE' && path.endsWith(tunnel.id) && tunnel.secret === secret
        ? refused(400, 1022, 'Cannot delete tunnel because it has active connections')
        : undefined;
    proxy.state = { ...proxy.state, connected: true };
    proxy.change(null);
    await proxy.run(provider());
    expect(proxy.reports.at(-1)).toEqual({ kind: 'removed' });
    expect(tunnel.deleted_at).not.toBeNull();
  });
});

describe('a list', () => {
  it('is read to its end where a page holds less than was asked for, in an order that stays', async () => {
    cloudflare.mostOnPage = 2;
    const { createTunnel, createRecord, findTunnels, findRecords } = createProvider(cloudflare.settings);
    for (const name of ['c', 'a', 'e', 'b', 'd']) {
      await createTunnel(`talpa-${name}`);
      await createRecord(`${name}.example.com`, 'x.cfargotunnel.com', `talpa ${name}`);
    }
    cloudflare.calls.length = 0;
    const five = ['a', 'b', 'c', 'd', 'e'];
    const tunnels = await findTunnels('talpa-');
    expect(tunnels.map(({ name }) => name).sort()).toEqual(five.map((name) => `talpa-${name}`));
    const records = await findRecords({ commentPrefix: 'talpa ' });
    expect(records.map(({ comment }) => comment).sort()).toEqual(five.map((name) => `talpa ${name}`));
    expect(cloudflare.calls).toHaveLength(6);
  });

  it('that is full is not asked for one page more', async () => {
    cloudflare.mostOnPage = 2;
    const { createTunnel, findTunnels } = createProvider(cloudflare.settings);
    for (const name of ['talpa-a', 'talpa-b']) await createTunnel(name);
    cloudflare.calls.length = 0;
    expect(await findTunnels('talpa-')).toHaveLength(2);
    expect(cloudflare.calls).toHaveLength(1);
  });
});

it('a name server’s record on the name is somebody else’s: the name is in use', async () => {
  cloudflare.script = ({ method, path }) =>
    method === 'POST' && path.includes('dns_records')
      ? refused(400, 81_056, 'An NS record with that host already exists.')
      : undefined;
  cloudflare.records.set('ns', {
    id: 'ns',
    name: want.hostname,
    type: 'NS',
    content: 'ns.example.net',
    proxied: false,
    comment: '',
    created_on: new Date().toISOString(),
  });
  const proxy = worker.newProxy();
  await proxy.run(provider());
  expect(proxy.reports).toEqual([{ kind: 'refused', reason: 'hostname_in_use' }]);
});

describe('a tunnel’s last connection', () => {
  it('is unknown of one that never had any, though Cloudflare names the time it was made', async () => {
    const { createTunnel, getTunnel } = createProvider(cloudflare.settings);
    const id = await createTunnel('talpa-a');
    expect((await getTunnel(id))?.inactiveSince).toBeNull();
    const inactive = '2026-11-03T08:15:00.000Z';
    Object.assign(cloudflare.tunnels.get(id) ?? {}, { status: 'down', conns_inactive_at: inactive });
    expect((await getTunnel(id))?.inactiveSince).toBe(inactive);
  });
});
