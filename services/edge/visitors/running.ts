import { addressKey } from '@talpa/service-kit/address-key';
import { edgeMeter } from '../metrics.ts';
import type { Gate, TunnelPorts } from './ports.ts';

/** Something that runs for a visitor now. */
export interface Running {
  /** When the last byte moved, by `performance.now()`. */
  lastActivity: number;
  /** Whether the panel has begun to respond. */
  readonly hasResponded: boolean;
  /** Since when the visitor takes nothing of what waits for them; undefined when nothing waits. */
  readonly stalledSince: number | undefined;
  readonly begunAt: number;
  readonly address: string;
  readonly proxyId: string;
  readonly tunnelId: string;
  /** It has run for so long that it is no ordinary request. */
  ranLong(): void;
  /** Ends it: with a page if no response has begun, else by breaking off. */
  giveUp(): void;
  readonly hostname: string;
  /** The policy that let its visitor in; undefined: none had to. */
  readonly gate: Gate | undefined;
  /** Whether a policy lets its visitor in now. */
  isAllowedBy(gate: Gate | undefined): Promise<boolean>;
  /** Whether the rule or the visit that let its visitor in has ended. @param now by `Date.now()` */
  mustLeave(now: number): boolean;
  /** Ends it in the same way, because its visitor may not be here any more. */
  deny(): void;
  /** Ends it in the same way, because its proxy is suspended. */
  suspend(): void;
  /** Ends it in the same way, because its proxy is paused. */
  pause(message: string): void;
}

/** What may wait for a visitor to take more. */
type Stallable = Pick<Running, 'stalledSince' | 'proxyId' | 'address' | 'giveUp'>;

export interface TimeSettings {
  readonly EDGE_RESPONSE_TIMEOUT_MS: number;
  readonly EDGE_IDLE_TIMEOUT_MS: number;
}

/** A request that runs for longer is long-lived: a long poll, a large file. */
const longMs = 10_000;
/** A visitor who takes nothing of their response for so long is cut. */
const stalledMs = 60_000;
/** Of responses that nobody has taken anything of for so long there may be only a few. */
const slowMs = 10_000;
const maximumPerVisitor = 16;
const maximumPerProxy = 64;

/** How long the last pages may take to reach their visitors. */
const goodbyeMs = 500;

/** Everything that runs now: ends what lies still too long, and waits for the rest when the edge stops. */
export function createRunning(settings: TimeSettings) {
  const all = new Set<Running>();
  let whenEmpty = () => {};
  const empty = async (deadlineMs: number) => {
    if (all.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    whenEmpty = resolve;
    const timer = setTimeout(resolve, deadlineMs);
    await promise;
    clearTimeout(timer);
  };

  return {
    add: (one: Running) => void all.add(one),
    remove: (one: Running) => {
      all.delete(one);
      if (all.size === 0) whenEmpty();
    },
    count: () => all.size,
    /** Gives up what has been still for too long. One look at all of them is cheaper than a timer each. */
    sweep(now = performance.now()): void {
      for (const one of all) {
        const allowed = one.hasResponded ? settings.EDGE_IDLE_TIMEOUT_MS : settings.EDGE_RESPONSE_TIMEOUT_MS;
        if (now - one.lastActivity > allowed) one.giveUp();
        else if (now - one.begunAt > longMs) one.ranLong();
        if (one.gate && one.mustLeave(Date.now())) one.deny();
      }
      cutStalled(all, now);
    },
    /**
     * Ends what runs for visitors whom the policy of a name does not let in any more, or whose proxy is suspended or paused.
     * @param isAffected what may have to end
     * @throws when one could not be judged; the others were
     */
    async recheck(
      { findRoute, isThere }: Pick<TunnelPorts, 'findRoute' | 'isThere'>,
      isAffected: (one: Running) => boolean,
    ): Promise<void> {
      const affected = [...all].filter(isAffected);
      const routes = new Map<string, ReturnType<typeof findRoute>>();
      const judge = async (one: Running) => {
        const found = routes.get(one.hostname) ?? findRoute(one.hostname);
        routes.set(one.hostname, found);
        const route = await found;
        // A name that leads elsewhere: who came in by it stays at an open proxy that is still there.
        const isSame = route?.proxyId === one.proxyId;
        const mayStay = isSame
          ? await one.isAllowedBy(route.gate)
          : one.gate === undefined && (await isThere(one.proxyId));
        if (!all.has(one)) return;
        if (isSame && route.suspended) one.suspend();
        else if (!mayStay) one.deny();
        else if (isSame && route.paused) one.pause(route.paused.message);
      };
      let failure: { readonly error: unknown } | undefined;
      for (const one of affected)
        await judge(one).catch((error: unknown) => {
          failure = { error };
        });
      if (failure) throw failure.error;
    },
    /** Resolves when nothing runs any more; what still runs after `deadlineMs` is given up. */
    async drain(deadlineMs: number): Promise<void> {
      await empty(deadlineMs);
      for (const one of all) one.giveUp();
      await empty(goodbyeMs);
    },
  };
}
export type RunningSet = ReturnType<typeof createRunning>;

/** Each response that is not taken holds a megabyte or so: cuts what has waited too long, or is too many. */
export function cutStalled(all: Iterable<Stallable>, now: number): void {
  const since = (one: Stallable) => one.stalledSince ?? now;
  const slow = [...all].filter((one) => now - since(one) > slowMs);
  const counts = new Map<string, number>();
  const isBeyond = (key: string, maximum: number) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > maximum;
  };
  // Who has begun to wait last may stay.
  for (const one of slow.sort((a, b) => since(b) - since(a))) {
    const ofVisitor = isBeyond(`${one.proxyId} ${addressKey(one.address)}`, maximumPerVisitor);
    const isTooMany = ofVisitor || isBeyond(one.proxyId, maximumPerProxy);
    if (!isTooMany && now - since(one) <= stalledMs) continue;
    edgeMeter.limited('stalled');
    one.giveUp();
  }
}
