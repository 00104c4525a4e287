import { addressKey } from '@talpa/service-kit/address-key';
import { LRUCache } from 'lru-cache';
import { type EdgeLimit, edgeMeter } from '../metrics.ts';

export interface LimitSettings {
  readonly EDGE_CONCURRENT_LIMIT: number;
  readonly EDGE_LONG_LIVED_LIMIT: number;
  readonly EDGE_REQUEST_LIMIT_PER_MINUTE: number;
  readonly EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: number;
  readonly EDGE_MUTATION_LIMIT_PER_MINUTE: number;
  readonly EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: number;
  readonly EDGE_BODY_LIMIT_BYTES: number;
}

export interface LimitedRequest {
  readonly tunnelId: string;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  /** As announced; undefined when it is not. */
  readonly length: number | undefined;
  /** It counts as long-lived: see `isLongLived`. */
  readonly longLived?: boolean;
}

/** What a request holds while it runs. */
export type Held = Pick<LimitedRequest, 'tunnelId' | 'address' | 'longLived'>;

/** Why a request may not pass. */
export type Refusal =
  | { readonly code: 'too_many_requests'; readonly seconds: number }
  | { readonly code: 'body_too_large'; readonly maximum: number };

const minute = 60_000;
/** Responses of the edge itself to one address, whatever host they are for. */
const pagesPerMinute = 600;
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

/** Whether a request is made to stay open: a WebSocket, a stream of events, the waiting half of a socket.io console. */
export function isLongLived(
  method: string,
  path: string,
  accept: string | undefined,
  upgrades: boolean,
): boolean {
  if (upgrades) return true;
  return method === 'GET' && (/text\/event-stream/i.test(accept ?? '') || isSocketIoPolling(path));
}

/** One visitor of one tunnel. */
const visitorOf = ({ tunnelId, address }: Pick<LimitedRequest, 'tunnelId' | 'address'>) =>
  `${tunnelId} ${addressKey(address)}`;

/**
 * Counts requests per tunnel and per visitor, each edge for itself, in bounded memory.
 * @param now milliseconds of a clock that never goes back.
 */
export function createLimits(settings: LimitSettings, now: () => number = () => performance.now()) {
  const ordinary = createConcurrencyLimit(settings.EDGE_CONCURRENT_LIMIT, 'concurrent');
  const longLived = createConcurrencyLimit(settings.EDGE_LONG_LIVED_LIMIT, 'long_lived');
  const concurrencyOf = (held: Held) => (held.longLived ? longLived : ordinary);
  const perVisitor = createRate(settings.EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE, minute, now);
  const perTunnel = createRate(settings.EDGE_REQUEST_LIMIT_PER_MINUTE, minute, now);
  const changes = createRate(settings.EDGE_MUTATION_LIMIT_PER_MINUTE, minute, now);
  const signIns = createRate(settings.EDGE_SIGN_IN_LIMIT_PER_15_MINUTES, signInWindow, now);

  const pages = createRate(pagesPerMinute, minute, now);

  /** A wait is a refusal of that limit. */
  const counted = (limit: EdgeLimit, wait: number): number => {
    if (wait > 0) edgeMeter.limited(limit);
    return wait;
  };
  const waitFor = (request: LimitedRequest): number => {
    const { tunnelId, method, path } = request;
    const who = visitorOf(request);
    // First the visitor: what they are refused uses up nothing of the tunnel's.
    const wait = counted('visitor', perVisitor(who)) || counted('requests', perTunnel(tunnelId));
    if (wait > 0 || !changing.has(method)) return wait;
    const signsIn = signInPath.test(decoded(path));
    // PHP reads `/login.php/socket.io/` as `/login.php`: what may be a sign-in counts as one, whatever follows.
    if (!signsIn && isSocketIoPolling(path)) return 0;
    return counted('mutations', changes(who)) || (signsIn ? counted('sign_in', signIns(who)) : 0);
  };

  return {
    /** Whether an address may get another page of the edge, or have another unknown host looked up; counts it. */
    mayGetPage: (address: string): boolean => counted('pages', pages(addressKey(address))) === 0,
    /** Lets a request pass and counts it as running until `leave`; else says why not. */
    enter(request: LimitedRequest): Refusal | null {
      const { length } = request;
      const maximum = settings.EDGE_BODY_LIMIT_BYTES;
      if (length !== undefined && length > maximum) {
        edgeMeter.limited('body');
        return { code: 'body_too_large', maximum };
      }
      const concurrency = concurrencyOf(request);
      if (!concurrency.hasRoom(request)) return { code: 'too_many_requests', seconds: 1 };
      const wait = waitFor(request);
      if (wait > 0) return { code: 'too_many_requests', seconds: Math.ceil(wait / 1_000) };
      concurrency.acquire(request);
      return null;
    },
    /**
     * Counts a request that was let in as ordinary as a long-lived one, if there is room for it.
     * @returns whether it did; then `leave` needs `longLived`
     */
    becomeLongLived(held: Held): boolean {
      if (!longLived.hasRoom(held, false)) return false;
      longLived.acquire(held);
      ordinary.release(held);
      return true;
    },
    /** A request that was let in has ended. */
    leave(held: Held): void {
      concurrencyOf(held).release(held);
    },
  };
}
export type Limits = ReturnType<typeof createLimits>;

/** How many requests of a tunnel run at once. One visitor holds at most as many as they leave free, so that the next finds room. */
function createConcurrencyLimit(limit: number, name: EdgeLimit) {
  const taken = new Map<string, number>();
  const of = (key: string) => taken.get(key) ?? 0;
  return {
    hasRoom(held: Held, countsRefusal = true): boolean {
      const free = limit - of(held.tunnelId);
      if (free > of(visitorOf(held))) return true;
      if (countsRefusal) edgeMeter.limited(free <= 0 ? name : 'share');
      return false;
    },
    acquire(held: Held): void {
      for (const key of [held.tunnelId, visitorOf(held)]) taken.set(key, of(key) + 1);
    },
    release(held: Held): void {
      for (const key of [held.tunnelId, visitorOf(held)]) {
        if (of(key) > 1) taken.set(key, of(key) - 1);
        else taken.delete(key);
      }
    },
  };
}

/**
 * A rate that lets `limit` requests pass at once and then one each `windowMs / limit` (GCRA).
 * The function it gives counts a request of a key, or says how many ms it has to wait.
 */
function createRate(limit: number, windowMs: number, now: () => number) {
  const interval = windowMs / limit;
  // When everything counted so far would be used up; what is in the past no longer counts.
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
