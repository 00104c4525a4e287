import { createNetwork } from '@talpa/test-kit/cluster/network';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, expect, it } from 'vitest';
import { openBus } from './connect.ts';

const stores = useStores();
const network = createNetwork();
afterAll(() => network.close());

it('a process whose server is cut off goes to another one', async () => {
  // Both are the same NATS: the way to it alone has two names.
  let server = 'first';
  const url = new URL(stores.stores.natsUrl('operator'));
  const port = Number(url.port);
  url.port = String(await network.link('process', () => ({ node: server, port })));
  const nc = await openBus(url.href, 'operator');
  network.cut('first');
  server = 'second';
  const response = await until('an answer', () => nc.request('$JS.API.INFO', '', { timeout: 500 }), 30_000);
  expect(response.json()).toMatchObject({ type: 'io.nats.jetstream.api.v1.account_info_response' });
  await nc.close();
});
