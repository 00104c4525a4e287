import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBus, streamsOf } from '../bus/connect.ts';
import { createLog } from '../log.ts';
import { openDatabase } from './connect.ts';
import { startOutbox } from './outbox.ts';
import type { AnySql, Sql } from './sql.ts';

const stores = useStores();
let nc: NatsConnection;
let sql: Sql;
const warnings: unknown[] = [];
const { lifecycle, stop } = newProcess(
  Object.assign(createLog('test', 'silent'), { warn: (facts: unknown) => warnings.push(facts) }),
);
beforeAll(async () => {
  nc = await openBus(stores.stores.natsUrl('operator'), 'operator');
  sql = openDatabase((await newSchemas(stores, 'proxies'))('proxies'), 12);
});
afterAll(async () => {
  await stop();
  await sql?.end({ timeout: 5 });
  await nc?.close();
});

const write = (row: string, version: number, filling = '', on: AnySql = sql) =>
  on`
    insert into outbox (subject, payload)
    values (${`event.proxy.${row}`}, ${sql.json({ row, version, filling })})`;

/** What the stream holds, in its order. */
async function published(): Promise<{ row: string; version: number }[]> {
  const manager = await jetstreamManager(streamsOf(nc));
  const { state } = await manager.streams.info('EVENTS');
  const messages: { row: string; version: number }[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage('EVENTS', { seq });
    if (message) messages.push(message.json());
  }
  return messages;
}
const untilPublished = () =>
  until('all is published', async () => (await sql`select 1 from outbox`).length === 0);

describe('the outbox', () => {
  it('is relayed by one process at a time when it is kicked: nothing twice, and each row’s messages in their order', async () => {
    // Its own looks hold still.
    onTestFinished(holdJobs(1_000));
    const [rows, versions] = [6, 100];
    const manager = await jetstreamManager(streamsOf(nc));
    await manager.streams.add({ name: 'EVENTS', subjects: ['event.>'] });
    const relays = [1, 2, 3].map(() => startOutbox(sql, nc, lifecycle));
    const life = async (row: number) => {
      for (let version = 1; version <= versions; version += 1) {
        await write(String(row), version);
        relays[(row + version) % relays.length]?.kick();
      }
    };
    await Promise.all(Array.from({ length: rows }, (_, row) => life(row)));
    await untilPublished();
    const inOrder = Array.from({ length: versions }, (_, at) => at + 1);
    const byRow = Map.groupBy(await published(), ({ row }) => row);
    for (let row = 0; row < rows; row += 1)
      expect(byRow.get(String(row))?.map(({ version }) => version)).toEqual(inOrder);
  });

  it('is stored although others publish under ids that they can guess', async () => {
    const manager = await jetstreamManager(streamsOf(nc));
    const [last = { id: 0 }] = await sql<{ id: number }[]>`
      insert into outbox (subject, payload) values ('event.proxy.theirs', '{}') returning id`;
    const js = jetstream(streamsOf(nc));
    for (let id = last.id; id < last.id + 5; id += 1)
      for (const msgID of [String(id), `proxies-${id}`])
        await js.publish('event.proxy.theirs', '{}', { msgID });
    await write('guessed', 1);
    startOutbox(sql, nc, lifecycle).kick();
    await untilPublished();
    const wanted = { last_by_subj: 'event.proxy.guessed' };
    expect((await manager.streams.getMessage('EVENTS', wanted))?.json()).toMatchObject({ version: 1 });
  });

  it('holds what a stream calls a duplicate before it has stored it', async () => {
    // What servers of a cluster answer in turn when two of three have been away; no stream has the subject.
    const answers = [
      { seq: 0, duplicate: true },
      { seq: 7, duplicate: true },
    ];
    const stream = streamsOf(nc).subscribe('staged', {
      callback: (_, message) =>
        void message.respond(JSON.stringify({ stream: 'EVENTS', ...answers.shift() })),
    });
    await sql`insert into outbox (subject, payload) values ('staged', '{}')`;
    await untilPublished();
    expect(answers).toEqual([]);
    stream.unsubscribe();
  });

  it('holds what was not stored, and what is newer of the same row, until it can be', async () => {
    const manager = await jetstreamManager(streamsOf(nc));
    await manager.streams.update('EVENTS', { max_msg_size: 300 });
    const before = warnings.length;
    await sql.begin(async (tx) => {
      await write('large', 1, 'x'.repeat(500), tx);
      await write('large', 2, '', tx);
      await write('small', 1, '', tx);
    });
    await until('it was refused', () => warnings.length > before);
    expect((await published()).filter(({ row }) => row === 'large')).toEqual([]);
    await manager.streams.update('EVENTS', { max_msg_size: -1 });
    await untilPublished();
    const rows = (await published()).map(({ row, version }) => `${row} ${version}`);
    expect(rows.filter((one) => one.startsWith('large'))).toEqual(['large 1', 'large 2']);
    expect(rows).toContain('small 1');
  });
});
