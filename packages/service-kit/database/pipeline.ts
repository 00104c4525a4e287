import type { Row, RowList } from 'postgres';

/** A statement of the driver that is not sent yet. */
interface Unsent<T> extends PromiseLike<T> {
  execute(): PromiseLike<T>;
}

/**
 * Sends statements of a transaction without waiting for results in between. Postgres runs them in this order, and each sees
 * what was committed before it began: one that follows a lock sees what the holder before did.
 */
export function inOneGo<const R extends readonly RowList<Row[]>[]>(
  ...statements: { [At in keyof R]: Unsent<R[At]> }
): Promise<R> {
  // Promise.all would send them one turn later, after what others have sent meanwhile.
  const results: Promise<unknown> = Promise.all(
    statements.map((statement: Unsent<unknown>) => statement.execute()),
  );
  return results as Promise<R>;
}
