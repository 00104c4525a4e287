import { randomUUID } from 'node:crypto';
import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos, headers as newHeaders } from '@nats-io/transport-node';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { useStores } from '@talpa/test-kit/stores';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectBus, openBus, streamsOf } from '../bus/connect.ts';
import { busHeaders } from '../bus/message.ts';
import { scrape } from '../telemetry/metrics.ts';
import { currentScope } from '../telemetry/scope.ts';
import type { ActiveSpan } from '../telemetry/span.ts';
import { useTracer } from '../telemetry/tracing.ts';
import { startBatchConsumer } from './consume.ts';

const stores = useStores();
let nc: NatsConnection;
beforeAll(async () => {
  nc = await openBus(stores.stores.natsUrl('operator'), 'operator');
  await (await jetstreamManager(streamsOf(nc))).streams.add({ name: 'NUMBERS', subjects: ['numbers.>'] });
});
afterAll(() => nc?.close());

/** A process that is stopped with its test at the latest. */
function aProcess() {
  const one = newProcess();
  running.push(one.stop);
  return one;
}
const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

/** A durable consumer of a subject of its own. A message that a dead process holds comes back after a minute. */
async function newSource() {
  const durable = `test-${randomUUID()}`;
  const subject = `numbers.${durable}`;
  const manager = await jetstreamManager(streamsOf(nc));
  await manager.consumers.add('NUMBERS', {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(60_000),
  });
  const send = (number: number, trace?: string) => {
    const headers = newHeaders();
    if (trace) headers.set(busHeaders.traceparent, trace);
    headers.set(busHeaders.requestId, `request ${number}`);
    return jetstream(streamsOf(nc)).publish(subject, String(number), { headers });
  };
  return {
    send,
    sendAll: (...numbers: number[]) => Promise.all(numbers.map((number) => send(number))),
    /** Until so many are with a process that has not acknowledged them. */
    untilHeld: (count: number) =>
      until('they are handed over', async () => {
        const info = await manager.consumers.info('NUMBERS', durable);
        return info.num_ack_pending === count;
      }),
    untilDone: () =>
      until('all of them are acknowledged', async () => {
        const info = await manager.consumers.info('NUMBERS', durable);
        return info.num_pending === 0 && info.num_ack_pending === 0;
      }),
    handling: (handle: (numbers: number[]) => Promise<void>) => ({
      stream: 'NUMBERS',
      durable,
      handle: (messages: readonly JsMsg[]) => handle(messages.map((message) => Number(message.string()))),
    }),
  };
}

it('a process with a consumer stops without waiting until it gives its connections up', async () => {
  const source = await newSource();
  const { lifecycle, stop } = newProcess();
  const own = await connectBus(stores.stores.natsUrl('operator'), 'operator', lifecycle);
  startBatchConsumer(
    own,
    source.handling(async () => {}),
    lifecycle,
  );
  await source.send(1);
  await source.untilDone();
  onTestFinished(holdJobs(2_000));
  await stop();
});

describe('messages that are handled in batches', () => {
  it('are together when they come while others are handled, and alone when they come alone', async () => {
    const source = await newSource();
    const batches: number[][] = [];
    const requests: (string | undefined)[] = [];
    const first = Promise.withResolvers<void>();
    const handling = source.handling(async (numbers) => {
      batches.push(numbers);
      requests.push(currentScope()?.requestId);
      if (batches.length === 1) await first.promise;
    });
    startBatchConsumer(nc, handling, aProcess().lifecycle);
    await source.send(1);
    await until('the first one is worked on', () => batches.length === 1);
    await source.sendAll(2, 3, 4, 5);
    await until('the others were delivered', async () => {
      const info = await (await jetstreamManager(streamsOf(nc))).consumers.info('NUMBERS', handling.durable);
      return info.delivered.consumer_seq === 5;
    });
    await nc.flush();
    first.resolve();
    await source.untilDone();
    expect(batches).toEqual([[1], [2, 3, 4, 5]]);
    // Log lines name a request where it is but one.
    expect(requests).toEqual(['request 1', undefined]);
  });

  it('hold each other up in nothing: one that cannot be handled comes again alone, until it can', async () => {
    const source = await newSource();
    const done: number[] = [];
    let repaired = false;
    let refused = 0;
    await source.sendAll(1, 2, 3, 4, 5);
    startBatchConsumer(
      nc,
      source.handling(async (numbers) => {
        if (numbers.includes(3) && !repaired) {
          refused += 1;
          throw new Error('3 cannot be handled');
        }
        done.push(...numbers);
      }),
      aProcess().lifecycle,
    );
    await until('the others are done', () => done.length === 4);
    expect(done).toEqual([1, 2, 4, 5]);
    await until('it was tried again', () => refused >= 3);
    await source.sendAll(6);
    await until('what came later is done', () => done.includes(6));
    repaired = true;
    await source.untilDone();
    expect(done).toEqual([1, 2, 4, 5, 6, 3]);
  });

  it('go to another process when theirs stops before it has begun with them', async () => {
    const source = await newSource();
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [byFirst, bySecond]: number[][] = [[], []];
    const first = aProcess();
    startBatchConsumer(
      nc,
      source.handling(async (numbers) => {
        begun.resolve();
        await mayEnd.promise;
        byFirst?.push(...numbers);
      }),
      first.lifecycle,
    );
    await source.send(1);
    await begun.promise;
    await source.sendAll(2, 3);
    await source.untilHeld(3);
    const stopped = first.stop();
    startBatchConsumer(
      nc,
      source.handling(async (numbers) => {
        bySecond?.push(...numbers);
      }),
      aProcess().lifecycle,
    );
    mayEnd.resolve();
    await stopped;
    expect(byFirst).toEqual([1]);
    await source.untilDone();
    expect(bySecond?.sort()).toEqual([2, 3]);
  });

  it('are waited for when their consumer has been removed, which a metric says until it is there again', async () => {
    const source = await newSource();
    const done: number[] = [];
    const handling = source.handling(async (numbers) => void done.push(...numbers));
    const state = async () =>
      new RegExp(`^talpa_consumer_missing\\{consumer="${handling.durable}"\\S* (\\d)$`, 'm').exec(
        await scrape(),
      )?.[1];
    startBatchConsumer(nc, handling, aProcess().lifecycle);
    await source.send(1);
    await source.untilDone();
    expect(await state()).toBe('0');
    const manager = await jetstreamManager(streamsOf(nc));
    const { config } = await manager.consumers.info('NUMBERS', handling.durable);
    await manager.consumers.delete('NUMBERS', handling.durable);
    await until('it is known to be gone', async () => (await state()) === '1');
    await manager.consumers.add('NUMBERS', config);
    await source.send(2);
    await until('the next is done', () => done.includes(2));
    expect(await state()).toBe('0');
  });

  it('each go on in their trace', async () => {
    const ended: string[] = [];
    const trace = (id: string): ActiveSpan => ({
      traceId: id,
      traceparent: id,
      set: () => {},
      fail: () => {},
      end: () => ended.push(id),
    });
    useTracer({ start: (_name, { parent }, local) => trace(parent ?? local ?? '') });
    const source = await newSource();
    await Promise.all([source.send(1, 'trace 1'), source.send(2), source.send(3, 'trace 3')]);
    startBatchConsumer(
      nc,
      source.handling(async () => {}),
      aProcess().lifecycle,
    );
    await source.untilDone();
    expect(ended.sort()).toEqual(['trace 1', 'trace 3']);
  });
});
