import postgres from 'postgres';
import type { Sql } from './sql.ts';

/**
 * Opens one connection beside a pool, with parameters of its own, that lasts until it is ended. When it breaks,
 * the next statement opens it again.
 * @param onClose called when it has broken or was ended.
 */
export function openSession(
  pool: Sql,
  parameters: Readonly<Record<string, string | number>>,
  onClose: () => void,
): Sql {
  return postgres({
    ...(pool.options as unknown as postgres.Options<{ bigint: postgres.PostgresType<number> }>),
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connection: { ...pool.options.connection, ...parameters },
    onclose: onClose,
  } as postgres.Options<{ bigint: postgres.PostgresType<number> }>);
}
