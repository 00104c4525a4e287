import type { NotificationContent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';
import { type ReadProxy, toReaders } from '../proxies/readers.ts';
import { watchMassLoss } from './mass-loss.ts';

const intervalMs = 5_000;
const batch = 100;
/** Losses, or returns, within this time of each other make one notification. */
const groupSeconds = 60;

/** Notifies owners and members once when connectors stay away and once when they are back. Events close together make one notification. */
export function notifyAbsences(base: ServiceBase, alertAfterSeconds: number, lifecycle: Lifecycle): void {
  lifecycle.every(intervalMs, (signal) => notifyDue(base, alertAfterSeconds, signal), {
    failed: 'lost connectors could not be looked for, retrying',
  });
}

/** Looks once. */
export async function notifyDue(
  { sql, transaction }: Pick<ServiceBase, 'sql' | 'transaction'>,
  alertAfterSeconds: number,
  signal?: AbortSignal,
): Promise<void> {
  if (await transaction((tx) => watchMassLoss(tx, alertAfterSeconds))) return;
  let after = 0;
  const failures: unknown[] = [];
  while (!signal?.aborted) {
    const due = await sql<{ userId: number }[]>`
      select user_id from proxies
      where away_since <= now() - ${alertAfterSeconds} * interval '1 second' and lost_notified_at is null
        and not deleted and user_id > ${after}
      union
      select user_id from proxies where back_at is not null and user_id > ${after}
      order by user_id limit ${batch}`;
    for (const { userId } of due)
      await transaction(async (tx) => {
        // Another process must not notify of half of them.
        await tx.sql`select lock_transaction(${`absences ${userId}`})`;
        await notifyLost(tx, userId, alertAfterSeconds);
        await notifyBack(tx, userId);
        // A user who cannot be notified does not hold up the others.
      }).catch((error) => failures.push(error));
    const last = due.at(-1);
    if (!last || due.length < batch) break;
    after = last.userId;
  }
  if (failures.length > 0) throw failures[0];
}

interface Absence extends ReadProxy {
  readonly uuid: string;
  readonly proxyId: number;
  readonly serverName: string;
  /** Of its server; null: it is not known yet. */
  readonly serverUuid: string | null;
  readonly serverLabel: string | null;
  readonly awaySince: Date;
}

type Several = readonly [Absence, ...Absence[]];
interface Return extends Absence {
  readonly backAt: Date | null;
}

/** Notifies of the losses that are due: as soon as no other of the user's is about to be due, or after `groupSeconds`. */
async function notifyLost(tx: Tx, userId: number, alertAfterSeconds: number): Promise<void> {
  const { sql } = tx;
  const [user] = await sql<{ isSuspended: boolean | null }[]>`
    select is_suspended from users where user_id = ${userId}`;
  const isTheirs = sql`user_id = ${userId} and away_since is not null and lost_notified_at is null and not deleted`;
  if (user?.isSuspended) {
    // It is the suspension that keeps them away.
    await sql`update proxies set away_since = null where ${isTheirs}`;
    return;
  }
  const away = await sql<(Absence & { dueSeconds: number })[]>`
    select uuid, proxy_id, user_id, member_ids, server_name, server_uuid, server_label, away_since,
      extract(epoch from now() - away_since)::float8 - ${alertAfterSeconds} as due_seconds
    from proxies where ${isTheirs} order by away_since, uuid for update`;
  const due = away.filter(({ dueSeconds }) => dueSeconds >= 0);
  const first = due[0];
  if (!first || (due.length < away.length && first.dueSeconds < groupSeconds)) return;
  await sql`update proxies set lost_notified_at = now() where uuid in ${sql(due.map(({ uuid }) => uuid))}`;
  const contentOf = (lost: Several): NotificationContent =>
    lost.length === 1
      ? { kind: 'connector_lost', params: { ...named(lost[0]), lostAt: lost[0].awaySince.toISOString() } }
      : {
          kind: 'connectors_lost',
          params: { names: namesOf(lost), lostAt: lost[0].awaySince.toISOString() },
        };
  await insertNotifications(tx, toReaders([first, ...due.slice(1)], contentOf));
}

/** Notifies of the connectors that are back: as soon as all are, or after `groupSeconds`. */
async function notifyBack(tx: Tx, userId: number): Promise<void> {
  const { sql } = tx;
  const announced = await sql<(Return & { hasWaited: boolean })[]>`
    select uuid, proxy_id, user_id, member_ids, server_name, server_uuid, server_label, away_since, back_at,
      back_at <= now() - ${groupSeconds} * interval '1 second' as has_waited
    from proxies where user_id = ${userId} and lost_notified_at is not null and not deleted
    order by back_at, uuid for update`;
  const back = announced.filter(({ backAt }) => backAt !== null);
  const first = back[0];
  if (!first?.backAt || (back.length < announced.length && !first.hasWaited)) return;
  await sql`
    update proxies set away_since = null, lost_notified_at = null, back_at = null
    where uuid in ${sql(back.map(({ uuid }) => uuid))}`;
  const contentOf = (returned: readonly [Return, ...Return[]]): NotificationContent =>
    returned.length === 1
      ? { kind: 'connector_back', params: { ...named(returned[0]), awaySeconds: awaySecondsOf(returned[0]) } }
      : { kind: 'connectors_back', params: { names: namesOf(returned) } };
  await insertNotifications(tx, toReaders([first, ...back.slice(1)], contentOf));
}

const awaySecondsOf = ({ awaySince, backAt }: Return) =>
  Math.max(0, Math.round(((backAt?.getTime() ?? 0) - awaySince.getTime()) / 1_000));
const named = ({ proxyId, serverName }: Absence) => ({ proxyId, proxy: serverName });

/** One connector may serve several proxies: they are named once, by their server. */
function namesOf(absences: readonly Absence[]): string[] {
  const named = absences.map(({ uuid, serverName, serverUuid, serverLabel }) => {
    const isShared = absences.some((other) => other.uuid !== uuid && other.serverUuid === serverUuid);
    return isShared && serverUuid && serverLabel ? [serverUuid, serverLabel] : [uuid, serverName];
  });
  return [...new Map(named as [string, string][]).values()];
}
