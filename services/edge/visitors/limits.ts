import { addressKey } from '@talpa/service-kit/address-key';
import { type EdgeLimit, edgeMeter } from '../metrics.ts';
import { createRate } from './rate.ts';

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
  readonly proxyId: string;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  /** As announced; undefined when it is not. */
  readonly length: number | undefined;
  /** It counts as long-lived: see `isLongLived`. */
  readonly longLived?: boolean;
}

/** What a request holds while it runs. */
export type Held = Pick<LimitedRequest, 'proxyId' | 'address' | 'longLived'>;

/** The limits that a request may meet. */
type RequestLimit = Extract<
  EdgeLimit,
  'visitor' | 'requests' | 'mutations' | 'sign_in' | 'concurrent' | 'long_lived' | 'share'
>;

/** Why a request may not pass. */
export type Refusal =
  | { readonly code: 'too_many_requests'; readonly limit: RequestLimit; readonly seconds: number }
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

/** One visitor of one proxy. */
const visitorOf = ({ proxyId, address }: Pick<LimitedRequest, 'proxyId' | 'address'>) =>
  `${proxyId} ${addressKey(address)}`;

/**
 * Counts requests per proxy and per visitor, each edge for itself, in bounded memory.
 * @param now milliseconds of a clock that never goes back.
 */
export function createLimits(settings: LimitSettings, now: () => number = () => performance.now()) {
  const ordinary = createConcurrencyLimit(settings.EDGE_CONCURRENT_LIMIT, 'concurrent');
  const longLived = createConcurrencyLimit(settings.EDGE_LONG_LIVED_LIMIT, 'long_lived');
  const concurrencyOf = (held: Held) => (held.longLived ? longLived : ordinary);
  const perVisitor = createRate(settings.EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE, minute, now);
  const perProxy = createRate(settings.EDGE_REQUEST_LIMIT_PER_MINUTE, minute, now);
  const changes = createRate(settings.EDGE_MUTATION_LIMIT_PER_MINUTE, minute, now);
  const signIns = createRate(settings.EDGE_SIGN_IN_LIMIT_PER_15_MINUTES, signInWindow, now);

  const pages = createRate(pagesPerMinute, minute, now);

  /** A wait is a refusal of that limit. */
  const refusalOf = (limit: RequestLimit, wait: number): Refusal | null => {
    if (wait <= 0) return null;
    edgeMeter.limited(limit);
    return { code: 'too_many_requests', limit, seconds: Math.ceil(wait / 1_000) };
  };
  const rateRefusal = (request: LimitedRequest): Refusal | null => {
    const { proxyId, method, path } = request;
    const who = visitorOf(request);
    // First the visitor: what they are refused uses up nothing of the proxy's.
    const refusal = refusalOf('visitor', perVisitor(who)) ?? refusalOf('requests', perProxy(proxyId));
    if (refusal || !changing.has(method)) return refusal;
    const signsIn = signInPath.test(decoded(path));
    // PHP reads `/login.php/socket.io/` as `/login.php`: what may be a sign-in counts as one, whatever follows.
    if (!signsIn && isSocketIoPolling(path)) return null;
    return refusalOf('mutations', changes(who)) ?? (signsIn ? refusalOf('sign_in', signIns(who)) : null);
  };

  return {
    /** Whether an address may get another page of the edge, or have another unknown host looked up; counts it. */
    mayGetPage: (address: string): boolean => {
      const may = pages(addressKey(address)) <= 0;
      if (!may) edgeMeter.limited('pages');
      return may;
    },
    /** Lets a request pass and counts it as running until `leave`; else says why not. */
    enter(request: LimitedRequest): Refusal | null {
      const { length } = request;
      const maximum = settings.EDGE_BODY_LIMIT_BYTES;
      if (length !== undefined && length > maximum) {
        edgeMeter.limited('body');
        return { code: 'body_too_large', maximum };
      }
      const concurrency = concurrencyOf(request);
      const full = concurrency.fullFor(request);
      const refusal = full ? refusalOf(full, 1) : rateRefusal(request);
      if (!refusal) concurrency.acquire(request);
      return refusal;
    },
    /**
     * Counts a request that was let in as ordinary as a long-lived one, if there is room for it.
     * @returns whether it did; then `leave` needs `longLived`
     */
    becomeLongLived(held: Held): boolean {
      if (longLived.fullFor(held)) return false;
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

/** How many requests to a proxy run at once. One visitor holds at most as many as they leave free, so that the next finds room. */
function createConcurrencyLimit(limit: number, name: 'concurrent' | 'long_lived') {
  const taken = new Map<string, number>();
  const of = (key: string) => taken.get(key) ?? 0;
  return {
    /** The limit that leaves no room for one more; null: there is room. */
    fullFor(held: Held): RequestLimit | null {
      const free = limit - of(held.proxyId);
      if (free > of(visitorOf(held))) return null;
      return free <= 0 ? name : 'share';
    },
    acquire(held: Held): void {
      for (const key of [held.proxyId, visitorOf(held)]) taken.set(key, of(key) + 1);
    },
    release(held: Held): void {
      for (const key of [held.proxyId, visitorOf(held)]) {
        if (of(key) > 1) taken.set(key, of(key) - 1);
        else taken.delete(key);
      }
    },
  };
}
