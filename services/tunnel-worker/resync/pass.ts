import type { ResyncReport } from '@talpa/contracts';
import { currentScope } from '@talpa/service-kit/telemetry/scope';
import { traceparent } from '@talpa/service-kit/telemetry/tracing';
import { enqueue } from '../jobs/sql.ts';
import { isHeldBack, letGo } from '../problems/held-back.ts';
import { commentPrefix, installationPrefix } from '../provider/names.ts';
import { compareHealth, findLeftovers, findRecordsGone, type KnownProxy, type Seen } from './compare.ts';
import type { PassContext, PassOptions } from './context.ts';
import { findMissing, type Missing } from './missing.ts';

const firstUuid = '00000000-0000-0000-0000-000000000000';
const observedAtOnce = 500;

/**
 * Compares what is at the provider with what proxies believes: publishes to proxies what has changed, and wakes the
 * controller for what is left over or lacking. It changes nothing at the provider itself.
 */
export async function makePass(context: PassContext, options: PassOptions): Promise<ResyncReport> {
  const { provider, installationId } = context;
  const at = new Date();
  // Believed first, seen afterwards: what is made meanwhile is too young to be left over.
  const known = await allKnown(context);
  const tunnels = await provider.findTunnels(installationPrefix(installationId));
  const { changed, unlisted } = compareHealth(known, tunnels);
  const missing = await findMissing(context, options, unlisted);
  const seen: Seen[] = [...changed, ...missing.gone];
  const report = {
    at: at.toISOString(),
    dryRun: options.dryRun,
    tunnels: tunnels.length,
    tunnelsGone: [...missing.proxyIds],
    changed: options.dryRun ? changed.length : await publishSeen(context, seen),
  };
  const nothing = { records: 0, recordsGone: [], leftovers: [], enqueued: 0 };
  if (!options.whole) return { ...report, ...nothing, heldBack: missing.isTooMuch ? 'missing' : null };

  const records = await provider.findRecords({ commentPrefix: commentPrefix(installationId) });
  const byProxy = new Map(known.map((one) => [one.proxyId, one]));
  const madeBefore = new Date(at.getTime() - context.graceMs);
  const leftovers = findLeftovers(installationId, byProxy, tunnels, records, madeBefore);
  const without = new Set(unlisted.map(({ proxyId }) => proxyId));
  const recordsGone = findRecordsGone(installationId, known, records).filter((id) => !without.has(id));
  if (options.confirm && !options.dryRun) await letGo(context.sql);
  const heldBack = await reasonToHoldBack(context, options, missing, leftovers);
  const lacking = heldBack === 'restored' || heldBack === 'missing' ? [] : recordsGone;
  const removable = heldBack ? [] : leftovers.map(({ proxyId }) => proxyId);
  const toEnqueue = options.dryRun ? [] : [...new Set([...removable, ...lacking])];
  const { requestId } = currentScope() ?? {};
  await enqueue(
    context.sql,
    toEnqueue.map((proxyId) => ({ proxyId, fullScan: true, requestId, traceparent: traceparent() })),
  );
  return { ...report, records: records.length, recordsGone, leftovers, enqueued: toEnqueue.length, heldBack };
}

async function allKnown(context: PassContext): Promise<KnownProxy[]> {
  const all: KnownProxy[] = [];
  for (let after: string | null = firstUuid; after !== null; ) {
    const page: Awaited<ReturnType<PassContext['listTunnels']>> = await context.listTunnels(after);
    all.push(...page.tunnels);
    after = page.next;
  }
  return all;
}

async function publishSeen(context: PassContext, seen: readonly Seen[]): Promise<number> {
  let changed = 0;
  for (let start = 0; start < seen.length; start += observedAtOnce)
    changed += await context.observe(seen.slice(start, start + observedAtOnce));
  return changed;
}

async function reasonToHoldBack(
  { sql, brake }: PassContext,
  { confirm }: PassOptions,
  { isTooMuch }: Missing,
  leftovers: ResyncReport['leftovers'],
): Promise<ResyncReport['heldBack']> {
  if (confirm) return null;
  if (await isHeldBack(sql)) return 'restored';
  if (isTooMuch) return 'missing';
  const count = leftovers.reduce((sum, { tunnels, records }) => sum + tunnels.length + records.length, 0);
  return count > brake ? 'brake' : null;
}
