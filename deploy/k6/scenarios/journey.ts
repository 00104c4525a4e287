import type { RouteName } from '../../../packages/contracts/src/index.ts';
import type { Client } from '../lib/client.ts';
import type { People } from '../lib/people.ts';

/** What somebody does from beginning to end. */
export interface Journey {
  /** How many begin in a second on an average day on two cores. */
  readonly height: number;
  /** The calls whose times count. */
  readonly calls: readonly RouteName[];
  run(client: Client, people: People): void;
}
