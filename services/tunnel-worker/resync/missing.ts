import type { Provider } from '../provider/client.ts';
import { isTunnelGone } from '../reconcile/tunnel.ts';
import type { Seen } from './compare.ts';
import type { PassContext, PassOptions } from './context.ts';
import { missedBefore, storeMissed } from './sql.ts';

/** Each costs a call; the next pass goes on. */
const confirmedAtOnce = 50;

interface Unlisted {
  readonly serverId: string;
  readonly tunnelId: string;
}

export interface Missing {
  /** Servers whose tunnel is missing. */
  readonly serverIds: readonly string[];
  /** What is believed of it and published. */
  readonly gone: readonly Seen[];
  /** So much at once is rather a mistake of ours: nothing is believed, and nothing removed. */
  readonly isTooMuch: boolean;
}

/**
 * Looks for tunnels that a list has missed. One is believed to be gone when it was missing in the pass before, too: what
 * is said to proxies costs its owner the tunnel's token.
 */
export async function findMissing(
  { sql, provider, brake, problems }: PassContext,
  { dryRun, confirm }: PassOptions,
  unlisted: readonly Unlisted[],
): Promise<Missing> {
  if (unlisted.length > brake && !confirm) {
    if (!dryRun) await storeMissed(sql, [], true);
    await problems.failed(
      'compare tunnels',
      'tunnels_missing',
      `tunnels that are missing: ${unlisted.length}`,
    );
    return { serverIds: unlisted.map(({ serverId }) => serverId), gone: [], isTooMuch: true };
  }
  const missing = await confirmGone(provider, unlisted.slice(0, confirmedAtOnce));
  const before = await missedBefore(sql);
  if (!dryRun) {
    await storeMissed(
      sql,
      missing.map(({ tunnelId }) => tunnelId),
      false,
    );
    await problems.worked('compare tunnels');
  }
  const gone = missing.filter(({ tunnelId }) => confirm || before.has(tunnelId));
  return { serverIds: missing.map(({ serverId }) => serverId), gone, isTooMuch: false };
}

async function confirmGone(provider: Provider, unlisted: readonly Unlisted[]): Promise<Seen[]> {
  const gone: Seen[] = [];
  for (const one of unlisted)
    if (await isTunnelGone(provider, one.tunnelId)) gone.push({ ...one, health: 'missing' });
  return gone;
}
