import { type AuditMessage, auditMessage } from '@talpa/contracts';
import { noteUnreadable, parseMessage } from '@talpa/service-kit/bus/read-message';
import { auditConsumer, healthSubject, streams, userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { startBatchConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { type Reader, selectReaders } from '../history/readers.ts';
import { noting } from '../losses/note.ts';
import { insertRows, storeDeadLetters } from './sql.ts';

/** Keeps what the services write into the audit trail; until it is stored it stays on the bus. Open pages are notified. */
export function receiveAudit(base: ServiceBase, lifecycle: Lifecycle): void {
  const note = (subject: string, why: unknown) =>
    noteUnreadable(
      subject,
      why,
      lifecycle.log,
      'audit row cannot be read: kept as a dead letter, retried at each start',
    );
  startBatchConsumer(
    base.nc,
    noting(base.sql, {
      stream: streams.audit,
      durable: auditConsumer,
      handle: async (messages) => {
        const letters = messages.map((message) => ({ subject: message.subject, payload: message.string() }));
        const { rows, faults } = await base.transaction((tx) => takeIn(tx, letters));
        for (const { subject, why } of faults) note(subject, why);
        await notifyOf(rows, base);
      },
      giveUp: async (message, why) => {
        const fault = { subject: message.subject, payload: message.string(), why: why as Error };
        await base.transaction((tx) => storeDeadLetters(tx, [fault]));
        note(message.subject, why);
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

/** What a version that wrote more than we knew has left: we may be able to read it now. */
export async function retryDeadLetters({ transaction }: ServiceBase): Promise<void> {
  await transaction(async (tx) => {
    await takeIn(tx, await tx.sql<Letter[]>`delete from audit_dead_letters returning payload, '' as subject`);
  });
}

interface Letter {
  readonly subject: string;
  readonly payload: string;
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
  for (const letter of letters)
    try {
      rows.push(parseMessage(letter.payload, auditMessage));
    } catch (why) {
      faults.push({ ...letter, why: why as Error });
    }
  if (rows.length > 0) await insertRows(tx, rows);
  if (faults.length > 0) await storeDeadLetters(tx, faults);
  return { rows, faults };
}
