import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { type RunningConnector, startReal } from '@talpa/test-kit/connector/connectors';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, describe, expect, it } from 'vitest';

/** What the real connector does alone, by its own clock: `npm run test:connector` with CLOUDFLARED. */
const file = process.env.CLOUDFLARED;
const provider = useProvider(useStores());
const test = useEdge(provider);
const connectors: RunningConnector[] = [];
afterAll(async () => {
  for (const one of connectors) await one.kill();
});

const betweenMs = 36_000;
const backMs = 15_000;

async function newTunnel() {
  const path = '/client/v4/accounts/account1/cfd_tunnel';
  const name = `t${randomUUID()}`;
  const { body } = await provider.send('POST', path, { name, config_src: 'cloudflare' });
  return body.result as { id: string; token: string };
}

describe.runIf(file)('behind cloudflared', () => {
  it('every tunnel is back within 15 s after each of three restarts of the edge, 36 s apart', async () => {
    let edge = await test.another();
    const { port } = edge.connectors;
    const tunnels = await Promise.all(Array.from({ length: 8 }, newTunnel));
    for (const { token } of tunnels)
      connectors.push(await startReal(file ?? '', { port, ca: test.ca, token, originPort: 1 }));
    const connected = (wanted: number) =>
      tunnels.filter(({ id }) => edge.connectors.registry.of(id).length >= wanted).length;
    await until('four connections of each', () => connected(4) === tunnels.length);
    for (const restart of [1, 2, 3]) {
      const next = pass(betweenMs);
      await edge.stop();
      edge = await test.another({ EDGE_CONNECTOR_PORT: String(port) });
      const listening = performance.now();
      await until(`all tunnels after restart ${restart}`, () => connected(1) === tunnels.length);
      expect(performance.now() - listening).toBeLessThan(backMs);
      await next;
    }
    await edge.stop();
  }, 300_000);
});
