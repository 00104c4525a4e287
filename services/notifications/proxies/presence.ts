import type { EventOf } from '@talpa/contracts';

/** What was last known of a proxy's connector. */
export interface Presence {
  readonly isConnected: boolean;
  readonly tunnelId: string | null;
  /** Since when it is away; null: it is not, or was never there. */
  readonly awaySince: Date | null;
  /** When its owner was notified of that. */
  readonly lostNotifiedAt: Date | null;
  /** Since when it is back from an absence that its owner was notified of; they are not notified of the return yet. */
  readonly backAt: Date | null;
}

/** What is known of a connector after a snapshot. Only one that was there can be lost, and by itself alone. */
export function presenceAfter(proxy: EventOf<'proxy'>, before: Presence | undefined): Presence {
  const { tunnelId, status } = proxy;
  const isConnected = status === 'active';
  const fresh = { isConnected, tunnelId, awaySince: null, lostNotifiedAt: null, backAt: null };
  const isOther = proxy.deleted || Boolean(proxy.suspension) || before?.tunnelId !== tunnelId;
  if (!before || isOther) return fresh;
  const { awaySince, lostNotifiedAt } = before;
  // While its proxy is paused it may come and go: what is away when it is resumed is away since then.
  if (proxy.paused) return { ...fresh, isConnected: isConnected || before.isConnected || awaySince !== null };
  // Clocks differ.
  const since = new Date(Math.min(Date.parse(proxy.changedAt), Date.now()));
  if (isConnected)
    return lostNotifiedAt ? { ...fresh, awaySince, lostNotifiedAt, backAt: before.backAt ?? since } : fresh;
  // Away again before a notification of its return: it is the same absence.
  if (awaySince !== null) return { ...fresh, awaySince, lostNotifiedAt };
  return { ...fresh, awaySince: before.isConnected && status === 'inactive' ? since : null };
}
