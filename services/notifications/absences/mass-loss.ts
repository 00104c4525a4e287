import type { Tx } from '@talpa/service-kit/database/transaction';
import { insertNotifications } from '../inbox/insert.ts';

/** So many, of which this share of all, lost within this time, are a mass loss. */
const fewest = 5;
const share = 0.2;
const withinSeconds = 30;
/** So many times longer than one loss a mass loss has to last before users are told. */
const patience = 5;

/**
 * Notes when very many connectors are lost at once: then the tunnel servers or the network are more likely the cause than
 * the users' servers. Administrators are told once, when its extent is known.
 * @returns whether users are to be told nothing for now
 */
export async function watchMassLoss(tx: Tx, alertAfterSeconds: number): Promise<boolean> {
  const { sql } = tx;
  await sql`select lock_transaction('mass loss')`;
  const lastsSeconds = patience * alertAfterSeconds;
  const [last] = await sql<MassLoss[]>`
    select id, first_at, administrators_told,
      detected_at + ${lastsSeconds} * interval '1 second' > now() as is_lasting,
      detected_at + ${withinSeconds} * interval '1 second' <= now() as is_known
    from mass_losses order by id desc limit 1`;
  if (last?.isKnown && !last.administratorsTold) await tellAdministrators(tx, last);
  if (last?.isLasting) return true;
  const [found] = await sql<{ firstAt: Date; count: number }[]>`
    select min(away_since) over seconds as first_at, count(*) over seconds as count
    from proxies
    where away_since is not null and lost_told is null and not deleted
      and away_since > coalesce((select max(detected_at) from mass_losses), '-infinity')
        + ${lastsSeconds} * interval '1 second'
    window seconds as (order by away_since range between ${`${withinSeconds} seconds`}::interval preceding and current row)
    order by count desc limit 1`;
  if (!found || found.count < fewest) return false;
  const [all] = await sql<{ connected: number }[]>`
    select count(*) as connected from proxies where is_connected and not deleted`;
  if (found.count <= share * ((all?.connected ?? 0) + found.count)) return false;
  await sql`insert into mass_losses (first_at) values (${found.firstAt})`;
  return true;
}

interface MassLoss {
  readonly id: number;
  readonly firstAt: Date;
  readonly administratorsTold: boolean;
  /** Users are still told nothing. */
  readonly isLasting: boolean;
  /** By now all are known that were lost with the first. */
  readonly isKnown: boolean;
}

async function tellAdministrators(tx: Tx, { id, firstAt }: MassLoss): Promise<void> {
  await tx.sql`update mass_losses set administrators_told = true where id = ${id}`;
  const [lost] = await tx.sql<{ count: number }[]>`
    select count(*) as count from proxies
    where away_since >= ${firstAt} and lost_told is null and not deleted`;
  // All of them are back already.
  if (!lost || lost.count === 0) return;
  const administrators = await tx.sql<{ userId: number }[]>`
    select user_id from people where is_admin and username is not null`;
  await insertNotifications(
    tx,
    administrators.map(({ userId }) => ({
      userId,
      cause: `connectors_lost_at_once:${id}:${userId}`,
      content: { kind: 'connectors_lost_at_once', params: { count: lost.count } },
    })),
  );
}
