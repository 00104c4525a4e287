import type { Patience } from '../supervision/hang.ts';

export interface StoreOptions {
  /** Tests: Postgres does not wait for the disk (a killed process still loses nothing). */
  readonly fast?: boolean;
  /** How long a store may hang. */
  readonly patience?: Patience | null | undefined;
  /** Gives up their first start. */
  readonly signal?: AbortSignal | undefined;
}
