import type { ResyncReport } from '@talpa/contracts';
import { currentScope } from '@talpa/service-kit/telemetry/scope';
import { traceparent } from '@talpa/service-kit/telemetry/tracing';
import { enqueue } from '../jobs/sql.ts';
import { isHeldBack, letGo } from '../problems/held-back.ts';
import { commentPrefix, installationPrefix } from '../provider/names.ts';
import { compareHealth, findLeftovers, findRecordsGone, type KnownServer, type Seen } from './compare.ts';
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
  const serverOf = new Map(
    known.flatMap(({ serverId, proxies }) => proxies.map(({ proxyId }) => [proxyId, serverId])),
  );
  const proxiesOf = (serverIds: readonly string[]) => {
    const ids = new Set(serverIds);
    return [...serverOf].flatMap(([proxyId, serverId]) => (ids.has(serverId) ? [proxyId] : []));
  };
  const report = {
    at: at.toISOString(),
    dryRun: options.dryRun,
    tunnels: tunnels.length,
    tunnelsGone: proxiesOf(missing.serverIds),
    changed: options.dryRun ? changed.length : await publishSeen(context, seen),
  };
  const nothing = { records: 0, recordsGone: [], leftovers: [], enqueued: 0 };
  if (!options.whole) return { ...report, ...nothing, heldBack: missing.isTooMuch ? 'missing' : null };

  const records = await provider.findRecords({ commentPrefix: commentPrefix(installationId) });
  const madeBefore = new Date(at.getTime() - context.graceMs);
  const leftovers = findLeftovers(installationId, known, tunnels, records, madeBefore);
  const without = new Set(proxiesOf(unlisted.map(({ serverId }) => serverId)));
  const recordsGone = findRecordsGone(installationId, known, records).filter((id) => !without.has(id));
  if (options.confirm && !options.dryRun) await letGo(context.sql);
  const heldBack = await reasonToHoldBack(context, options, missing, leftovers);
  const lacking = heldBack === 'restored' || heldBack === 'missing' ? [] : recordsGone;
  const removable = heldBack ? [] : leftovers.map(({ proxyId }) => proxyId);
  // What is left of a proxy that nobody knows has a job of its own.
  const concerned = new Set([...removable, ...lacking].map((id) => serverOf.get(id) ?? id));
  const toEnqueue = options.dryRun ? [] : [...concerned];
  const { requestId } = currentScope() ?? {};
  await enqueue(
    context.sql,
    toEnqueue.map((serverId) => ({ serverId, fullScan: true, requestId, traceparent: traceparent() })),
  );
  return { ...report, records: records.length, recordsGone, leftovers, enqueued: toEnqueue.length, heldBack };
}

async function allKnown(context: PassContext): Promise<KnownServer[]> {
  const all: KnownServer[] = [];
  for (let after: string | null = firstUuid; after !== null; ) {
    const page: Awaited<ReturnType<PassContext['listServers']>> = await context.listServers(after);
    all.push(...page.servers);
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
