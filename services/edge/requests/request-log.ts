import type { LoggedRequests, RequestLogMode, RequestReason } from '@talpa/contracts';
import { networkKey } from '@talpa/service-kit/address-key';
import { agentFamilyOf } from '@talpa/service-kit/agent-family';
import { edgeMeter } from '../metrics.ts';
import { loggedMethod, loggedPath } from './path.ts';
import { remembering } from './remembering.ts';

/** A visitor's request that has ended, as the edge knows it. */
export interface EndedRequest {
  readonly tunnelId: string;
  readonly mode: Exclude<RequestLogMode, 'off'>;
  readonly requestId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** When it began, by `performance.now()`. */
  readonly begunAt: number;
  /** Null: there was no response. */
  readonly status: number | null;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly reason: RequestReason | null;
  /** The rule of the access policy that has refused it; null: none has. */
  readonly rule: number | null;
}

/** What was recorded since the last time, by how it goes on. */
export interface Recorded {
  readonly stored: LoggedRequests;
  readonly live: LoggedRequests;
}

type Entry = LoggedRequests['entries'][number];

/** Most visitors send many requests: what follows from their address and program is worked out once. */
const networkOf = remembering(networkKey);
const agentOf = remembering(agentFamilyOf);

/** So many entries are held between two flushes, of one tunnel and of all. */
const bounds = { tunnel: 500, all: 4_000 } as const;

/** Holds what visitors asked until it is handed on. What has no room is only counted: it never slows a request. */
export function createRequestLog({
  tunnel,
  all,
}: {
  readonly tunnel: number;
  readonly all: number;
} = bounds) {
  let stored: Entry[] = [];
  let live: Entry[] = [];
  let held = new Map<string, number>();
  let missed = new Map<string, number>();

  const takesOne = (tunnelId: string): boolean => {
    const ofTunnel = held.get(tunnelId) ?? 0;
    if (ofTunnel >= tunnel || stored.length + live.length >= all) return false;
    held.set(tunnelId, ofTunnel + 1);
    return true;
  };
  const miss = (tunnelId: string, count: number) => {
    edgeMeter.unlogged(count);
    missed.set(tunnelId, (missed.get(tunnelId) ?? 0) + count);
  };

  return {
    record(request: EndedRequest): void {
      const { tunnelId, mode } = request;
      if (!takesOne(tunnelId)) {
        // Of a log that is not stored nothing can be missing.
        if (mode === 'metadata') miss(tunnelId, 1);
        return;
      }
      (mode === 'metadata' ? stored : live).push({ tunnelId, ...entryOf(request) });
    },
    /** Takes what was recorded. */
    take(): Recorded {
      const counts = [...missed].map(([tunnelId, count]) => ({ tunnelId, count }));
      const taken = { stored: { entries: stored, missed: counts }, live: { entries: live, missed: [] } };
      stored = [];
      live = [];
      held = new Map();
      missed = new Map();
      return taken;
    },
    /** Gives back what could not be handed on; what has no room any more counts as missed. */
    giveBack({ entries, missed: counts }: LoggedRequests): void {
      for (const entry of entries)
        if (takesOne(entry.tunnelId)) stored.push(entry);
        else miss(entry.tunnelId, 1);
      for (const { tunnelId, count } of counts) missed.set(tunnelId, (missed.get(tunnelId) ?? 0) + count);
    },
  };
}
export type RequestLog = ReturnType<typeof createRequestLog>;

function entryOf(request: EndedRequest): Omit<Entry, 'tunnelId'> {
  const duration = Math.max(0, performance.now() - request.begunAt);
  return {
    requestId: request.requestId,
    at: Math.round(Date.now() - duration),
    method: loggedMethod(request.method),
    path: loggedPath(request.path),
    status: request.status,
    duration: Math.round(duration),
    bytesIn: request.bytesIn,
    bytesOut: request.bytesOut,
    network: networkOf(request.address),
    agent: agentOf(request.userAgent ?? ''),
    reason: request.reason,
    rule: request.rule,
  };
}
