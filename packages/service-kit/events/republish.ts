import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName, EventOf, Measured } from '@talpa/contracts';
import type { AnySql } from '../database/sql.ts';
import { type TransactionTools, withTransaction } from '../database/transaction.ts';

export interface Page {
  /** Rows after this one, in their order; 0 from the start. */
  readonly after: number;
  readonly limit: number;
  /** Hold the rows, so that no newer snapshot of them is published before ours. */
  readonly lock: boolean;
}

/** Rows of a service that others keep projections of. */
export interface Owned<N extends EventName = EventName> {
  readonly name: N;
  /** A page of them; `measured` is what the statistics receive about each with its snapshot, where they are. */
  read(sql: AnySql, page: Page): Promise<{ place: number; snapshot: EventOf<N>; measured?: Measured }[]>;
}

export const pageSize = 500;
/** So much may wait in the outbox before more is written into it. */
const outboxLimit = 1_000;
const pauseMs = 100;

/**
 * Publishes the present state of all rows again, through the outbox, page by page. A projection that has it already
 * does nothing. Waits as long as the bus does not take it.
 * @returns how many rows there were
 * @throws AbortError when stopped before the last row
 */
export async function republish(
  tools: TransactionTools,
  owned: readonly Owned[],
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const { name, read } of owned) {
    for (let after: number | null = 0; after !== null; ) {
      while (await isFull(tools.sql)) await sleep(pauseMs, undefined, signal && { signal });
      signal?.throwIfAborted();
      const from: number = after;
      const rows = await withTransaction(tools, async (tx) => {
        const page = await read(tx.sql, { after: from, limit: pageSize, lock: true });
        for (const { snapshot, measured } of page) {
          await tx.emit(name, snapshot);
          if (measured) await tx.measure(measured);
        }
        return page;
      });
      count += rows.length;
      after = rows.length < pageSize ? null : (rows.at(-1)?.place ?? null);
    }
  }
  return count;
}

/**
 * Publishes the present state of one row again.
 * @param place where it stands in the order of its kind
 * @returns whether there is, or was, such a row
 */
export function publishRowAgain(
  tools: TransactionTools,
  owned: readonly Owned[],
  place: number,
): Promise<boolean> {
  return withTransaction(tools, async (tx) => {
    if (!Number.isSafeInteger(place)) return false;
    for (const { name, read } of owned) {
      const [row] = await read(tx.sql, { after: place - 1, limit: 1, lock: true });
      if (row?.place !== place) continue;
      await tx.emit(name, row.snapshot);
      return true;
    }
    return false;
  });
}

async function isFull(sql: AnySql): Promise<boolean> {
  const rows = await sql`select 1 from outbox limit ${outboxLimit}`;
  return rows.length === outboxLimit;
}
