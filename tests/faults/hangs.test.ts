import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendantsOf } from '@talpa/instance/child';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

describe.each([
  ['separate', ['auth', 'gateway', 'tunnel-provider', 'edge', 'redis', 'nats', 'postgres']],
  ['grouped', ['services', 'postgres']],
])('with PROCESSES=%s', (PROCESSES, parts) => {
  const said: string[] = [];
  const system = useTalpa(
    { SWEEP_INTERVAL_MS: '1000', PROCESSES },
    { patience: { askMs: 1_000, asks: 5 }, log: (line) => said.push(line) },
  );

  const pids = () =>
    Object.fromEntries([...system.talpa.parts.keys()].map((part) => [part, system.pid(part)]));

  /** Stops a part and all that it has started: nothing of it responds, and it receives no SIGTERM. */
  function hang(part: string): number {
    const pid = system.pid(part);
    if (pid === null) throw new Error(`${part} does not run`);
    for (const one of [pid, ...descendantsOf(pid)]) process.kill(one, 'SIGSTOP');
    return pid;
  }

  describe.each(parts)('when %s hangs', (part) => {
    it('it alone is killed and restarted, the console and its log say so, and work goes on', async () => {
      const { client } = await newUser(system.url, 'enterprise');
      const before = pids();
      const pid = hang(part);
      await until(`another ${part}`, () => system.pid(part) !== pid && system.pid(part));
      const { proxy } = await until('the main job works', async () => {
        await newUser(system.url, 'free');
        return client.call('POST /api/tunnel-configs', proxyInput());
      });
      expect(proxy.id).toBeGreaterThan(0);
      await until('the message of it', () => said.at(-1) === `${part} is working again`);
      expect(said.at(-2)).toMatch(
        new RegExp(
          `^${part} \\(process ${pid}\\) has not responded for [\\d.]+ s and is being restarted; nothing needs`,
        ),
      );
      expect(readFileSync(join(system.talpa.home, 'log', `${part}.log`), 'utf8')).toMatch(
        new RegExp(
          `${part} \\(process ${pid}\\) has not responded for [\\d.]+ s: the launcher kills and restarts it`,
        ),
      );
      // Nobody is restarted because a store is gone.
      expect({ ...pids(), [part]: pid }).toEqual(before);
    });
  });
});
