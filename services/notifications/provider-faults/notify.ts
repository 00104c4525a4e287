import type { ProviderFault } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { notifyAdministrators } from '../inbox/administrators.ts';

/**
 * Notifies administrators once of each fault that lasts, and once when none is left. What comes or goes for a moment makes no
 * notification.
 */
export async function notifyFaults(tx: Tx, alertAfterSeconds: number): Promise<void> {
  const { sql } = tx;
  const longAgo = sql`now() - ${alertAfterSeconds} * interval '1 second'`;
  const lasting = await sql<{ fault: ProviderFault; since: Date }[]>`
    update provider_faults set notified_at = now()
    where notified_at is null and gone_at is null and since <= ${longAgo}
    returning fault, since`;
  for (const { fault, since } of lasting) {
    const content = { kind: 'provider_fault', params: { fault } } as const;
    await notifyAdministrators(tx, `provider_fault:${fault}:${since.toISOString()}`, content);
  }
  const gone = await sql<{ fault: ProviderFault; since: Date; notifiedAt: Date | null }[]>`
    delete from provider_faults
    where gone_at <= ${longAgo} or (gone_at is not null and notified_at is null)
    returning fault, since, notified_at`;
  const last = gone.find(({ notifiedAt }) => notifiedAt !== null);
  if (!last) return;
  const [left] = await sql`select 1 from provider_faults where notified_at is not null limit 1`;
  if (left) return;
  const content = { kind: 'provider_recovered', params: {} } as const;
  await notifyAdministrators(tx, `provider_recovered:${last.fault}:${last.since.toISOString()}`, content);
}
