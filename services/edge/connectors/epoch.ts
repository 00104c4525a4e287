import { openSession } from '@talpa/service-kit/database/session';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { loseEpoch, removeEpoch, storeEpoch } from './rows.ts';

/** What an epoch's session with Postgres is called. */
const sessionName = 'talpa edge ';
const beatMs = 500;
/** An edge that hangs, or that no packet reaches, loses its session after so long. */
const silentMs = 3_000;
/** After a failure of Postgres every edge that lives has its session again by then. */
const settleMs = 5_000;

/** How long one has seen what one sees, in ms. */
export interface Seeing {
  readonly serverAgeMs: number;
  readonly sessionAgeMs: number;
  /** The session of this process's start, not one that took the place of a broken one. */
  readonly isFirst: boolean;
}

/** Whether a session that is lacking says something about its edge; else Postgres itself may have lost it. */
export function isSettled({ serverAgeMs, sessionAgeMs, isFirst }: Seeing, ms = settleMs): boolean {
  return serverAgeMs >= ms && (isFirst || sessionAgeMs >= ms);
}

interface Beat {
  session: string;
  sessionAgeMs: number;
  serverAgeMs: number;
  isStored: boolean;
  /** Epochs whose session is not there. */
  lacking: string[];
}

/** That this edge lives, and who of the others does not. */
export interface Epoch {
  /** Looks now; by itself it does so twice a second. Fails while Postgres is away. */
  look(): Promise<void>;
  /** Ends the epoch; to be called when nothing is held any more. */
  end(): Promise<void>;
}

/**
 * Begins this edge's epoch and looks for those that have ended without a word, before it resolves.
 * @param changed called after COMMIT for each tunnel whose connections count no longer, or again.
 */
export async function beginEpoch(
  sql: Sql,
  edgeId: string,
  changed: (tunnelId: string) => void,
  log: Log,
  settledAfterMs = settleMs,
): Promise<Epoch> {
  let isEnding = false;
  let first: string | undefined;
  /** Lacking at the last look: one whose session was merely cut has it again by the next. */
  let lackingBefore = new Set<string>();
  const session = openSession(
    sql,
    { application_name: sessionName + edgeId, idle_session_timeout: silentMs },
    () => {
      lackingBefore = new Set();
      if (!isEnding) setImmediate(lookAgain);
    },
  );

  const look = async () => {
    const isStart = first === undefined;
    const beat = await askSession(session, edgeId);
    first ??= beat.session;
    if (!beat.isStored) for (const tunnelId of await storeEpoch(sql, edgeId)) changed(tunnelId);
    if (!isSettled({ ...beat, isFirst: beat.session === first }, settledAfterMs)) return;
    const lost = beat.lacking.filter((id) => isStart || lackingBefore.has(id));
    lackingBefore = new Set(beat.lacking);
    for (const id of lost) {
      const tunnelIds = await loseEpoch(sql, id);
      if (tunnelIds === null) continue;
      log.warn(
        { edge: id, tunnels: tunnelIds.length },
        'another edge stopped responding: its connections no longer count',
      );
      for (const tunnelId of tunnelIds) changed(tunnelId);
    }
  };
  let running: Promise<void> | null = null;
  let failed = false;
  const lookAgain = () => {
    if (isEnding || running) return;
    running = look()
      .then(
        () => {
          failed = false;
        },
        (error: unknown) => {
          if (!failed && !isEnding) log.warn({ err: error }, 'edge heartbeat to Postgres failed, retrying');
          failed = true;
        },
      )
      .finally(() => {
        running = null;
      });
  };
  try {
    await look();
  } catch (error) {
    isEnding = true;
    await session.end({ timeout: 0 });
    throw error;
  }
  const timer = setInterval(lookAgain, beatMs);
  return {
    look,
    end: async () => {
      isEnding = true;
      clearInterval(timer);
      await running;
      try {
        await removeEpoch(sql, edgeId);
      } finally {
        await session.end({ timeout: 0 });
      }
    },
  };
}

/** Only the asking itself is a sign of life: where nothing has changed, nothing is written. */
async function askSession(session: Sql, edgeId: string): Promise<Beat> {
  const [beat] = await session<Beat[]>`
    select backend_start::text as session,
      (extract(epoch from clock_timestamp() - backend_start) * 1000)::float8 as session_age_ms,
      (extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000)::float8 as server_age_ms,
      exists (select 1 from tunnel_provider.edge_epochs where id = ${edgeId} and lost_at is null) as is_stored,
      (select coalesce(json_agg(id), '[]') from tunnel_provider.edge_epochs
       where id <> ${edgeId} and lost_at is null and not exists (
         select 1 from pg_stat_activity as other
         where other.usename = current_user and other.datname = current_database()
           and other.application_name = ${sessionName} || edge_epochs.id)) as lacking
    from pg_stat_activity where pid = pg_backend_pid()`;
  if (!beat) throw new Error('the session does not see itself');
  return beat;
}
