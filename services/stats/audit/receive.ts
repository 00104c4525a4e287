import type { JsMsg } from '@nats-io/jetstream';
import { type AuditMessage, auditMessage, writesAction } from '@talpa/contracts';
import { logUnreadable, parseMessage } from '@talpa/service-kit/bus/read-message';
import {
  auditConsumer,
  healthSubject,
  senderOf,
  streams,
  userChangedSubject,
} from '@talpa/service-kit/bus/subjects';
import { isDataRefused } from '@talpa/service-kit/database/errors';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { startBatchConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { storingHandled } from '../losses/store-handled.ts';
import { type Reader, selectReaders } from '../proxies/readers.ts';
import { insertRows, type Letter, storeDeadLetters } from './sql.ts';

/** Keeps what the services write into the audit trail; until it is stored it stays on the bus. Open pages are notified. */
export function receiveAudit(base: ServiceBase, lifecycle: Lifecycle): void {
  const logFault = (sender: string, why: unknown) =>
    logUnreadable(
      `audit.${sender}`,
      why,
      lifecycle.log,
      'audit row cannot be read: kept as a dead letter while there is room, retried at each start',
    );
  startBatchConsumer(
    base.nc,
    storingHandled(base.sql, {
      stream: streams.audit,
      durable: auditConsumer,
      handle: async (messages) => {
        const letters = messages.map(letterOf);
        const { rows, faults } = await base.transaction((tx) => takeIn(tx, letters));
        for (const { sender, why } of faults) logFault(sender, why);
        await notifyOf(rows, base);
      },
      giveUp: async (message, why) => {
        const fault = { ...letterOf(message), why: why as Error };
        await base.transaction((tx) => storeDeadLetters(tx, [fault]));
        logFault(fault.sender, why);
      },
    }),
    lifecycle,
  );
}

async function notifyOf(
  rows: readonly AuditMessage[],
  { nc, sql }: Pick<ServiceBase, 'nc' | 'sql'>,
): Promise<void> {
  const proxies = rows.flatMap(({ target }) => (target.kind === 'proxy' ? [Number(target.id)] : []));
  if (proxies.length > 0) {
    const readers = await sql<Reader[]>`${selectReaders(sql)} where owners.id in ${sql(proxies)}`;
    for (const { id, userId } of readers) nc.publish(healthSubject('stats', userId, id));
  }
  const concerned = rows.flatMap(({ actor, subjectUserId }) =>
    [actor?.userId ?? [], subjectUserId ?? []].flat(),
  );
  for (const userId of new Set(concerned)) nc.publish(userChangedSubject('stats', userId));
}

const retryMs = 60 * 60_000;

/** What a version that wrote more than we knew has left: we may be able to read it now. Nothing waits for it. */
export function retryDeadLetters(base: ServiceBase, lifecycle: Lifecycle): void {
  lifecycle.every(retryMs, (signal) => takeInLetters(base, signal), {
    failed: 'dead letters of the audit trail could not be read again, retrying',
    retryMs: 60_000,
  });
}

/** A few at a time, and each stored by itself: what cannot be read stays where it is. */
export async function takeInLetters(
  { sql, transaction }: Pick<ServiceBase, 'sql' | 'transaction'>,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const letters = await sql<(Letter & { id: number })[]>`
      select id, sender, payload from audit_dead_letters where id > ${after} order by id limit 20`;
    for (const letter of letters) {
      const row = readRow(letter);
      if (row instanceof Error) continue;
      try {
        await transaction(async (tx) => {
          await insertRows(tx, [row]);
          await tx.sql`delete from audit_dead_letters where id = ${letter.id}`;
        });
      } catch (error) {
        if (!isDataRefused(error)) throw error;
      }
    }
    const last = letters.at(-1);
    if (!last) return;
    after = last.id;
  }
}

const letterOf = (message: JsMsg): Letter => ({
  sender: senderOf(message.subject),
  payload: message.string(),
});

/** A row that its sender may write: as itself, and of an action that the contract gives it. Of old letters nobody recorded the sender. */
function readRow({ sender, payload }: Letter): AuditMessage | Error {
  try {
    const row = parseMessage(payload, auditMessage);
    if (sender !== '' && row.service !== sender) throw new Error('a row in the name of another service');
    if (!writesAction(row.service, row.action)) throw new Error('an action of another service');
    return row;
  } catch (why) {
    return why as Error;
  }
}

interface Taken {
  /** Are kept now. */
  readonly rows: readonly AuditMessage[];
  /** Could not be read: dead letters. */
  readonly faults: readonly (Letter & { readonly why: Error })[];
}

export async function takeIn(tx: Tx, letters: readonly Letter[]): Promise<Taken> {
  const rows: AuditMessage[] = [];
  const faults: (Letter & { why: Error })[] = [];
  for (const letter of letters) {
    const row = readRow(letter);
    if (row instanceof Error) faults.push({ ...letter, why: row });
    else rows.push(row);
  }
  if (rows.length > 0) await insertRows(tx, rows);
  if (faults.length > 0) await storeDeadLetters(tx, faults);
  return { rows, faults };
}
