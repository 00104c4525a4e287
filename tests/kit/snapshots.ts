import { randomUUID } from 'node:crypto';
import type { EventOf } from '@talpa/contracts';

let proxies = 0;

/** A proxy's first snapshot as its owner would publish it. */
export function proxySnapshot(userId: number, changes: Partial<EventOf<'proxy'>> = {}): EventOf<'proxy'> {
  proxies += 1;
  const now = new Date().toISOString();
  return {
    ...{ id: randomUUID(), proxyId: proxies, userId, serverName: `Server ${proxies}` },
    ...{ hostname: `server-${proxies}.tunnel.localhost`, status: 'inactive', statusReason: null },
    ...{ suspension: null, tunnelHealth: null, createdAt: now, tunnelId: randomUUID(), changedAt: now },
    ...{ version: 1, deleted: false },
    ...changes,
  };
}

/** The first snapshot of a plan. */
export function planSnapshot(
  id: number,
  changes: Partial<EventOf<'subscription'>> = {},
): EventOf<'subscription'> {
  return {
    ...{ id, tier: 'basic', proxyLimit: 3, expiresAt: null, commandVersion: 0 },
    ...{ version: 1, deleted: false },
    ...changes,
  };
}
