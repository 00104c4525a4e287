import { type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { auditConsumer, streams } from '@talpa/service-kit/bus/subjects';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { startBatchConsumer } from '@talpa/service-kit/events/consume';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storingHandled } from './store-handled.ts';
import { findLosses } from './watch.ts';

const stores = useStores();
let sql: Sql;
/** As stats, which looks and handles, and as the operator, who may do everything. */
let [nc, operator]: NatsConnection[] = [];
beforeAll(async () => {
  sql = openDatabase((await newSchemas(stores, 'stats'))('stats'), 4);
  await setUpStreams(stores.stores.natsUrl('operator'));
  nc = await openBus(stores.stores.natsUrl('stats'), 'stats');
  operator = await openBus(stores.stores.natsUrl('operator'), 'operator');
});
afterAll(async () => {
  await Promise.all([sql?.end(), nc?.close(), operator?.close()]);
});

const stream = streams.audit;
function bus() {
  if (!nc || !operator) throw new Error('not connected');
  return { nc, ofOperator: streamsOf(operator) };
}
const manager = () => jetstreamManager(bus().ofOperator);
async function losses(): Promise<number[]> {
  const { lost } = await findLosses({ sql, nc: bus().nc }, stream);
  return lost.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
}

it('messages that leave their stream unhandled are known, each once, and no others', async () => {
  const random = randomFrom(36);
  const [published, handled] = [new Set<number>(), new Set<number>()];
  const [stored, lost] = [new Set<number>(), new Set<number>()];
  let fails = false;
  const source = { stream, durable: auditConsumer };
  const handling = storingHandled(sql, {
    ...source,
    handle: async (messages) => {
      if (fails) throw new Error('cannot be handled now');
      for (const { seq } of messages) handled.add(seq);
    },
  });
  const observed = {
    ...source,
    handle: async (messages: readonly JsMsg[]) => {
      await handling.handle(messages);
      for (const { seq } of messages) stored.add(seq);
    },
  };
  let running: ReturnType<typeof newProcess> | null = null;
  const steps = {
    publish: async () => {
      for (let left = 1 + random.below(6); left > 0; left -= 1)
        published.add((await jetstream(bus().ofOperator).publish('audit.auth', '{}')).seq);
    },
    start: async () => {
      running ??= newProcess();
      startBatchConsumer(bus().nc, observed, running.lifecycle);
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
    fail: async () => {
      fails = true;
    },
    mend: async () => {
      fails = false;
    },
    purge: async () => void (await (await manager()).streams.purge(stream, { keep: random.below(3) })),
    removeOne: async () => {
      const { state } = await (await manager()).streams.info(stream);
      if (state.messages > 0)
        await (await manager()).streams.deleteMessage(stream, state.last_seq).catch(() => {});
    },
    look: async () => {
      const before = new Set([...stored, ...lost]);
      for (const seq of await losses()) {
        // What is removed while it is handled counts as lost, too.
        expect(before).not.toContain(seq);
        lost.add(seq);
      }
    },
  };
  const names = Object.keys(steps) as (keyof typeof steps)[];
  for (let step = 0; step < 120; step += 1) await steps[names[random.below(names.length)] ?? 'look']();
  await steps.mend();
  await steps.stop();
  await steps.start();
  await until('all that is left is handled', async () => {
    const { state } = await (await manager()).streams.info(stream);
    return state.messages === 0;
  });
  await steps.look();
  await steps.stop();
  const unhandled = [...published].filter((seq) => !handled.has(seq));
  expect([...lost]).toEqual(expect.arrayContaining(unhandled));
  expect(unhandled.length).toBeGreaterThan(5);
  expect([...lost].filter((seq) => !published.has(seq))).toEqual([]);
  expect(handled.size).toBeGreaterThan(5);
});

it('a stream that was made anew is known to be another one', async () => {
  const base = { sql, nc: bus().nc };
  const { config } = await (await manager()).streams.info(stream);
  await findLosses(base, stream);
  await (await manager()).streams.delete(stream);
  await (await manager()).streams.add(config);
  expect(await findLosses(base, stream)).toEqual({ lost: [], isAnother: true });
  expect(await findLosses(base, stream)).toEqual({ lost: [], isAnother: false });
});
