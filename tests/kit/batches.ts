import type { Sql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { expect } from 'vitest';
import { type Random, randomFrom } from './requests/random.ts';

export interface Version {
  readonly id: number;
  readonly version: number;
}

/** What a table keeps of each row's newest version. */
export interface Kept<T> {
  /** Those of its columns that depend on the newest version alone. */
  readonly columns: string;
  make(version: Version, random: Random): T;
  /** Takes over a batch, which may hold several versions of a row, in any order. */
  keep(tx: Tx, batch: readonly T[]): Promise<unknown>;
}

/** A table of any versions, so that several stand in one list. */
export const keptIn = <T>(table: string, kept: Kept<T>) => [table, kept as Kept<unknown>] as const;

/** A table keeps what it would if nothing had come but each row's newest version. */
export async function expectNewestKept(
  sql: Sql,
  transaction: (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>,
  [table, { columns, make, keep }]: readonly [table: string, Kept<unknown>],
): Promise<void> {
  const rows = () => sql.unsafe(`select ${columns} from ${table} order by 1`);
  const forget = () => sql.unsafe(`delete from ${table}`);
  for (let seed = 0; seed < 8; seed += 1) {
    const random = randomFrom(seed);
    const versions = [1, 2, 3].map((id) =>
      Array.from({ length: 2 + random.below(4) }, (_, at) => make({ id, version: at + 1 }, random)),
    );
    await forget();
    for (const newest of versions.flatMap((each) => each.slice(-1)))
      await transaction((tx) => keep(tx, [newest]));
    const alone = await rows();
    expect(alone).toHaveLength(versions.length);
    await forget();
    const all = versions.flat().flatMap((one) => (random.chance(0.3) ? [one, one] : [one]));
    const waiting = random.shuffle(all);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 1 + random.below(6));
      await transaction((tx) => keep(tx, batch));
    }
    expect({ seed, rows: [...(await rows())] }).toEqual({ seed, rows: [...alone] });
  }
}
