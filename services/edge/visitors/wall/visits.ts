import type { Sql } from '@talpa/service-kit/database/sql';
import type { GateWall } from '../ports.ts';
import { askProxies } from './ask-proxies.ts';
import { createLookups } from './lookups.ts';

/** What the edge knows of a visit. */
export interface KnownVisit {
  readonly methods: readonly string[];
  /** By `Date.now()`. */
  readonly endsAt: number;
}

export interface Visits {
  /** The visit whose secret a cookie holds, of this proxy and this policy alone; null: there is none. */
  find(wall: GateWall, token: string, mayLook: () => boolean): Promise<KnownVisit | null>;
  /** Looks at all of them anew. */
  forget(): void;
}

/** What 32 random bytes look like in a cookie. */
export const isToken = (text: string) => /^[\w-]{43}$/.test(text);

/** Whether a visit has all that the wall asks for. The owner has, by having signed in. */
export function hasPassed({ require, methods }: GateWall, visit: KnownVisit): boolean {
  if (visit.methods.includes('owner')) return true;
  const has = (method: string) => visit.methods.includes(method);
  return require === 'all' ? methods.every(has) : methods.some(has);
}

export function createVisits(sql: Sql): Visits {
  const lookups = createLookups<KnownVisit>();
  const proxies = askProxies(sql);
  return {
    find: (wall, token, mayLook) =>
      lookups.find(`${wall.proxyId} ${wall.version} ${token}`, () => proxies.findVisit(wall, token), mayLook),
    forget: lookups.forget,
  };
}
