import { type AuditMessage, auditMessage } from '@talpa/contracts';
import { auditConsumer, healthSubject, streams } from '@talpa/service-kit/bus/subjects';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { startConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { insertRow } from './sql.ts';

/** Keeps what the services write into the audit trail; until it is stored it stays on the bus. A proxy's page is told. */
export function receiveAudit(base: ServiceBase, lifecycle: Lifecycle): void {
  startConsumer(
    base.nc,
    {
      stream: streams.audit,
      durable: auditConsumer,
      concurrency: 8,
      handle: async (message) => {
        const payload = message.string();
        const { row, fault } = await base.transaction((tx) => takeIn(tx, payload));
        if (fault)
          lifecycle.log.error({ err: fault, subject: message.subject }, 'an audit row cannot be read');
        if (row?.target.kind === 'proxy' && row.subjectUserId !== null)
          base.nc.publish(healthSubject('stats', row.subjectUserId, Number(row.target.id)));
      },
    },
    lifecycle,
  );
}

/** What a version that wrote more than we knew has left: we may be able to read it now. */
export async function readParked({ transaction }: ServiceBase): Promise<void> {
  await transaction(async (tx) => {
    const parked = await tx.sql<{ payload: string }[]>`delete from audit_parked returning payload`;
    for (const { payload } of parked) await takeIn(tx, payload);
  });
}

/** @returns the row that is kept now, or what is wrong with one that could not be read and is parked */
async function takeIn(tx: Tx, payload: string): Promise<{ row?: AuditMessage; fault?: unknown }> {
  const read = auditMessage.safeParse(jsonOrNull(payload));
  if (read.success) {
    await insertRow(tx, read.data);
    return { row: read.data };
  }
  await tx.sql`insert into audit_parked (payload, why) values (${payload}, ${read.error.message})`;
  return { fault: read.error };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
