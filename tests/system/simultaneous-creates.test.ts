import { Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { faultsAtRest } from '@talpa/test-kit/invariants';
import { useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { expect, it } from 'vitest';

const creates = 200;
const limit = 25;
const system = useTalpa();

it(`of ${creates} simultaneous creates by one user exactly his ${limit} are let through, with one tunnel and one record each`, async () => {
  const { client } = await newUser(system.url, 'enterprise');
  const second = new Client(system.url);
  second.cookie = client.cookie;
  const answers = await Promise.all(
    Array.from({ length: creates }, (_, index) =>
      (index % 2 === 0 ? client : second).try('POST /api/tunnel-configs', proxyInput()),
    ),
  );
  const outcomes = answers.map(({ status, body }) =>
    'code' in body ? `${status} ${body.code}` : String(status),
  );
  expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(limit);
  expect(outcomes.filter((outcome) => outcome === '403 proxy_limit_reached')).toHaveLength(creates - limit);
  expect(await client.call('GET /api/user/subscription/can-create-proxy', {})).toEqual({
    canCreate: false,
    limit,
    current: limit,
  });
  expect(await faultsAtRest(system.talpa, await system.admin())).toEqual([]);
  expect(await client.call('GET /api/tunnel-configs', {})).toHaveLength(limit);
  const provider = providerOf(system.talpa);
  expect(await provider.tunnels()).toHaveLength(limit);
  expect(await provider.records()).toHaveLength(limit);
}, 120_000);
