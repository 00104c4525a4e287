import type { DesiredProxy, DesiredServer } from '@talpa/contracts';
import type { Job } from './claim.ts';

/** What a run is to bring about. */
export interface Goal {
  readonly desired: DesiredServer;
  /** Its end concerns proxies. False when only leftovers are removed. */
  readonly reported: boolean;
  /** It fails for proxies too: the current generation is not reached. */
  readonly required: boolean;
}

/**
 * What is to be done for a server; null for nothing.
 * @param desired what proxies wants; null when it knows no such server.
 */
export function goalOf({ serverId, fullScan }: Job, desired: DesiredServer | null): Goal | null {
  const required = desired !== null && !isSettled(desired);
  if (!fullScan) return required ? { desired, reported: true, required } : null;
  const proxies = withNamesake(serverId, desired?.proxies ?? []);
  if (desired && (required || desired.tunnel.applied))
    return { desired: { ...desired, proxies }, reported: true, required };
  // Nobody knows it, or it was refused: nothing may have its name.
  const tunnel = {
    generation: 1,
    ...desired?.tunnel,
    want: null,
    applied: null,
    connected: true,
    settled: true,
  };
  const nothing = proxies.map((proxy) => ({ ...proxy, want: null, applied: null }));
  return { desired: { serverId, tunnel, proxies: nothing }, reported: false, required: false };
}

/** Nothing is to be done for its tunnel and its proxies. */
const isSettled = ({ tunnel, proxies }: DesiredServer) =>
  tunnel.settled && proxies.every(({ settled }) => settled);

/** A server has the uuid of its first proxy, which may have left records when it went. */
function withNamesake(serverId: string, proxies: readonly DesiredProxy[]): DesiredProxy[] {
  const namesake = { proxyId: serverId, generation: 1, want: null, applied: null, settled: true };
  return proxies.some(({ proxyId }) => proxyId === serverId) ? [...proxies] : [...proxies, namesake];
}

/** Raised by each change of the server or of one of its proxies: what has failed is tried at once after a change. */
export function generationOf({ tunnel, proxies }: DesiredServer): number {
  return proxies.length === 0
    ? tunnel.generation
    : proxies.reduce((sum, { generation }) => sum + generation, 0);
}
