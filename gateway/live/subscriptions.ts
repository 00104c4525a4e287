import { boundedCache } from '@talpa/service-kit/bounded-cache';

/** The projections that answer when a plan is asked for again: the user's figures, and what they may create. */
type Keeper = 'auth' | 'proxies';

interface Seen {
  auth: number;
  proxies: number;
}

/** Longer than projections ever differ while all is well. */
const patienceMs = 2_000;
const maximumUsers = 10_000;

/**
 * Calls `notify` once both projections have applied a change of a subscription. If one of them is late, or applied it
 * before this gateway subscribed, `notify` is called after `patienceMs`, and again when the late one follows.
 */
export function createSubscriptionWait(notify: (userId: number) => void) {
  const seen = boundedCache<number, Seen>(maximumUsers);
  const waiting = new Map<number, NodeJS.Timeout>();
  const notifyNow = (userId: number) => {
    clearTimeout(waiting.get(userId));
    waiting.delete(userId);
    notify(userId);
  };
  return {
    applied: (by: Keeper, userId: number, version: number) => {
      const versions = seen.get(userId) ?? { auth: 0, proxies: 0 };
      versions[by] = Math.max(versions[by], version);
      seen.set(userId, versions);
      if (Math.min(versions.auth, versions.proxies) >= version) notifyNow(userId);
      else if (!waiting.has(userId))
        waiting.set(
          userId,
          setTimeout(() => notifyNow(userId), patienceMs),
        );
    },
    close: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
