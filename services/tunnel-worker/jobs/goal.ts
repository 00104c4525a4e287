import type { DesiredTunnel } from '@talpa/contracts';
import type { Job } from './claim.ts';

/** What a run is to bring about. */
export interface Goal {
  readonly desired: DesiredTunnel;
  /** Its end concerns proxies. False when only leftovers are removed. */
  readonly reported: boolean;
  /** It fails for proxies too: the current generation is not reached. */
  readonly required: boolean;
}

/**
 * What is to be done for a proxy; null for nothing.
 * @param desired what proxies wants; null when it knows no such proxy.
 */
export function goalOf({ proxyId, fullScan }: Job, desired: DesiredTunnel | null): Goal | null {
  if (desired && !desired.settled) return { desired, reported: true, required: true };
  if (!fullScan) return null;
  if (desired?.applied) return { desired, reported: true, required: false };
  // Nobody knows it, or it was refused: nothing may have its name.
  const generation = desired?.generation ?? 1;
  const nothing = { proxyId, generation, want: null, applied: null, connected: true, settled: true };
  return { desired: nothing, reported: false, required: false };
}
