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
  const lasting = await sql<{ fault: ProviderFault }[]>`
    update provider_faults set notified_at = now()
    where notified_at is null and gone_at is null and since <= ${longAgo}
    returning fault`;
  for (const { fault } of lasting)
    await notifyAdministrators(tx, { kind: 'provider_fault', params: { fault } });
  const gone = await sql<{ notifiedAt: Date | null }[]>`
    delete from provider_faults
    where gone_at <= ${longAgo} or (gone_at is not null and notified_at is null)
    returning notified_at`;
  if (gone.every(({ notifiedAt }) => notifiedAt === null)) return;
  const [left] = await sql`select 1 from provider_faults where notified_at is not null limit 1`;
  if (left) return;
  await notifyAdministrators(tx, { kind: 'provider_recovered', params: {} });
}
