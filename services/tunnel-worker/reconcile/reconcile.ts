import { isDeepStrictEqual } from 'node:util';
import type { AppliedTunnel, DesiredTunnel, Outcome } from '@talpa/contracts';
import type { Provider } from '../provider/client.ts';
import { isProviderError } from '../provider/errors.ts';
import { namesOf, type ProxyNames } from '../provider/names.ts';
import { type Inventory, reported, surveyRecords, surveyTunnels } from './inventory.ts';
import { ensureRecord } from './record.ts';
import { ensureTunnel, removeTunnel, removeUnconnected, TunnelGone } from './tunnel.ts';

/**
 * Brings the provider to the desired state of one proxy, with the fewest calls. Safe to run again at any
 * point: whatever an earlier run left is found by its name.
 * @param unverified an earlier run may have changed more than was reported: look at what there is.
 * @throws ProviderError `passing`; whatever ends definitively is an outcome.
 */
export async function reconcile(
  provider: Provider,
  installationId: string,
  desired: DesiredTunnel,
  unverified: boolean,
): Promise<Outcome> {
  const names = namesOf(installationId, desired.proxyId);
  try {
    if (!desired.want) return await remove(provider, names, desired, unverified);
    return {
      kind: 'applied',
      applied: await apply(provider, installationId, names, desired, desired.want, unverified),
    };
  } catch (error) {
    if (error instanceof TunnelGone) return { kind: 'refused', reason: 'tunnel_gone' };
    if (isProviderError(error, 'refused')) return { kind: 'refused', reason: error.reason };
    throw error;
  }
}

async function apply(
  provider: Provider,
  installationId: string,
  names: ProxyNames,
  desired: DesiredTunnel,
  want: NonNullable<DesiredTunnel['want']>,
  unverified: boolean,
): Promise<AppliedTunnel> {
  const known = await takeStock(provider, names, desired, want, unverified);
  const tunnel = await ensureTunnel(provider, names, known, desired.applied, want.incarnation);
  const configure = () => tunnel.configure(want);

  // A new tunnel is configured before its name leads there. An old one goes on serving its old name
  // until the new name is certain: it may be refused. A suspension waits for nothing.
  const atOnce = tunnel.isNew || want.suspended;
  if (atOnce) await configure();
  if (want.suspended && !desired.applied?.suspended) await ifThere(provider.dropConnections(tunnel.id));
  const dnsRecordId = await ensureRecord(provider, installationId, names, known, want.hostname, tunnel.id);
  const kept = new Set([dnsRecordId]);
  if (known.isSurveyed)
    for (const domain of want.domains ?? [])
      kept.add(await ensureRecord(provider, installationId, names, known, domain, tunnel.id));
  if (!atOnce) await configure();

  for (const record of known.records)
    if (!kept.has(record.id)) await ifThere(provider.deleteRecord(record.id));
  for (const other of known.tunnels) if (other.id !== tunnel.id) await removeTunnel(provider, other.id);
  return { tunnelId: tunnel.id, dnsRecordId, ...want };
}

/**
 * Looks at the provider only where memory is not enough: before anything there is replaced or deleted. Memory holds no
 * records of custom domains: those are looked at when they change.
 */
async function takeStock(
  provider: Provider,
  names: ProxyNames,
  desired: DesiredTunnel,
  want: NonNullable<DesiredTunnel['want']>,
  unverified: boolean,
): Promise<Inventory & { readonly isSurveyed: boolean }> {
  const { applied } = desired;
  const memory = reported(desired, names);
  // Without memory only the very first generation finds nothing for sure.
  const unsure = unverified || (applied ? applied.incarnation !== want.incarnation : desired.generation > 1);
  const moved =
    applied !== null &&
    (applied.hostname !== want.hostname || !isDeepStrictEqual(applied.domains ?? [], want.domains ?? []));
  return {
    isSurveyed: unsure || moved,
    tunnels: unsure ? await surveyTunnels(provider, names) : memory.tunnels,
    records: unsure || moved ? await surveyRecords(provider, names) : memory.records,
  };
}

/** Records first: a name must not lead to a tunnel that is gone. */
async function remove(
  provider: Provider,
  names: ProxyNames,
  desired: DesiredTunnel,
  unverified: boolean,
): Promise<Outcome> {
  // Always looked at: a record may have been led elsewhere by hand, and is then no longer ours.
  const records = await surveyRecords(provider, names);
  const unsure = unverified || !desired.applied;
  const tunnels = unsure ? await surveyTunnels(provider, names) : reported(desired, names).tunnels;
  for (const record of records) await ifThere(provider.deleteRecord(record.id));
  for (const tunnel of tunnels)
    await (unsure || desired.connected ? removeTunnel : removeUnconnected)(provider, tunnel.id);
  return { kind: 'removed' };
}

/** What is gone already need not be deleted. */
async function ifThere(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isProviderError(error, 'missing')) throw error;
  }
}
