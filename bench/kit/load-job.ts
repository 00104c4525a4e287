/** What a job asks of the process that makes the load. */
export type Work = { readonly kind: 'read'; readonly path: string } | { readonly kind: 'create and delete' };

export interface Job {
  readonly url: string;
  /** One user each. */
  readonly cookies: readonly string[];
  readonly work: Work;
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second; left out: as many as get a response. */
  readonly rate?: number;
}

export interface Measured {
  /** Requests; of “create and delete” pairs. */
  readonly perSecond: number;
  readonly count: number;
  /** Times in ms; of “create and delete” those of the create. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were no success, and requests without any. */
  readonly failed: number;
}
