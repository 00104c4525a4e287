import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';

/**
 * What one side of the edge does about the notifications that Postgres sends to all edges. Triggers send them as a change is committed: they
 * are in `functions/` of the provider and of proxies. They are only hints, because every role may notify on every channel: the edge reads
 * the tables to see what has changed.
 */
export interface Subscriber {
  /** A connection's row may be gone: then it may not go on. */
  gone?(connectionId: string): void;
  /** A tunnel's configuration has changed. */
  config?(tunnelId: string): void;
  /** A DNS record of that name, whom it lets in, or who has been let in has changed. */
  host?(name: string): void;
  /** A game port has changed. */
  port?(publicPort: string): void;
  /** A certificate was issued, or could not be. */
  certificate?(name: string): void;
  /** Something may have been missed: look at everything. */
  missed(): void;
}

/** The first word of a notification; the second is what has changed. */
const kinds = [
  'gone',
  'config',
  'host',
  'port',
  'certificate',
] as const satisfies readonly (keyof Subscriber)[];

/** Often enough that the connection on which changes come counts as silent only when its server is gone. */
const signOfLifeMs = 4_000;

export interface ChangeFeed {
  /** Calls `missed` now and after each break of the connection: what changed meanwhile was missed. */
  subscribe(subscriber: Subscriber): void;
  /** Ends the signs of life, before the pool is closed. */
  end(): void;
}

/** Follows the changes. While this waits for the database, nobody may be let in: their end would be missed. */
export async function followChanges(sql: Sql, log: Log): Promise<ChangeFeed> {
  const subscribers: Subscriber[] = [];
  /** Not the whole: an attacker who sends them could fill the log. */
  const logUnknown = onceAMinute((payload: string) =>
    log.warn({ payload: payload.slice(0, 100) }, 'edge notification ignored: unknown payload'),
  );
  const take = (payload: string) => {
    const [word, value = ''] = payload.split(' ');
    const kind = kinds.find((one) => one === word);
    if (kind) for (const subscriber of subscribers) subscriber[kind]?.(value);
    else if (word !== 'alive') logUnknown(payload);
  };
  await sql.listen('edge', take, () => {
    for (const subscriber of subscribers) subscriber.missed();
  });
  const timer = setInterval(() => void sql.notify('edge', 'alive').catch(() => {}), signOfLifeMs);
  return {
    subscribe: (subscriber) => {
      subscribers.push(subscriber);
      subscriber.missed();
    },
    end: () => clearInterval(timer),
  };
}
