import { refused, useCloudflare } from '@talpa/test-kit/cloudflare';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { useRuns, want } from '@talpa/test-kit/worker-runs';
import { describe, expect, it } from 'vitest';
import { listProviderProblems } from '../problems/sql.ts';

const stores = useStores();
const worker = useRuns(stores, useProvider(stores));
const cloudflare = useCloudflare();
const provider = () => ({ provider: cloudflare.settings });

/** Runs until nothing quick is tried any more. */
async function runThrice(proxy: ReturnType<typeof worker.newProxy>): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    await proxy.run(provider());
    await worker.letRetryCome();
  }
}
const unavailable = (kind: 'failing' | 'dead_letter') => ({ kind, reason: 'provider_unavailable' });

describe('a response that only an operator’s mistake gives', () => {
  it.each([
    [400, 6003, 'token_malformed'],
    [400, 9106, 'token_malformed'],
    [400, 9109, 'token_refused'],
    [403, 9109, 'token_refused'],
    [400, 10_000, 'token_refused'],
    [405, 10_001, 'token_refused'],
    [404, 7003, 'account_unknown'],
    [400, 7003, 'account_unknown'],
  ] as const)(
    'as %i with %i refuses nobody’s create: it is retried, and reported as %s',
    async (status, code, fault) => {
      const proxy = worker.newProxy();
      cloudflare.script = () => refused(status, code, 'text');
      await runThrice(proxy);
      expect(proxy.reports).toEqual([
        unavailable('failing'),
        unavailable('failing'),
        unavailable('dead_letter'),
      ]);
      expect(await listProviderProblems(worker.sql)).toMatchObject([
        { fault, detail: expect.stringContaining(`${code} text`) },
      ]);
    },
  );

  it('refuses nobody’s edit either, and an error of its zone is distinguished from one of its account', async () => {
    const proxy = worker.newProxy();
    await proxy.run(provider());
    proxy.change({ ...want, hostname: 'new.example.com' });
    cloudflare.script = ({ path }) => (path.startsWith('/zones/') ? refused(404, 7003) : undefined);
    await proxy.run(provider());
    expect(proxy.reports.at(-1)).toEqual(unavailable('failing'));
    expect(await listProviderProblems(worker.sql)).toMatchObject([{ fault: 'zone_unknown' }]);
  });

  it('is reported once, in the last response’s words, until something works that could not', async () => {
    const one = worker.newProxy();
    cloudflare.script = () => refused(400, 6003);
    await runThrice(one);
    expect(await listProviderProblems(worker.sql)).toMatchObject([{ fault: 'token_malformed' }]);

    cloudflare.script = ({ method }) => (method === 'POST' ? refused(403, 10_000, 'text') : undefined);
    await one.run(provider());
    expect(await listProviderProblems(worker.sql)).toMatchObject([
      { fault: 'token_refused', detail: 'create tunnel: 403 10000 text' },
    ]);
    cloudflare.script = () => undefined;
    await worker.letRetryCome();
    await one.run(provider());
    expect(one.reports.at(-1)?.kind).toBe('applied');
    expect(await listProviderProblems(worker.sql)).toEqual([]);
  });

  it('is not reported any more when it was not met for long', async () => {
    cloudflare.script = () => refused(400, 6003);
    await worker.newProxy().run(provider());
    expect(await listProviderProblems(worker.sql)).toHaveLength(1);
    await worker.sql`update provider_problems set seen_at = seen_at - interval '16 minutes'`;
    expect(await listProviderProblems(worker.sql)).toEqual([]);
  });
});

describe('“not there” where nothing was named', () => {
  it.each([
    'POST /accounts/account1/cfd_tunnel',
    'GET /zones/zone1/dns_records',
    'POST /zones/zone1/dns_records',
  ])('by %s is a failed attempt, and a dead letter after the last one', async (operation) => {
    const proxy = worker.newProxy();
    cloudflare.script = ({ method, path }) =>
      `${method} ${path}` === operation ? refused(404, 1003) : undefined;
    await runThrice(proxy);
    if (operation.startsWith('GET')) {
      proxy.reports.length = 0;
      proxy.change(null);
      await runThrice(proxy);
    }
    expect(proxy.reports).toEqual([
      unavailable('failing'),
      unavailable('failing'),
      unavailable('dead_letter'),
    ]);
    expect(await worker.jobs()).toMatchObject([{ failures: 3, deadLetterReason: 'provider_unavailable' }]);
  });
});
