import type { UptimeBar } from '@talpa/contracts';

/** What a bar shows, from all of its time to none of it. Nothing is known of `before` and `unknown`. */
type Tone = 'up' | 'partly' | 'down' | 'unknown' | 'before';

/** A moment within a bar's day: the day begins at midnight where the server is, which may be the day before here. */
export const noonOf = ({ from }: UptimeBar): string =>
  new Date(Date.parse(from) + 12 * 3_600_000).toISOString();

/** The part of what is known of a bar that the connector was connected; null: nothing is known. */
export function shareOf({ up, down }: UptimeBar): number | null {
  return up + down > 0 ? up / (up + down) : null;
}

export function toneOf(bar: UptimeBar, firstConnectedAt: string): Tone {
  const share = shareOf(bar);
  if (share === null) return bar.to <= firstConnectedAt ? 'before' : 'unknown';
  if (share === 1) return 'up';
  return share === 0 ? 'down' : 'partly';
}
