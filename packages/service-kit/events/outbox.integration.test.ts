import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSchemas } from '../../../tests/kit/schemas.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { until } from '../../../tests/kit/wait.ts';
import { openBus } from '../bus/connect.ts';
import { openDatabase, type Sql } from '../database/connect.ts';
import { createLog } from '../log.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { readSettings } from '../settings.ts';
import { startOutbox } from './outbox.ts';

const stores = useStores();
let nc: NatsConnection;
let sql: Sql;
const undos: (() => unknown)[] = [];
const lifecycle: Lifecycle = {
  log: createLog('test', 'silent'),
  settings: readSettings,
  dependsOn: () => {},
  ready: async () => true as const,
  onStop: (_step, undo) => undos.push(undo),
  fail: () => {},
};
beforeAll(async () => {
  nc = await openBus(stores.stores.natsUrl('operator'), 'operator');
  sql = openDatabase((await newSchemas(stores, 'proxies'))('proxies'), 12);
});
afterAll(async () => {
  for (const undo of undos.reverse()) await undo();
  await sql?.end({ timeout: 5 });
  await nc?.close();
});

const rows = 6;
const versions = 120;

describe('the outbox', () => {
  it('loses nothing and keeps the order of each row, with two relays and a bus that is not there at first', async () => {
    const relays = [1, 2].map(() => startOutbox(sql, nc, 'proxies', lifecycle));
    const subject = (row: number) => `event.proxy.${row}`;
    // Nobody stores these subjects yet: what is not stored is not gone.
    const write = async (row: number) => {
      for (let version = 1; version <= versions; version += 1) {
        await sql`
          insert into outbox (subject, payload) values (${subject(row)}, ${sql.json({ row, version })})`;
        relays[version % 2]?.kick();
        if (row === 1 && version === versions / 2) await addStream();
      }
    };
    const manager = await jetstreamManager(nc);
    const addStream = () => manager.streams.add({ name: 'TOLD', subjects: ['event.>'] });
    await Promise.all(Array.from({ length: rows }, (_, row) => write(row)));
    await until('all is told', async () => (await sql`select 1 from outbox`).length === 0);
    const { state } = await manager.streams.info('TOLD', { subjects_filter: 'event.>' });
    expect(state.messages).toBe(rows * versions);
    const told = new Map<number, number[]>();
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage('TOLD', { seq });
      const { row, version } = message?.json<{ row: number; version: number }>() ?? { row: -1, version: 0 };
      told.set(row, [...(told.get(row) ?? []), version]);
    }
    const inOrder = Array.from({ length: versions }, (_, at) => at + 1);
    for (let row = 0; row < rows; row += 1) expect(told.get(row)).toEqual(inOrder);
  });
});
