/** What of a postgres.js query concerns us: it runs when it is first awaited. */
export interface Query extends Promise<unknown> {
  executed: boolean;
  /** With `$1` for parameters; known once it was sent. */
  readonly string?: string;
  readonly strings: readonly string[];
  /** Called when it is awaited; calls `handler` once. */
  handle(): unknown;
  /** Gives it to a connection. */
  handler: (query: Query) => void;
  reject(error: unknown): void;
}

/** Whether a call of postgres.js has made a statement, not a part of one. */
export function isQuery(made: unknown): made is Query {
  return made instanceof Promise && 'handle' in made && 'strings' in made;
}
