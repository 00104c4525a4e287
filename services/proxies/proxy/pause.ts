import type { ProxyConfig } from '@talpa/contracts';

/** That a proxy is paused, as its row keeps it: both are null when it is not. */
export interface Pause {
  readonly pausedAt: Date | null;
  readonly pauseMessage: string | null;
}

/** As the API shows it. */
export function pauseOf({ pausedAt, pauseMessage }: Pause): ProxyConfig['paused'] {
  return pausedAt && { message: pauseMessage ?? '', since: pausedAt.toISOString() };
}
