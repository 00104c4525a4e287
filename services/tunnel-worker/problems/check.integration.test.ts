import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { publicHalf } from '@talpa/service-kit/session/keys';
import { refused, useCloudflare } from '@talpa/test-kit/cloudflare';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { useRuns } from '@talpa/test-kit/worker-runs';
import { describe, expect, it } from 'vitest';
import { createProvider } from '../provider/client.ts';
import { checkProvider } from './check.ts';
import { listProviderProblems } from './sql.ts';

const stores = useStores();
const worker = useRuns(stores, useProvider(stores));
const cloudflare = useCloudflare();

/** The faults that a check stores. */
async function faultsFor(domain: string): Promise<string[]> {
  const { problems } = worker.newProxy().context();
  const provider = createProvider(cloudflare.settings, { problems });
  const wrong = await checkProvider(provider, domain);
  const found = await listProviderProblems(worker.sql);
  expect(wrong.length > 0).toBe(found.length > 0);
  return found.map(({ fault }) => fault).sort();
}

describe('the check at the start', () => {
  it('finds nothing wrong where the domain is the zone or inside it', async () => {
    expect(await faultsFor('example.com')).toEqual([]);
    expect(await faultsFor('tunnel.example.com')).toEqual([]);
    expect(new Set(cloudflare.calls)).toEqual(
      new Set(['GET /accounts/account1/cfd_tunnel', 'GET /zones/zone1/dns_records', 'GET /zones/zone1']),
    );
  });

  it('says that the domain lies outside the zone, until it does not', async () => {
    expect(await faultsFor('notexample.com')).toEqual(['domain_outside_zone']);
    expect(await faultsFor('example.com')).toEqual([]);
  });

  it.each([
    ['zone_of_another_account', { account: { id: 'account2' } }],
    ['zone_inactive', { status: 'pending' }],
    ['zone_inactive', { paused: true }],
  ])('says %s of such a zone', async (fault, zone) => {
    Object.assign(cloudflare.zone, zone);
    expect(await faultsFor('example.com')).toEqual([fault]);
  });

  it('says of account and zone, each for itself, that they are none or may not be used', async () => {
    cloudflare.script = ({ path }) =>
      path.startsWith('/accounts') ? refused(404, 7003) : refused(403, 10_000);
    expect(await faultsFor('example.com')).toEqual(['account_unknown', 'token_refused']);
  });
});

it('is made by a worker that starts with Cloudflare as its provider', async () => {
  cloudflare.zoneName = 'other.example';
  const databaseUrl = (await newSchemas(stores, 'tunnel-worker'))('tunnel-worker');
  const sql = openDatabase(databaseUrl, 1);
  await setUpStreams(stores.stores.natsUrl('operator'));
  const env = {
    ...process.env,
    ...cloudflare.settings,
    TUNNEL_PROVIDER: 'cloudflare',
    TUNNEL_DOMAIN: 'example.com',
    INSTALLATION_ID: 'test1',
    DATABASE_URL: databaseUrl,
    NATS_URL: stores.stores.natsUrl('tunnel-worker'),
    REDIS_URL: stores.stores.redisUrl('tunnel-worker'),
    SESSION_PUBLIC_KEYS: `test:${publicHalf(randomBytes(32).toString('base64url'))}`,
  };
  const child = fork(fileURLToPath(new URL('../main.ts', import.meta.url)), { env, silent: true });
  const ended = once(child, 'exit');
  try {
    await until(
      'it is reported',
      async () => (await listProviderProblems(sql))[0]?.fault === 'domain_outside_zone',
    );
  } finally {
    child.kill('SIGTERM');
    await ended;
    await sql.end();
  }
});
