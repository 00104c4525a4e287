import type { OriginProblem } from '@talpa/contracts';
import { boundedCache } from '@talpa/service-kit/bounded-cache';

/** What went to a proxy's visitors and back since the last flush, and what its origin last responded. Times in ms. */
export interface ProxyTraffic {
  requests: number;
  /** Bytes of bodies: from visitors, and to them. */
  bytesIn: number;
  bytesOut: number;
  /** Responses by class: [0] is 1xx … [4] is 5xx. */
  readonly responses: [number, number, number, number, number];
  /** Requests the origin could not be reached for. */
  unreachable: number;
  lastResponseAt: number;
  lastStatus: number;
  lastUnreachableAt: number;
  /** What was found out last of why it does not respond as it should. */
  problem: OriginProblem | null;
  problemAt: number;
}

/** Counts in memory what each proxy carries; a flush takes it away. */
export interface Traffic {
  /** A proxy's counters, to be looked up anew for each request: a flush replaces them. */
  of(proxyId: string): ProxyTraffic;
  /** Takes what was counted since the last time. */
  take(): Map<string, ProxyTraffic>;
  /** Tracks whether the origin responded, after it was counted. */
  trackOrigin(proxyId: string, state: 'ok' | 'unreachable'): void;
  /** Tracks what was found out of why the origin does not respond as it should. */
  trackProblem(proxyId: string, problem: OriginProblem): void;
  /** Called when the state of an origin, or what is wrong with it, has changed. */
  onTurn: () => void;
  /** Gives back what could not be stored. */
  giveBack(taken: ReadonlyMap<string, ProxyTraffic>): void;
}

const maximumOrigins = 50_000;

export function createTraffic(): Traffic {
  const origins = boundedCache<string, 'ok' | 'unreachable'>(maximumOrigins);
  const problems = boundedCache<string, OriginProblem>(maximumOrigins);
  let counted = new Map<string, ProxyTraffic>();
  const of = (proxyId: string): ProxyTraffic => {
    const known = counted.get(proxyId);
    if (known) return known;
    const fresh = nothingYet();
    counted.set(proxyId, fresh);
    return fresh;
  };
  const self: Traffic = {
    of,
    trackOrigin: (proxyId, state) => {
      if (origins.get(proxyId) === state) return;
      origins.set(proxyId, state);
      self.onTurn();
    },
    trackProblem: (proxyId, problem) => {
      Object.assign(of(proxyId), { problem, problemAt: Date.now() });
      // Each visitor may meet it again: only news is stored at once.
      if (problems.get(proxyId) === problem) return;
      problems.set(proxyId, problem);
      self.onTurn();
    },
    onTurn: () => {},
    take: () => {
      const taken = counted;
      counted = new Map();
      return taken;
    },
    giveBack: (taken) => {
      for (const [proxyId, traffic] of taken) addTo(of(proxyId), traffic);
    },
  };
  return self;
}

function nothingYet(): ProxyTraffic {
  return {
    requests: 0,
    bytesIn: 0,
    bytesOut: 0,
    responses: [0, 0, 0, 0, 0],
    unreachable: 0,
    lastResponseAt: 0,
    lastStatus: 0,
    lastUnreachableAt: 0,
    problem: null,
    problemAt: 0,
  };
}

function addTo(sum: ProxyTraffic, part: ProxyTraffic): void {
  sum.requests += part.requests;
  sum.bytesIn += part.bytesIn;
  sum.bytesOut += part.bytesOut;
  sum.unreachable += part.unreachable;
  for (const index of [0, 1, 2, 3, 4] as const) sum.responses[index] += part.responses[index];
  if (part.lastResponseAt > sum.lastResponseAt) {
    sum.lastResponseAt = part.lastResponseAt;
    sum.lastStatus = part.lastStatus;
  }
  if (part.problemAt > sum.problemAt) {
    sum.problemAt = part.problemAt;
    sum.problem = part.problem;
  }
  sum.lastUnreachableAt = Math.max(sum.lastUnreachableAt, part.lastUnreachableAt);
}
