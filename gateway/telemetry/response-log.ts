import type { Log } from '@talpa/service-kit/log';

/** What a log line says of a response. */
export interface ResponseFacts {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  /** How long it took. */
  readonly ms: number;
}

export type ResponseLog = (facts: ResponseFacts) => void;

const slowMs = 1_000;

/** Logs the responses that were slow. @param sample the share of the others that is logged, too */
export function createResponseLog(log: Log, sample: number): ResponseLog {
  return (facts) => {
    const isSlow = facts.ms > slowMs;
    if (isSlow || Math.random() < sample)
      log.info({ ...facts, ms: Math.round(facts.ms) }, isSlow ? 'slow response' : 'response');
  };
}
