import { LRUCache } from 'lru-cache';
import { type EdgeLimit, edgeMeter } from '../metrics.ts';
import { visitorKey } from './visitor.ts';

export interface LimitSettings {
  readonly EDGE_CONCURRENT_LIMIT: number;
  readonly EDGE_REQUEST_LIMIT: number;
  readonly EDGE_MUTATION_LIMIT: number;
  readonly EDGE_SIGN_IN_LIMIT: number;
  readonly EDGE_BODY_LIMIT: number;
}

export interface AskedRequest {
  readonly tunnelId: string;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  /** As announced; undefined when it is not. */
  readonly length: number | undefined;
}

/** Why a request may not pass. */
export type Refusal =
  | { readonly code: 'too_many_requests'; readonly seconds: number }
  | { readonly code: 'body_too_large'; readonly maximum: number };

const minute = 60_000;
const signInWindow = 15 * minute;
const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** socket.io sends through POST what it would send through a WebSocket: an open console, not a form. */
const socketIoPath = /^\/(?:[^?#]*\/)?socket\.io\/?\?/;
const signInPath = /[/=](log[-_]?in|sign[-_]?in|authenticate|password)(\.[a-z0-9]+)?([/?;#&]|$)/i;
/** As a panel reads it: `/%6cogin` is `/login`. */
const decoded = (path: string) =>
  path.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Whether a request carries an open socket.io connection. */
export function isSocketIoPolling(path: string): boolean {
  if (!socketIoPath.test(path)) return false;
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  return query.get('transport') === 'polling' && (query.get('sid') ?? '') !== '';
}

/** One visitor of one tunnel. */
const visitorOf = ({ tunnelId, address }: Pick<AskedRequest, 'tunnelId' | 'address'>) =>
  `${tunnelId} ${visitorKey(address)}`;

/**
 * Counts requests per tunnel and per visitor, each edge for itself, in bounded memory.
 * @param now milliseconds of a clock that never goes back.
 */
export function createLimits(settings: LimitSettings, now: () => number = () => performance.now()) {
  const running = new Map<string, number>();
  const perTunnel = createRate(settings.EDGE_REQUEST_LIMIT, minute, now);
  const changes = createRate(settings.EDGE_MUTATION_LIMIT, minute, now);
  const signIns = createRate(settings.EDGE_SIGN_IN_LIMIT, signInWindow, now);

  /** A wait is a refusal of that limit. */
  const counted = (limit: EdgeLimit, wait: number): number => {
    if (wait > 0) edgeMeter.limited(limit);
    return wait;
  };
  const waitFor = (request: AskedRequest): number => {
    const { tunnelId, method, path } = request;
    const wait = counted('requests', perTunnel(tunnelId));
    if (wait > 0 || !changing.has(method) || isSocketIoPolling(path)) return wait;
    const who = visitorOf(request);
    return (
      counted('mutations', changes(who)) ||
      (signInPath.test(decoded(path)) ? counted('sign_in', signIns(who)) : 0)
    );
  };

  return {
    /** Lets a request pass and counts it as running until `leave`; else says why not. */
    enter(request: AskedRequest): Refusal | null {
      const { tunnelId, length } = request;
      const maximum = settings.EDGE_BODY_LIMIT;
      if (length !== undefined && length > maximum) {
        edgeMeter.limited('body');
        return { code: 'body_too_large', maximum };
      }
      const who = visitorOf(request);
      const count = running.get(tunnelId) ?? 0;
      const own = running.get(who) ?? 0;
      const free = settings.EDGE_CONCURRENT_LIMIT - count;
      // Nobody holds more than what they leave free, so that whoever comes next finds a place.
      if (free <= own) {
        edgeMeter.limited(free <= 0 ? 'concurrent' : 'share');
        return { code: 'too_many_requests', seconds: 1 };
      }
      const wait = waitFor(request);
      if (wait > 0) return { code: 'too_many_requests', seconds: Math.ceil(wait / 1_000) };
      running.set(tunnelId, count + 1);
      running.set(who, own + 1);
      return null;
    },
    /** A request that was let in has ended. */
    leave(request: Pick<AskedRequest, 'tunnelId' | 'address'>): void {
      for (const key of [request.tunnelId, visitorOf(request)]) {
        const count = (running.get(key) ?? 1) - 1;
        if (count > 0) running.set(key, count);
        else running.delete(key);
      }
    },
    /** How many requests of a tunnel are running. */
    running: (tunnelId: string) => running.get(tunnelId) ?? 0,
  };
}
export type Limits = ReturnType<typeof createLimits>;

/**
 * A rate that lets `limit` requests pass at once and then one each `windowMs / limit` (GCRA).
 * The function it gives counts a request of a key, or says how many ms it has to wait.
 */
function createRate(limit: number, windowMs: number, now: () => number) {
  const interval = windowMs / limit;
  // When everything counted so far would be used up; what lies in the past is as good as forgotten.
  const spent = new LRUCache<string, number>({ max: 100_000 });
  return (key: string): number => {
    const time = now();
    const start = Math.max(spent.get(key) ?? 0, time);
    const wait = start + interval - windowMs - time;
    if (wait > 0.001) return wait;
    spent.set(key, start + interval);
    return 0;
  };
}
