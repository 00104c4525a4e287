import {
  type CommandName,
  type CommandOf,
  commands,
  type EventName,
  type EventOf,
  events,
} from '@talpa/contracts';
import { commandSubject, eventSubject } from '../bus/subjects.ts';
import type { Outbox } from '../events/outbox.ts';
import type { Stamps } from '../stamps.ts';
import type { AnySql, Sql, TransactionSql } from './connect.ts';

/** A running transaction: its statements and what it will tell others once committed. */
export interface Tx {
  readonly sql: TransactionSql;
  /** Tells the new public state of a row. */
  emit<N extends EventName>(name: N, snapshot: EventOf<N>): Promise<void>;
  /** Gives another service an order that is not lost. */
  command<N extends CommandName>(name: N, order: CommandOf<N>): Promise<void>;
  /** These users' remembered answers are no longer true. */
  touch(...userIds: number[]): void;
  /** Answers remembered for everybody are no longer true. */
  touchEverybody(): void;
}

export interface TransactionTools {
  readonly sql: Sql;
  readonly outbox: Outbox;
  readonly stamps: Stamps;
}

/**
 * Runs `work` in a transaction. After COMMIT, and before the caller can answer, the stamps of everybody it
 * touched are deleted and the outbox is relayed.
 */
export async function withTransaction<T>(tools: TransactionTools, work: (tx: Tx) => Promise<T>): Promise<T> {
  const touched = new Set<number | 'everybody'>();
  let told = false;
  const result = await tools.sql.begin(async (sql) => {
    touched.clear();
    const write = async (subject: string, payload: unknown) => {
      told = true;
      await insertMessage(sql, subject, payload);
    };
    return work({
      sql,
      emit: (name, snapshot) =>
        write(eventSubject(name, String(snapshot.id)), events[name].schema.parse(snapshot)),
      command: (name, order) => write(commandSubject(name), commands[name].schema.parse(order)),
      touch: (...userIds) => {
        for (const userId of userIds) touched.add(userId);
      },
      touchEverybody: () => touched.add('everybody'),
    });
  });
  await tools.stamps.drop([...touched]);
  if (told) tools.outbox.kick();
  return result as T;
}

async function insertMessage(sql: AnySql, subject: string, payload: unknown): Promise<void> {
  await sql`insert into outbox (subject, payload) values (${subject}, ${sql.json(payload as never)})`;
}
