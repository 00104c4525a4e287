import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';

/**
 * Handles the notifications that Postgres sends to all edges (the triggers are in `functions/` of the provider and of proxies). They are only
 * hints, because every role may notify on every channel: the edge reads the tables to see what has changed.
 */
export interface ChangeHandlers {
  /** A connection's row may be gone: then it may not go on. */
  gone(connectionId: string): void;
  /** A tunnel's configuration has changed. */
  configured(tunnelId: string): void;
  /** A DNS record of that name has changed. */
  host(name: string): void;
  /** A game port has changed. */
  gamePort(): void;
  /** A certificate was issued, or could not be. */
  certificate(): void;
  /** Something may have been missed: look at everything. */
  missed(): void;
}

/** Often enough that the connection on which changes come counts as silent only when its server is gone. */
const signOfLifeMs = 4_000;

/**
 * Follows the changes; after a break of the connection it starts with `missed`.
 * @returns how to end the signs of life, before the pool is closed
 */
export async function followChanges(sql: Sql, handlers: ChangeHandlers, log: Log): Promise<() => void> {
  /** Not the whole: an attacker who sends them could fill the log. */
  const logUnknown = onceAMinute((payload: string) =>
    log.warn({ payload: payload.slice(0, 100) }, 'edge notification ignored: unknown payload'),
  );
  const take = (payload: string) => {
    const [kind, value = ''] = payload.split(' ');
    if (kind === 'gone') handlers.gone(value);
    else if (kind === 'config') handlers.configured(value);
    else if (kind === 'host') handlers.host(value);
    else if (kind === 'port') handlers.gamePort();
    else if (kind === 'certificate') handlers.certificate();
    else if (kind !== 'alive') logUnknown(payload);
  };
  await sql.listen('edge', take, () => handlers.missed());
  const timer = setInterval(() => void sql.notify('edge', 'alive').catch(() => {}), signOfLifeMs);
  return () => clearInterval(timer);
}
