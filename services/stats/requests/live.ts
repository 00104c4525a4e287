import { liveRequests as bounds, type LoggedRequest, type LoggedRequests } from '@talpa/contracts';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Reader } from '../proxies/readers.ts';
import { readersOf } from './keep.ts';
import { ofProxies } from './of-proxies.ts';

const mostProxies = 1_000;

interface LiveRow {
  proxyId: string;
  isWatched: boolean;
}

/** The requests of logs that are not stored, in memory for those who watch. Every process of stats holds them all. */
export function createLiveRequests() {
  const logs = boundedCache<string, LoggedRequest[]>(mostProxies, { ttl: bounds.minutes * 60_000 });
  return {
    /** @returns whose log has new entries and is watched */
    async add(sql: AnySql, requests: LoggedRequests): Promise<Reader[]> {
      const { entries } = await ofProxies(sql, requests);
      const proxyIds = sql.array([...new Set(entries.map(({ proxyId }) => proxyId))], 2950);
      const rows = await sql<LiveRow[]>`
        select proxy_id, coalesce(watched_until > now(), false) as is_watched
        from request_logs where proxy_id = any(${proxyIds}) and mode = 'live'`;
      const known = new Set(rows.map(({ proxyId }) => proxyId));
      for (const { proxyId, at, ...entry } of entries) {
        if (!known.has(proxyId)) continue;
        const request = { ...entry, at: new Date(at).toISOString() };
        logs.set(proxyId, [request, ...(logs.get(proxyId) ?? [])].slice(0, bounds.entries));
      }
      return readersOf(
        sql,
        rows.filter(({ isWatched }) => isWatched).map(({ proxyId }) => proxyId),
      );
    },
    /** The newest first, of the last minutes. @param since nothing older: the log had another mode then */
    of(proxyId: string, since: Date, now = Date.now()): LoggedRequest[] {
      const oldest = Math.max(since.getTime(), now - bounds.minutes * 60_000);
      const held = logs.get(proxyId)?.filter(({ at }) => Date.parse(at) >= oldest) ?? [];
      return held.toSorted((a, b) => (a.at < b.at ? 1 : -1));
    },
  };
}
export type LiveRequests = ReturnType<typeof createLiveRequests>;
