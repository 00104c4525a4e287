import type { Tx } from '@talpa/service-kit/database/transaction';
import { notifyAdministrators } from '../inbox/administrators.ts';

/** A mass loss: at least so many connectors, of so many users, and more than this share of all, lost within this time. */
const fewest = 5;
/** One user's machine is not the network, and no user can silence the notifications of others. */
const fewestUsers = 3;
const share = 0.2;
const withinSeconds = 30;
/** Users are notified of a mass loss so many times later than of a single one. */
const patience = 5;

/**
 * Detects that very many connectors were lost at once: the cause is then more likely the tunnel servers or the network than
 * the users' servers. Administrators are notified once, when the number is known.
 * @returns whether a mass loss lasts, so that users are not notified
 */
export async function watchMassLoss(tx: Tx, alertAfterSeconds: number): Promise<boolean> {
  const { sql } = tx;
  await sql`select lock_transaction('mass loss')`;
  const lastsSeconds = patience * alertAfterSeconds;
  const [last] = await sql<MassLoss[]>`
    select id, first_at, administrators_notified,
      detected_at + ${lastsSeconds} * interval '1 second' > now() as is_lasting,
      detected_at + ${withinSeconds} * interval '1 second' <= now() as is_known
    from mass_losses order by id desc limit 1`;
  if (last?.isKnown && !last.administratorsNotified) await notifyOf(tx, last);
  if (last?.isLasting) return true;
  // One connector can serve several proxies.
  const [found] = await sql<{ firstAt: Date; count: number }[]>`
    select min(away_since) over seconds as first_at, count(*) over seconds as count
    from (
      select min(away_since) as away_since from proxies
      where away_since is not null and lost_notified_at is null and not deleted
        and away_since > coalesce((select max(detected_at) from mass_losses), '-infinity')
          + ${lastsSeconds} * interval '1 second'
      group by tunnel_id) as connectors
    window seconds as (order by away_since range between ${`${withinSeconds} seconds`}::interval preceding and current row)
    order by count desc limit 1`;
  if (!found || found.count < fewest) return false;
  const [all] = await sql<{ connected: number }[]>`
    select count(distinct tunnel_id) as connected from proxies where is_connected and not deleted`;
  if (found.count <= share * ((all?.connected ?? 0) + found.count)) return false;
  const [whose] = await sql<{ users: number }[]>`
    select count(distinct user_id) as users from proxies
    where away_since between ${found.firstAt}
        and ${found.firstAt}::timestamptz + ${withinSeconds} * interval '1 second'
      and lost_notified_at is null and not deleted`;
  if ((whose?.users ?? 0) < fewestUsers) return false;
  await sql`insert into mass_losses (first_at) values (${found.firstAt})`;
  return true;
}

interface MassLoss {
  readonly id: number;
  readonly firstAt: Date;
  readonly administratorsNotified: boolean;
  /** Users are not notified yet. */
  readonly isLasting: boolean;
  /** All that were lost within the time are known by now. */
  readonly isKnown: boolean;
}

async function notifyOf(tx: Tx, { id, firstAt }: MassLoss): Promise<void> {
  await tx.sql`update mass_losses set administrators_notified = true where id = ${id}`;
  const [lost] = await tx.sql<{ count: number }[]>`
    select count(distinct tunnel_id) as count from proxies
    where away_since >= ${firstAt} and lost_notified_at is null and not deleted`;
  // All of them are back already.
  if (!lost || lost.count === 0) return;
  const content = { kind: 'connectors_lost_at_once', params: { count: lost.count } } as const;
  await notifyAdministrators(tx, content);
}
