import { AppError } from '@talpa/service-kit/app-error';
import { sessionName } from '@talpa/service-kit/database/connect';
import type { Tx } from '@talpa/service-kit/database/transaction';

/**
 * Refuses what the previous version would do wrong, while a process of it lives: proxies would give a member of one proxy the token of all,
 * an edge would judge by the wrong policy. Its workers can do no harm: they get errors (`previous-calls.ts`). It goes with the next release.
 * @throws AppError `upgrade_running`
 */
export async function refuseWhileUpgrading({ sql }: Tx): Promise<void> {
  const [previous] = await sql`
    select 1 from pg_stat_activity
    where usename = current_user and datname = current_database() and not starts_with(application_name, ${sessionName})
    union all
    select 1 from edge.edges where seen_at > now() - interval '15 seconds' and not shares_tunnels
    limit 1`;
  if (previous) throw new AppError('upgrade_running');
}
