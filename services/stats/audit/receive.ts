import { type AuditMessage, auditMessage } from '@talpa/contracts';
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
  startBatchConsumer(
    base.nc,
    noting(base.sql, {
      stream: streams.audit,
      durable: auditConsumer,
      handle: async (messages) => {
        const payloads = messages.map((message) => message.string());
        const { rows, faults } = await base.transaction((tx) => takeIn(tx, payloads));
        for (const { why } of faults)
          lifecycle.log.error(
            { err: why },
            'audit row cannot be read: kept as a dead letter, retried at each start',
          );
        await notifyOf(rows, base);
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
    const letters = await tx.sql<{ payload: string }[]>`delete from audit_dead_letters returning payload`;
    await takeIn(
      tx,
      letters.map(({ payload }) => payload),
    );
  });
}

interface Taken {
  /** Are kept now. */
  readonly rows: readonly AuditMessage[];
  /** Could not be read: dead letters. */
  readonly faults: readonly { readonly payload: string; readonly why: Error }[];
}

export async function takeIn(tx: Tx, payloads: readonly string[]): Promise<Taken> {
  const read = payloads.map((payload) => ({ payload, ...auditMessage.safeParse(jsonOrNull(payload)) }));
  const rows = read.flatMap(({ data }) => data ?? []);
  const faults = read.flatMap(({ payload, error }) => (error ? { payload, why: error } : []));
  if (rows.length > 0) await insertRows(tx, rows);
  if (faults.length > 0) await storeDeadLetters(tx, faults);
  return { rows, faults };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
