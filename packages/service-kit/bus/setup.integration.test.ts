import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it } from 'vitest';
import { openBus, streamsOf } from './connect.ts';
import { setUpStreams } from './setup.ts';
import { commandSource, commandSubject, formerCommandStream } from './subjects.ts';

const test = useStores();

it('commands that an earlier version left in its one stream are in those of their receivers, and each is bounded', async () => {
  const url = test.stores.natsUrl('operator');
  const nc = await openBus(url, 'operator');
  try {
    const manager = await jetstreamManager(streamsOf(nc));
    const retention = RetentionPolicy.Workqueue;
    await manager.streams.add({ name: formerCommandStream, subjects: ['command.>'], retention });
    const names = ['billing.setSubscription', 'notifications.sendMail', 'billing.setSubscription'] as const;
    for (const name of new Set(names))
      await manager.consumers.add(formerCommandStream, {
        durable_name: name.replace('.', '-'),
        filter_subject: commandSubject(name),
        ack_policy: AckPolicy.Explicit,
      });
    for (const [place, name] of names.entries())
      await jetstream(streamsOf(nc)).publish(commandSubject(name), JSON.stringify({ place }));
    for (let time = 0; time < 2; time += 1) await setUpStreams(url);
    const left = async (stream: string) => (await manager.streams.info(stream)).state.messages;
    expect(await left(commandSource('billing.setSubscription').stream)).toBe(2);
    expect(await left(commandSource('notifications.sendMail').stream)).toBe(1);
    await expect(left(formerCommandStream)).rejects.toThrow(/not found/);
    for await (const { config } of manager.streams.list()) expect(config.max_bytes).toBeGreaterThan(0);
  } finally {
    await nc.close();
  }
});

it('a stream stays the same one however often Talpa starts and NATS restarts', async () => {
  const url = test.stores.natsUrl('operator');
  const created = async () => {
    await setUpStreams(url);
    const nc = await openBus(url, 'operator');
    try {
      const manager = await jetstreamManager(streamsOf(nc));
      const found: [string, string][] = [];
      for await (const { config, created } of manager.streams.list()) found.push([config.name, created]);
      return found.sort();
    } finally {
      await nc.close();
    }
  };
  const first = await created();
  for (let time = 0; time < 2; time += 1) {
    await test.restartNats();
    expect(await created()).toEqual(first);
  }
});
