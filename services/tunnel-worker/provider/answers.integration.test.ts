import { describe, expect, it } from 'vitest';
import { useCloudflare } from '../../../tests/kit/cloudflare.ts';
import { useProvider } from '../../../tests/kit/embedded-provider.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { useRuns, want } from '../../../tests/kit/worker-runs.ts';
import { listTroubles } from '../troubles/sql.ts';
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
  it('because its name lies outside the zone is an error at once, told to an operator, and removed again', async () => {
    cloudflare.zoneName = 'other.example';
    const proxy = worker.newProxy();
    await proxy.run(provider());
    expect(proxy.reports).toEqual([{ kind: 'parked', reason: 'provider_unavailable' }]);
    expect(cloudflare.records.size).toBe(0);
    expect(await listTroubles(worker.sql)).toMatchObject([
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
      expect(reports.at(-1)).toEqual({ kind: 'parked', reason: 'provider_unavailable' });
    expect(await listTroubles(worker.sql)).toMatchObject([{ fault: 'record_not_proxied' }]);
  });
});
