import type { OriginSignal } from '@talpa/contracts';

/** What visitors' requests say of an origin. */
export interface Signals {
  readonly lastResponseAt: Date | null;
  readonly lastUnreachableAt: Date | null;
}
interface Outage {
  /** The first request that did not reach it since its last response; null: it responds. */
  readonly unreachableSince: Date | null;
  /** It is an outage, of which its owner is to be notified. */
  readonly isReported: boolean;
}
export interface Known extends Signals, Outage {}

export function stateOf({ lastResponseAt, lastUnreachableAt }: Signals): OriginSignal['state'] {
  if (lastResponseAt === null && lastUnreachableAt === null) return 'unknown';
  return (lastUnreachableAt?.getTime() ?? 0) > (lastResponseAt?.getTime() ?? 0) ? 'unreachable' : 'ok';
}

/**
 * What is known after a measurement. It is an outage once requests so far apart did not reach the origin, and it responded to none
 * between them: a single failure proves nothing, and without visitors nothing is known.
 */
export function outageAfter(signals: Signals, before: Known | undefined, alertAfterSeconds: number): Outage {
  const { lastResponseAt, lastUnreachableAt } = signals;
  if (stateOf(signals) !== 'unreachable' || !lastUnreachableAt)
    return { unreachableSince: null, isReported: false };
  const known = before?.unreachableSince ?? null;
  const hasResponded = known !== null && lastResponseAt !== null && lastResponseAt > known;
  const unreachableSince = known === null || hasResponded ? lastUnreachableAt : known;
  const seconds = (lastUnreachableAt.getTime() - unreachableSince.getTime()) / 1_000;
  return { unreachableSince, isReported: (before?.isReported ?? false) || seconds >= alertAfterSeconds };
}
