import type { InternalCalls, ReconcileReport } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/connect';
import { currentScope } from '@talpa/service-kit/telemetry/scope';
import { traceparent } from '@talpa/service-kit/telemetry/tracing';
import type { z } from 'zod';
import { wake } from '../leases/sql.ts';
import type { Provider } from '../provider/client.ts';
import { isProviderError } from '../provider/errors.ts';
import { commentPrefix, installationPrefix } from '../provider/names.ts';
import { compareHealth, findLeftovers, findRecordsGone, type KnownProxy, type Seen } from './compare.ts';
import { isHeldBack, letGo } from './sql.ts';

/** What a pass stands on. */
export interface PassContext {
  readonly sql: Sql;
  readonly provider: Provider;
  readonly installationId: string;
  /** How old a leftover must be, in ms. */
  readonly graceMs: number;
  /** More leftovers than that are not removed without an operator's word. */
  readonly brake: number;
  listTunnels(after: string): Promise<z.output<InternalCalls['proxies.listTunnels']['answer']>>;
  /** @returns how many proxies have changed */
  observe(seen: readonly Seen[]): Promise<number>;
}

export interface PassOptions {
  readonly dryRun: boolean;
  /** Removes what is left over although it is much, or the database was restored. */
  readonly confirm: boolean;
  /** Looks for leftovers too, not at health alone. */
  readonly whole: boolean;
}

const firstUuid = '00000000-0000-0000-0000-000000000000';
/** Each costs a call; the next pass goes on. */
const confirmedAtOnce = 50;
const observedAtOnce = 500;

/**
 * Compares what is at the provider with what proxies believes: tells proxies what has changed, and wakes the
 * controller for what is left over or lacking. It changes nothing at the provider itself.
 */
export async function makePass(context: PassContext, options: PassOptions): Promise<ReconcileReport> {
  const { provider, installationId } = context;
  const at = new Date();
  // Believed first, seen afterwards: what is made meanwhile is too young to be left over.
  const known = await allKnown(context);
  const tunnels = await provider.findTunnels(installationPrefix(installationId));
  const { changed, unlisted } = compareHealth(known, tunnels);
  const gone = await confirmGone(provider, unlisted.slice(0, confirmedAtOnce));
  const seen: Seen[] = [...changed, ...gone];
  const report = {
    at: at.toISOString(),
    dryRun: options.dryRun,
    tunnels: tunnels.length,
    tunnelsGone: gone.map(({ proxyId }) => proxyId),
    changed: options.dryRun ? changed.length : await tell(context, seen),
  };
  const nothing = { records: 0, recordsGone: [], leftovers: [], woken: 0, heldBack: null };
  if (!options.whole) return { ...report, ...nothing };

  const records = await provider.findRecords({ commentPrefix: commentPrefix(installationId) });
  const byProxy = new Map(known.map((one) => [one.proxyId, one]));
  const madeBefore = new Date(at.getTime() - context.graceMs);
  const leftovers = findLeftovers(installationId, byProxy, tunnels, records, madeBefore);
  const missing = new Set(unlisted.map(({ proxyId }) => proxyId));
  const recordsGone = findRecordsGone(installationId, known, records).filter((id) => !missing.has(id));
  if (options.confirm && !options.dryRun) await letGo(context.sql);
  const heldBack = await reasonToHoldBack(context, options, leftovers);
  const lacking = heldBack === 'restored' ? [] : recordsGone;
  const removable = heldBack ? [] : leftovers.map(({ proxyId }) => proxyId);
  const toWake = options.dryRun ? [] : [...new Set([...removable, ...lacking])];
  const { requestId } = currentScope() ?? {};
  await wake(
    context.sql,
    toWake.map((proxyId) => ({ proxyId, tidy: true, requestId, traceparent: traceparent() })),
  );
  return { ...report, records: records.length, recordsGone, leftovers, woken: toWake.length, heldBack };
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

/** A list may miss what moves between its pages: only a tunnel's own answer says that it is gone. */
async function confirmGone(
  provider: Provider,
  unlisted: readonly { readonly proxyId: string; readonly tunnelId: string }[],
): Promise<Seen[]> {
  const gone: Seen[] = [];
  for (const one of unlisted) {
    const status = await provider.getTunnelStatus(one.tunnelId).catch((error) => {
      if (isProviderError(error, 'missing')) return null;
      throw error;
    });
    if (status === null) gone.push({ ...one, health: 'missing' });
  }
  return gone;
}

async function tell(context: PassContext, seen: readonly Seen[]): Promise<number> {
  let changed = 0;
  for (let start = 0; start < seen.length; start += observedAtOnce)
    changed += await context.observe(seen.slice(start, start + observedAtOnce));
  return changed;
}

async function reasonToHoldBack(
  { sql, brake }: PassContext,
  { confirm }: PassOptions,
  leftovers: ReconcileReport['leftovers'],
): Promise<ReconcileReport['heldBack']> {
  if (confirm) return null;
  if (await isHeldBack(sql)) return 'restored';
  const count = leftovers.reduce((sum, { tunnels, records }) => sum + tunnels.length + records.length, 0);
  return count > brake ? 'brake' : null;
}
