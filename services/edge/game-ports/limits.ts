import { addressKey } from '@talpa/service-kit/address-key';
import { createRate } from '../visitors/rate.ts';

export interface GamePortLimitSettings {
  readonly EDGE_TCP_CONNECTION_LIMIT: number;
  readonly EDGE_TCP_PORT_CONNECTION_LIMIT: number;
  readonly EDGE_TCP_VISITOR_CONNECTION_LIMIT: number;
  readonly EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE: number;
}

/** Which limit leaves no room: of the edge, of the port, of the address, of new connections of the address. */
export type GamePortLimit = 'all' | 'port' | 'visitor' | 'rate';

/** Counts the connections to game ports, each edge for itself. @param now milliseconds of a clock that never goes back */
export function createGamePortLimits(
  settings: GamePortLimitSettings,
  now: () => number = () => performance.now(),
) {
  const rate = createRate(settings.EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE, 60_000, now);
  const ofPort = new Map<number, number>();
  const ofVisitor = new Map<string, number>();
  let all = 0;
  return {
    /** Lets a new connection pass and counts it until `leave`; else says which limit it met. */
    enter(portId: number, address: string): GamePortLimit | null {
      const visitor = addressKey(address);
      // First the visitor: what they are refused takes nothing from others.
      if (rate(visitor) > 0) return 'rate';
      if ((ofVisitor.get(visitor) ?? 0) >= settings.EDGE_TCP_VISITOR_CONNECTION_LIMIT) return 'visitor';
      if ((ofPort.get(portId) ?? 0) >= settings.EDGE_TCP_PORT_CONNECTION_LIMIT) return 'port';
      if (all >= settings.EDGE_TCP_CONNECTION_LIMIT) return 'all';
      add(ofPort, portId, 1);
      add(ofVisitor, visitor, 1);
      all += 1;
      return null;
    },
    /** A connection that was let in has ended. */
    leave(portId: number, address: string): void {
      add(ofPort, portId, -1);
      add(ofVisitor, addressKey(address), -1);
      all -= 1;
    },
  };
}

function add<K>(counts: Map<K, number>, key: K, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
