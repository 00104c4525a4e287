import type {
  AppliedProxy,
  DesiredProxy,
  DesiredServer,
  Outcome,
  StatusReason,
  TunnelOutcome,
} from '@talpa/contracts';
import type { Provider, ProviderRecord } from '../provider/client.ts';
import { isProviderError, ProviderError } from '../provider/errors.ts';
import { proxyNames, serverNames } from '../provider/names.ts';
import { createConfiguration, isServedHere, letsNobodyIn } from './configuration.ts';
import { type Doubt, type KnownTunnel, surveyRecords, surveyTunnels, takeStock } from './inventory.ts';
import { ensureRecord } from './record.ts';
import { ensureTunnel, removeTunnel, removeUnconnected, TunnelGone } from './tunnel.ts';

/** What a run works with. */
export interface Scope {
  readonly provider: Provider;
  readonly installationId: string;
  /** The provider ends what is open at a suspended proxy without cutting its siblings off. */
  readonly suspendsSingly: boolean;
}

/** How a run ended. What it says nothing of is as it was. */
export interface Result {
  readonly tunnel: TunnelOutcome | null;
  /** By proxy. */
  readonly proxies: ReadonlyMap<string, Outcome>;
  /** What may succeed later, by proxy. */
  readonly failing: ReadonlyMap<string, ProviderError>;
}

interface Run extends Scope, Doubt {
  readonly desired: DesiredServer;
}

/**
 * Brings the provider to the desired state of one server, with the fewest calls. Safe to run again at any point: whatever an earlier run
 * left is found by its name. One proxy's failure does not hold its siblings up.
 * @throws ProviderError `passing` that concerns all of the server
 */
export async function reconcile(scope: Scope, desired: DesiredServer, doubt: Doubt): Promise<Result> {
  const run = { ...scope, ...doubt, desired };
  try {
    const { want } = desired.tunnel;
    return want ? await apply(run, want.incarnation) : await remove(run);
  } catch (error) {
    if (error instanceof TunnelGone) return refusedTunnel('tunnel_gone');
    if (isProviderError(error, 'refused')) return refusedTunnel(error.reason);
    throw error;
  }
}

const refusedTunnel = (reason: StatusReason): Result => ({
  tunnel: { kind: 'refused', reason },
  proxies: new Map(),
  failing: new Map(),
});

async function apply(run: Run, incarnation: number): Promise<Result> {
  const { provider, desired, unverified, fullScan } = run;
  const { applied } = desired.tunnel;
  const tunnels = await knownTunnels(run);
  const names = serverNames(run.installationId, desired.serverId);
  const tunnel = await ensureTunnel(provider, names, tunnels, applied, incarnation);

  const due = desired.proxies.filter(({ settled, leaves }) => !leaves && (!settled || fullScan));
  const toApply = due.filter(isWanted);
  const toRemove = due.filter((proxy) => !isWanted(proxy));
  const proxies = new Map<string, Outcome>();
  const failing = new Map<string, ProviderError>();
  const isUndone = ({ proxyId }: DesiredProxy) => !proxies.has(proxyId) && !failing.has(proxyId);
  const refuse = (proxyId: string, { reason }: ProviderError) =>
    proxies.set(proxyId, { kind: 'refused', reason });
  const attempt = async (proxyId: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ProviderError) || isOfAccount(error)) throw error;
      if (error.kind === 'refused') refuse(proxyId, error);
      else failing.set(proxyId, error);
    }
  };

  // A server whose tunnel stays has lost a proxy to another one, or the rule of one that a run before put may be left.
  const mayHaveLost = (!desired.tunnel.settled || unverified) && !tunnel.isNew;
  const isCertain = !mayHaveLost && !fullScan && !tunnel.isNew;
  const configuration = createConfiguration(tunnel, desired, isCertain);
  const configure = async (wanted: readonly DesiredProxy[]) => {
    const culprits = await configuration.put(new Set(wanted.map(({ proxyId }) => proxyId)));
    for (const [proxyId, refusal] of culprits) refuse(proxyId, refusal);
  };
  // A new tunnel is configured before a name leads there. An old one goes on serving old names until the new ones are certain: they may
  // be refused. A suspension waits for nothing.
  const suspended = toApply.filter(({ want }) => want?.suspended);
  const arriving = toApply.filter((proxy) => !isServedHere(desired, proxy));
  if (tunnel.isNew) await configure(toApply);
  else if (suspended.length > 0 || arriving.some((proxy) => proxy.applied))
    await configure(arriving.filter(({ applied, want }) => applied || want?.suspended));
  if (
    suspended.some((proxy) => !proxy.applied?.suspended) &&
    (!run.suspendsSingly || letsNobodyIn(configuration))
  )
    await ifThere(provider.dropConnections(tunnel.id));

  // First what goes: a name that it leaves may be another's here.
  const removed: DesiredProxy[] = [];
  for (const proxy of toRemove)
    await attempt(proxy.proxyId, async () => {
      await removeRecords(run, proxy.proxyId);
      removed.push(proxy);
    });
  const ensured = new Map<string, EnsuredRecords>();
  for (const proxy of toApply.filter(isUndone))
    await attempt(proxy.proxyId, async () => {
      ensured.set(proxy.proxyId, await ensureRecords(run, proxy, tunnel.id));
    });
  // The old tunnel goes on where no name could be led to the new one.
  if (applied && tunnel.isNew && toApply.length > 0 && ensured.size === 0)
    return failing.size > 0
      ? { tunnel: null, proxies: new Map(), failing }
      : refusedTunnel(firstReason(proxies));

  const reached = toApply.filter(({ proxyId }) => ensured.has(proxyId));
  if (
    reached.length > 0 ||
    removed.length > 0 ||
    mayHaveLost ||
    (configuration.last && configuration.hasOthers)
  )
    await configure(reached);
  // Of a refused one stays what it had before, and nothing where that was nothing.
  for (const { proxyId, applied, want, generation } of toApply) {
    if (proxies.get(proxyId)?.kind !== 'refused') continue;
    const hasLed = ensured.has(proxyId) || (want?.domains ?? []).length > 0;
    const mayHaveLeft = hasLed || (applied === null && (unverified || generation > 1));
    const isElsewhere = applied !== null && applied.tunnelId !== tunnel.id;
    if (mayHaveLeft && !isElsewhere)
      await attempt(proxyId, () => removeRecords(run, proxyId, namesOf(applied)));
  }
  for (const proxy of reached.filter(isUndone))
    await attempt(proxy.proxyId, () => deleteRecords(provider, ensured.get(proxy.proxyId)?.leftovers ?? []));
  for (const other of tunnels) if (other.id !== tunnel.id) await removeTunnel(provider, other.id);

  for (const { proxyId, want } of reached.filter(isUndone)) {
    const { dnsRecordId } = ensured.get(proxyId) ?? {};
    if (want && dnsRecordId)
      proxies.set(proxyId, {
        kind: 'applied',
        applied: { tunnelId: tunnel.id, incarnation, dnsRecordId, ...want },
      });
  }
  for (const { proxyId, settled } of removed) if (!settled) proxies.set(proxyId, { kind: 'removed' });
  return { tunnel: { kind: 'applied', applied: { tunnelId: tunnel.id, incarnation } }, proxies, failing };
}

/** Whether anything of a proxy is to be there: not of one that was refused for good. */
const isWanted = ({ want, settled, applied }: DesiredProxy) =>
  want !== null && !(settled && applied === null);

/** Not about one proxy: the same would happen to its siblings. */
const isOfAccount = ({ kind, isRateLimited, fault }: ProviderError) =>
  kind === 'passing' && (isRateLimited || fault !== undefined);

function firstReason(proxies: ReadonlyMap<string, Outcome>): StatusReason {
  const [first] = proxies.values();
  return first?.kind === 'refused' ? first.reason : 'tunnel_refused';
}

/** The server's tunnels; asked for where memory is not enough. */
async function knownTunnels({ provider, installationId, desired, ...doubt }: Run): Promise<KnownTunnel[]> {
  const { applied, generation, want } = desired.tunnel;
  // Without memory only the very first generation finds nothing for sure.
  const isKnown = applied ? !want || applied.incarnation === want.incarnation : want && generation === 1;
  if (doubt.unverified || doubt.fullScan || !isKnown)
    return surveyTunnels(provider, serverNames(installationId, desired.serverId));
  return applied ? [{ id: applied.tunnelId, incarnation: applied.incarnation }] : [];
}

interface EnsuredRecords {
  /** Of the proxy's own name. */
  readonly dnsRecordId: string;
  readonly leftovers: readonly ProviderRecord[];
}

/** Leads all names of a proxy to a tunnel. */
async function ensureRecords(run: Run, proxy: DesiredProxy, tunnelId: string): Promise<EnsuredRecords> {
  const { provider, installationId } = run;
  const { hostname = '', domains = [] } = proxy.want ?? {};
  const names = proxyNames(installationId, proxy.proxyId);
  const { records, isSurveyed } = await takeStock(provider, names, proxy, tunnelId, run);
  const lead = (name: string) => ensureRecord(provider, installationId, names, records, name, tunnelId);
  const dnsRecordId = await lead(hostname);
  const kept = new Set([dnsRecordId]);
  if (isSurveyed) for (const domain of domains) kept.add(await lead(domain));
  return { dnsRecordId, leftovers: records.filter(({ id }) => !kept.has(id)) };
}

/** Records first: a name must not lead to a tunnel that is gone. */
async function remove(run: Run): Promise<Result> {
  const { provider, desired, unverified, fullScan } = run;
  const { applied, connected } = desired.tunnel;
  const own = desired.proxies.filter(({ leaves }) => !leaves);
  for (const { proxyId } of own) await removeRecords(run, proxyId);
  const isUnsure = unverified || fullScan || !applied;
  for (const { id } of await knownTunnels(run))
    await (isUnsure || connected ? removeTunnel : removeUnconnected)(provider, id);
  const proxies = own.map(({ proxyId }) => [proxyId, { kind: 'removed' }] as const);
  return { tunnel: { kind: 'removed' }, proxies: new Map(proxies), failing: new Map() };
}

const namesOf = (applied: AppliedProxy | null) =>
  applied ? [applied.hostname, ...(applied.domains ?? [])] : [];

/**
 * Removes the records of a proxy except those of the `kept` names. Always looked at: a record may have been led elsewhere by hand, and
 * is then no longer ours.
 */
async function removeRecords(
  { provider, installationId }: Run,
  proxyId: string,
  kept: readonly string[] = [],
): Promise<void> {
  const found = await surveyRecords(provider, proxyNames(installationId, proxyId));
  const going = found.filter(({ hostname }) => !kept.includes(hostname));
  await deleteRecords(provider, going);
}

async function deleteRecords(provider: Provider, records: readonly ProviderRecord[]): Promise<void> {
  for (const { id } of records) await ifThere(provider.deleteRecord(id));
}

/** What is gone already need not be deleted. */
async function ifThere(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isProviderError(error, 'missing')) throw error;
  }
}
