import { errors } from '@talpa/contracts';
import { startedNames } from '@talpa/instance/ports.mjs';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

/** One round of the main job; the first failure is given as what the person would see. */
async function mainJob(client: Client) {
  try {
    await client.call('GET /api/user', {});
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await client.call('GET /api/system/stats', {});
    await client.call('GET /api/user/subscription', {});
    await client.call('GET /api/tunnel-status/:id', { id: proxy.id });
    return { proxyId: proxy.id };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** A response with one of our codes that says “not now”, or no connection while the gateway itself is away. */
function isClear(failure: string): boolean {
  const passing = Object.entries(errors).filter(([, kind]) => kind.status >= 502);
  return (
    passing.some(([code]) => failure.includes(`"${code}"`)) || /fetch failed|ECONN|socket/i.test(failure)
  );
}

describe.each(['separate', 'grouped'])('with PROCESSES=%s', (PROCESSES) => {
  const system = useTalpa({ PROVISION_WAIT_MS: '3000', SWEEP_INTERVAL_MS: '1000', PROCESSES });
  const processes = startedNames({ PROCESSES, EDGE_PROCESSES: '1' });

  /** Kills a part as hard as can be; its supervisor starts it again. */
  const kill = (part: string): void => {
    const pid = system.pid(part);
    if (pid === null) throw new Error(`${part} does not run`);
    process.kill(pid, 'SIGKILL');
  };

  describe.each([...processes, 'redis', 'nats', 'postgres'])(
    'when %s is killed during the main job',
    (part) => {
      it('the error is clear, it works again by itself, and nothing acknowledged is lost', async () => {
        const { client, user } = await newUser(system.url, 'enterprise');
        const before = await mainJob(client);
        expect(before).toHaveProperty('proxyId');

        const during = mainJob(client);
        kill(part);
        const results = [before, await during, await mainJob(client)];
        for (const result of results) if ('failure' in result) expect(result.failure).toSatisfy(isClear);

        const after = await until(`the main job works after ${part} was killed`, async () => {
          const result = await mainJob(client);
          results.push(result);
          return 'proxyId' in result && result;
        });
        const acknowledged = results.flatMap((result) => ('proxyId' in result ? [result.proxyId] : []));
        const list = await client.call('GET /api/tunnel-configs', {});
        expect(list.map((proxy) => proxy.id)).toEqual(expect.arrayContaining(acknowledged));
        expect(acknowledged).toContain(after.proxyId);
        await until(
          'every proxy has its tunnel',
          async () => {
            const proxies = await client.call('GET /api/tunnel-configs', {});
            return proxies.every((proxy) => proxy.status === 'inactive' && proxy.cfTunnelId !== null);
          },
          60_000,
        );
        expect(await client.call('GET /api/user', {})).toMatchObject({ id: user.id, proxyLimit: 25 });
      }, 120_000);
    },
  );
});
