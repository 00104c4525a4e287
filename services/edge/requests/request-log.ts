import type { LoggedRequests, RequestLogMode, RequestReason } from '@talpa/contracts';
import { networkKey } from '@talpa/service-kit/address-key';
import { agentFamilyOf } from '@talpa/service-kit/agent-family';
import { edgeMeter } from '../metrics.ts';
import { loggedMethod, loggedPath } from './path.ts';
import { remembering } from './remembering.ts';

/** A visitor's request that has ended, as the edge knows it. */
export interface EndedRequest {
  readonly proxyId: string;
  /** Statistics of the version before go by it. */
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

type Whose = Pick<EndedRequest, 'proxyId' | 'tunnelId'>;
type Entry = LoggedRequests['entries'][number] & Whose;
type Missed = LoggedRequests['missed'][number] & Whose;

/** Requests of this edge, on their way to the statistics. */
export interface EdgeRequests {
  readonly entries: Entry[];
  readonly missed: Missed[];
}

/** What was recorded since the last time, by how it goes on. */
export interface Recorded {
  readonly stored: EdgeRequests;
  readonly live: EdgeRequests;
}

/** Most visitors send many requests: what follows from their address and program is worked out once. */
const networkOf = remembering(networkKey);
const agentOf = remembering(agentFamilyOf);

/** So many entries are held between two flushes, of one proxy and of all. */
const bounds = { proxy: 500, all: 4_000 } as const;

/** Holds what visitors asked until it is handed on. What has no room is only counted: it never slows a request. */
export function createRequestLog({ proxy, all }: { readonly proxy: number; readonly all: number } = bounds) {
  let stored: Entry[] = [];
  let live: Entry[] = [];
  let held = new Map<string, number>();
  let missed = new Map<string, Missed>();

  const takesOne = (whose: string): boolean => {
    const ofProxy = held.get(whose) ?? 0;
    if (ofProxy >= proxy || stored.length + live.length >= all) return false;
    held.set(whose, ofProxy + 1);
    return true;
  };
  const addMissed = ({ proxyId, tunnelId, count }: Missed) =>
    missed.set(proxyId, { proxyId, tunnelId, count: (missed.get(proxyId)?.count ?? 0) + count });
  const miss = ({ proxyId, tunnelId }: Whose) => {
    edgeMeter.unlogged(1);
    addMissed({ proxyId, tunnelId, count: 1 });
  };

  return {
    record(request: EndedRequest): void {
      const { mode } = request;
      if (takesOne(request.proxyId)) (mode === 'metadata' ? stored : live).push(entryOf(request));
      // Of a log that is not stored nothing can be missing.
      else if (mode === 'metadata') miss(request);
    },
    /** Takes what was recorded. */
    take(): Recorded {
      const taken = {
        stored: { entries: stored, missed: [...missed.values()] },
        live: { entries: live, missed: [] },
      };
      stored = [];
      live = [];
      held = new Map();
      missed = new Map();
      return taken;
    },
    /** Gives back what could not be handed on; what has no room any more counts as missed. */
    giveBack({ entries, missed: counts }: EdgeRequests): void {
      for (const entry of entries)
        if (takesOne(entry.proxyId)) stored.push(entry);
        else miss(entry);
      for (const one of counts) addMissed(one);
    },
  };
}
export type RequestLog = ReturnType<typeof createRequestLog>;

function entryOf(request: EndedRequest): Entry {
  const duration = Math.max(0, performance.now() - request.begunAt);
  return {
    proxyId: request.proxyId,
    tunnelId: request.tunnelId,
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
