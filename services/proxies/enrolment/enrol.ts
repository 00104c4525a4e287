import { randomInt, randomUUID } from 'node:crypto';
import {
  type Actor,
  type ErrorCode,
  includesRole,
  labelOf,
  type PanelKind,
  panelPresets,
  protectedPolicy,
  publicUrl,
  type Routes,
  type Verb,
} from '@talpa/contracts';
import { isLoopback } from '@talpa/contracts/reach';
import { isConnected } from '@talpa/contracts/status';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { canProtect } from '../access/enforced.ts';
import type { ProxiesContext } from '../context.ts';
import { addProxy, whenSettled } from '../proxies/create.ts';
import { hostnameFor, refuseReserved } from '../proxy/address.ts';
import type { GivenEntries } from '../proxy/entries.ts';
import { originOf } from '../proxy/origin.ts';
import { lags, type ProxyRow, publicProxy } from '../proxy/row.ts';
import { suspensionOf } from '../proxy/suspension.ts';
import { refuseFull, refuseJoin } from '../server/join.ts';
import { reachOf } from '../server/roles.ts';
import { type LockedServer, lockServers, type ServerRow } from '../server/row.ts';
import { markShared } from '../tunnels/get-token.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { takeQuota } from '../users/limits.ts';
import { hashOf, type KeyRow, selectKeys } from './key-row.ts';
import { auditOfKey } from './keys.ts';

type Enrol = Routes['POST /api/enrol'];
type Input = Parameters<Verb<Enrol, ProxiesContext>>[1];

/** A machine's proxy, and whether it has just been made; null: only its server is there. */
interface Enrolled {
  readonly proxy: ProxyRow | null;
  readonly isNew: boolean;
  readonly server: Connected;
}

/** What a connector is of. */
type Connected = Pick<ServerRow, 'id' | 'applied' | 'tunnelHealth'> & { readonly isComing: boolean };

/**
 * Connects a panel of a machine: gives it the token of its server's connector, and makes the proxy first where there is none. The same
 * panel of the same machine gets the same again, and uses nothing up: a response may have been lost.
 */
export const enrol: Verb<Enrol, ProxiesContext> = async (context, input) => {
  const key = await findKey(context, input.key);
  const { isNew, proxy, server } = await withFreshProjections(context, key.userId, () =>
    enrolled(context, key, input),
  ).catch(hideSuspension);
  const row = isNew && proxy ? await settled(context, proxy) : proxy;
  const { id, applied, tunnelHealth, isComing } = row ? connectedTo(row) : server;
  if (!applied) throw new AppError(isComing ? 'proxy_pending' : 'no_tunnel');
  const { token } = await context.whileWaiting(
    callInternal(context.nc, 'tunnel-worker.getTunnelToken', { tunnelId: applied.tunnelId }, context),
  );
  // What a key of a proxy or of an administrator installs gets no other panels.
  const mayAdd = key.proxyUuid === null && !key.asAdmin;
  return {
    proxyId: row?.id ?? null,
    serverId: id,
    url: row && publicUrl(publicProxy(row)),
    target: row && originOf(row).origin,
    connected: isConnected(tunnelHealth),
    takenPorts: mayAdd ? await takenPorts(context, id) : null,
    token,
  };
};

const connectedTo = (proxy: ProxyRow): Connected => ({
  ...{ id: proxy.serverId, applied: proxy.applied, tunnelHealth: proxy.tunnelHealth },
  isComing: lags(proxy) && proxy.status !== 'error',
});

/** Where the panels of a machine are that are behind its connector: it offers the others. */
async function takenPorts({ sql }: ProxiesContext, serverId: number): Promise<number[]> {
  const rows = await sql<Pick<ProxyRow, 'serverIp' | 'adminPort'>[]>`
    select server_ip, admin_port from proxies where server_id = ${serverId} and removed_at is null`;
  const local = rows.filter(({ serverIp }) => isLoopback(serverIp)).map(({ adminPort }) => adminPort);
  return [...new Set(local)].toSorted((one, other) => one - other);
}

/** Keys of suspended users go, but news of it may be late. */
function hideSuspension(error: unknown): never {
  const isSuspended = error instanceof AppError && error.code === 'account_suspended';
  throw isSuspended ? new AppError('enrolment_key_invalid') : error;
}

async function findKey({ reads }: ProxiesContext, key: string): Promise<KeyRow> {
  const [row] = await reads<KeyRow[]>`${selectKeys(reads)} and key_hash = ${hashOf(key)}`;
  if (!row) throw new AppError('enrolment_key_invalid');
  return row;
}

/** The names that a new proxy is tried under: the machine's own, then with something made up. */
const namesTried = 4;
const nameErrors: readonly ErrorCode[] = ['subdomain_taken', 'subdomain_similar', 'subdomain_reserved'];

async function enrolled(context: ProxiesContext, key: KeyRow, input: Input): Promise<Enrolled> {
  for (let left = namesTried; ; left -= 1) {
    const customUrl =
      left === namesTried
        ? null
        : `${labelOf(input.name).slice(0, 50) || 'server'}-${randomInt(0x1000, 0xffff).toString(16)}`;
    try {
      return await context.transaction((tx) => enrolOnce(context, tx, key, input, customUrl));
    } catch (error) {
      const isName =
        error instanceof AppError && (nameErrors.includes(error.code) || error.code === 'invalid_input');
      if (!isName || left === 1) throw error;
    }
  }
}

async function enrolOnce(
  context: ProxiesContext,
  tx: Tx,
  { id, userId }: KeyRow,
  input: Input,
  customUrl: string | null,
): Promise<Enrolled> {
  const { sql } = tx;
  // Before the key, as everywhere: what ends a user's keys holds the user first.
  await sql`select 1 from users where user_id = ${userId} for update`;
  // Two machines at once are counted one after the other.
  const [held] = await sql<{ id: number }[]>`select id from enrolment_keys where id = ${id} for update`;
  const [key] = held ? await sql<KeyRow[]>`${selectKeys(sql)} and enrolment_keys.id = ${id}` : [];
  if (!key) throw new AppError('enrolment_key_invalid');
  const machine = hashOf(input.machine);
  const [before] = await sql`
    select 1 from enrolments where enrolment_key_id = ${id} and machine_hash = ${machine}`;
  if (!before && key.used >= key.uses) throw new AppError('enrolment_key_used');
  const [locked] = await lockServers(
    tx,
    key.proxyUuid
      ? sql`id = (select server_id from proxies where uuid = ${key.proxyUuid})`
      : sql`removed_at is null and uuid = coalesce(${key.serverUuid}::uuid, (
          select server_uuid from machines join servers on servers.uuid = server_uuid and servers.user_id = ${userId}
          where machines.user_id = ${userId} and machine_hash = ${machine}))`,
  );
  const origin = originFor(key, input);
  const found = locked?.proxies.find(
    (proxy) =>
      proxy.removedAt === null &&
      (key.proxyUuid ? proxy.uuid === key.proxyUuid : !origin || leadsTo(proxy, origin)),
  );
  // Deleted this moment: the key makes no other one.
  if ((key.proxyUuid && !found) || (key.serverUuid && !locked)) throw new AppError('enrolment_key_invalid');
  if (locked && (found || key.serverUuid)) {
    await refuseBarred(tx, key, locked, found);
    await markShared(tx, locked, key);
  }
  // A server of its own is there without any panel.
  const isBare = !found && !origin && key.serverUuid !== null;
  const proxy =
    found ??
    (isBare ? null : await addFor(context, tx, { key, locked, name: input.name, origin, customUrl }));
  const server = serverOf(locked, proxy);
  if (before && !(proxy && !found)) return { proxy, isNew: false, server };
  // A key of a proxy says nothing of where other panels of the machine belong.
  await sql`
    insert into machines (user_id, machine_hash, server_uuid) values (${server.userId}, ${machine}, ${server.uuid})
    on conflict (user_id, machine_hash) do update set server_uuid = excluded.server_uuid where ${key.proxyUuid === null}`;
  if (!before) {
    await sql`insert into enrolments (enrolment_key_id, machine_hash) values (${id}, ${machine})`;
    await sql`update enrolment_keys set used = used + 1 where id = ${id}`;
  }
  await tx.audit({
    ...auditOfKey(key),
    actor: byMaker(key),
    changes: {
      machine: { to: input.name },
      ...(proxy ? { proxy: { to: proxy.serverName } } : { server: { to: server.name } }),
    },
  });
  return { proxy, isNew: proxy !== null && !found, server };
}

/** The server that a machine is: the one that was there, or that of its new proxy. */
function serverOf(
  locked: LockedServer | undefined,
  proxy: ProxyRow | null,
): Connected & Pick<ServerRow, 'uuid' | 'userId' | 'name'> {
  if (locked) return { ...locked.server, isComing: lags(locked.server) };
  if (!proxy) throw new AppError('internal');
  const { serverUuid: uuid, userId, serverName: name } = proxy;
  return { ...connectedTo(proxy), uuid, userId, name };
}

/** Refuses a key whose maker may not read the token of its proxy or server any more, and one of a suspended proxy. */
async function refuseBarred(
  tx: Tx,
  key: KeyRow,
  { server }: LockedServer,
  proxy: ProxyRow | undefined,
): Promise<void> {
  const role = (await reachOf(tx.sql, [server], makerOf(key))).get(server.id)?.role;
  const needed = key.serverUuid ? 'owner' : 'operate';
  if (!role || !includesRole(role, needed) || (proxy && suspensionOf(proxy)))
    throw new AppError('enrolment_key_invalid');
}

/** Where a connector finds a panel. */
type Origin = { readonly serverIP: string; readonly adminPort: number; readonly panel: PanelKind };

/** The panel that a machine speaks of; null: it says of none. */
function originFor(key: KeyRow, { panel: found, port, address = '127.0.0.1' }: Input): Origin | null {
  const panel = key.panel ?? found ?? 'own';
  const adminPort = port ?? presetOf(panel)?.port;
  return adminPort === undefined ? null : { serverIP: address, adminPort, panel };
}

const leadsTo = ({ serverIp, adminPort }: ProxyRow, origin: Origin) =>
  adminPort === origin.adminPort &&
  (serverIp === origin.serverIP || (isLoopback(serverIp) && isLoopback(origin.serverIP)));

interface Wanted {
  readonly key: KeyRow;
  /** The machine's server; undefined: it has none yet. */
  readonly locked: LockedServer | undefined;
  readonly name: string;
  readonly origin: Origin | null;
  readonly customUrl: string | null;
}

/** Makes the proxy of a panel, closed to strangers where that is possible: a fresh panel may have no administrator yet. */
async function addFor(
  { settings }: ProxiesContext,
  tx: Tx,
  { key, locked, name, origin, customUrl }: Wanted,
): Promise<ProxyRow> {
  if (!origin) throw new AppError('enrolment_panel_missing');
  if (key.asAdmin) throw new AppError('enrolment_key_invalid');
  await takeQuota(tx, key.userId);
  if (locked) await refuseFull(tx, await refuseJoin(tx, locked, key.userId, makerOf(key)), 1);
  const preset = presetOf(origin.panel);
  const serverName = locked ? `${name.slice(0, 80)} ${preset?.name ?? origin.adminPort}` : name;
  const entries: GivenEntries = {
    ...{ serverName, customUrl, ...origin },
    originProtocol: preset?.protocol ?? 'http',
    verifyCertificate: preset?.verifyCertificate ?? true,
  };
  const hostname = hostnameFor({ serverName, customUrl }, settings);
  refuseReserved(hostname, settings);
  const policy = canProtect(settings) ? protectedPolicy : null;
  const proxy = { uuid: randomUUID(), userId: key.userId, hostname, entries, policy };
  return addProxy(tx, settings, { ...proxy, server: locked?.server ?? null, by: byMaker(key) });
}

const makerOf = ({ userId, asAdmin }: KeyRow): Actor => ({ userId, isAdmin: asAdmin, sessionId: '' });

/** Machines act in the name of who has made their key. */
const byMaker = ({ userId, asAdmin }: KeyRow) => ({ userId, isAdmin: asAdmin, sessionId: null });

const presetOf = (panel: PanelKind) => (panel === 'own' ? null : panelPresets[panel]);

async function settled(context: ProxiesContext, { uuid, hostname }: ProxyRow): Promise<ProxyRow> {
  const isAwaited = async () => {
    const [row] = await context.reads`select 1 from proxies where uuid = ${uuid} and applied_generation = 0`;
    return row !== undefined;
  };
  try {
    return await whenSettled(context, uuid, hostname, isAwaited);
  } catch (error) {
    // It was refused before we listened.
    const isGone = error instanceof AppError && error.code === 'not_found';
    throw isGone ? new AppError('tunnel_refused', { cause: error }) : error;
  }
}
