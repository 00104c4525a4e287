import { cutStalled } from '../visitors/running.ts';
import type { PortConnection } from './connection.ts';
import type { GamePortTable } from './table.ts';

/**
 * A connection whose visitor has not taken everything holds a megabyte at most. One that takes a little again and again is never cut for
 * standing still: so many may wait at the same look.
 */
export const maximumStalled = 512;

/** Ends what waits beyond the maximum, of the proxies with the most first. */
function cutExcess(all: Iterable<PortConnection>): void {
  const stalled = [...all].filter(({ stalledSince }) => stalledSince !== undefined);
  const excess = stalled.length - maximumStalled;
  if (excess <= 0) return;
  const byProxy = [...Map.groupBy(stalled, ({ proxyId }) => proxyId).values()];
  const ordered = byProxy.sort((a, b) => b.length - a.length).flat();
  for (const one of ordered.slice(0, excess)) one.giveUp();
}

/** All connections to game ports that this edge has open: ends those that may not stay, and waits for the rest when it stops. */
export function createOpenConnections(table: Pick<GamePortTable, 'get'>, idleMs: number) {
  const all = new Set<PortConnection>();
  let whenEmpty = () => {};
  const endUnlessAllowed = (one: PortConnection) => {
    if (!one.mayStay(table.get(one.port.publicPort))) one.end();
  };
  return {
    add: (one: PortConnection) => void all.add(one),
    remove: (one: PortConnection) => {
      all.delete(one);
      if (all.size === 0) whenEmpty();
    },
    count: () => all.size,
    /** How many there are of each game port. */
    byPort: (): Map<number, number> => {
      const counts = new Map<number, number>();
      for (const { port } of all) counts.set(port.id, (counts.get(port.id) ?? 0) + 1);
      return counts;
    },
    /** Ends what has been still for too long, and whom a rule lets in no longer. @param now by `performance.now()` */
    sweep(now = performance.now()): void {
      for (const one of all) {
        one.check(now, idleMs);
        if (table.get(one.port.publicPort)?.expires) endUnlessAllowed(one);
      }
      cutStalled(all, now);
      cutExcess(all);
    },
    /** Ends what may not stay at public ports that have changed. */
    recheck(changed: ReadonlySet<number>): void {
      if (changed.size > 0)
        for (const one of all) if (changed.has(one.port.publicPort)) endUnlessAllowed(one);
    },
    /** Resolves when none is left; what is still open after `deadlineMs` is ended. */
    async drain(deadlineMs: number): Promise<void> {
      if (all.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      whenEmpty = resolve;
      const timer = setTimeout(() => {
        for (const one of all) one.end();
      }, deadlineMs);
      await promise;
      clearTimeout(timer);
    },
  };
}
