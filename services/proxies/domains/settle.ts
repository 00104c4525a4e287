import type { ProxiesContext } from '../context.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { watchSettled } from '../proxy/settled.ts';

/**
 * Runs a change and waits until the provider has it, no longer than PROVISION_WAIT_MS: then the domain is served, or no
 * longer, when the caller gets their response.
 * @param change gives the proxy whose new generation is waited for; null: nothing is
 */
export async function untilApplied(
  context: ProxiesContext,
  { uuid }: Pick<ProxyRow, 'uuid'>,
  change: () => Promise<ProxyRow | null>,
): Promise<void> {
  const watch = await watchSettled(context, uuid);
  try {
    const changed = await change();
    if (changed && changed.generation > changed.appliedGeneration)
      await context.whileWaiting(watch.generation(changed.generation, context.settings.PROVISION_WAIT_MS));
  } finally {
    watch.close();
  }
}
