import { randomUUID } from 'node:crypto';
import {
  type AccessPolicy,
  type Actor,
  messageText,
  originDefaults,
  protectedPolicy,
  type Routes,
  type Verb,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import { once } from '@talpa/service-kit/database/idempotency';
import { columns, type Sql } from '@talpa/service-kit/database/sql';
import type { AuditEntry, Tx } from '@talpa/service-kit/database/transaction';
import { firstPolicy } from '../access/audited.ts';
import { refuseNotEnforced } from '../access/enforced.ts';
import { savePolicy } from '../access/row.ts';
import type { ProxiesContext } from '../context.ts';
import { hostnameFor, refuseReserved, reserveHostname } from '../proxy/address.ts';
import { auditedState, auditOf } from '../proxy/audited.ts';
import { columnsOf, type GivenEntries } from '../proxy/entries.ts';
import { refuseHttpsOnly } from '../proxy/origin.ts';
import { emitProxy, type ProxyRow, publicProxy, wakeWorker } from '../proxy/row.ts';
import { stopAwaiting, watchSettled } from '../proxy/settled.ts';
import { joining, refuseFull, refuseJoin } from '../server/join.ts';
import { lockServers, type ServerRow } from '../server/row.ts';
import { refusal } from '../tunnels/refusal.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { takeQuota } from '../users/limits.ts';
import { refuseLimitedKey } from './limited-key.ts';

const firstGeneration = 1;

/**
 * Creates a proxy and waits for its tunnel. A refusal while waiting removes it again and is the response; when
 * the provider is slow the response says `pending`, and the proxy goes on being set up.
 */
export const createProxy: Verb<Routes['POST /api/tunnel-configs'], ProxiesContext> = (context, input) => {
  const { settings, actor } = context;
  refuseLimitedKey(actor);
  const hostname = hostnameFor(input, settings);
  refuseReserved(hostname, settings);
  const { access, serverId, ...entries } = input;
  refuseHttpsOnly({ ...originDefaults, ...columnsOf(entries) });
  const policy = access === 'protected' ? protectedPolicy : null;
  if (policy) refuseNotEnforced(policy, settings);
  return once({
    context,
    call: 'createProxy',
    // `open` is the same request as none.
    input: policy ? input : { ...entries, ...(serverId && { serverId }) },
    create: (claim) => {
      const uuid = randomUUID();
      const insert = () =>
        context.transaction(async (tx) => {
          await claim(tx, uuid);
          await takeQuota(tx, actor.userId);
          const server = serverId === undefined ? null : await lockForJoining(tx, serverId, actor);
          await addProxy(tx, settings, { uuid, userId: actor.userId, hostname, entries, policy, server });
        });
      return respondWhenSettled(context, uuid, hostname, async () => {
        await withFreshProjections(context, actor.userId, insert);
        return true;
      });
    },
    repeat: (uuid) => respondWhenSettled(context, uuid, hostname, () => isPending(context.reads, uuid)),
  });
};

async function respondWhenSettled(
  context: ProxiesContext,
  uuid: string,
  hostname: string,
  begin: () => Promise<boolean>,
) {
  const row = await whenSettled(context, uuid, hostname, begin);
  const key = row.status === 'pending' ? 'proxyPending' : 'proxyCreated';
  return { proxy: publicProxy(row), message: messageText(key, context.language, { name: row.serverName }) };
}

/**
 * Waits for the first tunnel of a proxy.
 * @param begin makes it, or finds it made; whether there is anything to wait for
 * @returns the proxy; `pending` when the provider is slow
 * @throws AppError what the provider has refused it for, which removes it again; `not_found`: somebody has deleted it meanwhile
 */
export async function whenSettled(
  context: ProxiesContext,
  uuid: string,
  hostname: string,
  begin: () => Promise<boolean>,
): Promise<ProxyRow> {
  const { settings } = context;
  const watch = await watchSettled(context, uuid);
  try {
    if (await begin())
      await context.whileWaiting(watch.generation(firstGeneration, settings.PROVISION_WAIT_MS));
    const row = await stopAwaiting(context, uuid, firstGeneration);
    const refused = watch.refusalOf(firstGeneration);
    if (refused) throw refusal(refused, hostname);
    if (!row) throw new AppError('not_found');
    return row;
  } finally {
    watch.close();
  }
}

async function isPending(sql: Sql, uuid: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from proxies where uuid = ${uuid} and generation = ${firstGeneration} and applied_generation = 0`;
  return row !== undefined;
}

/** A server that a new proxy of the caller may join. */
async function lockForJoining(tx: Tx, serverId: number, actor: Actor): Promise<ServerRow> {
  const [found] = await lockServers(tx, tx.sql`id = ${serverId}`);
  const locked = await refuseJoin(tx, found, actor.userId, actor);
  await refuseFull(tx, locked, 1);
  return locked.server;
}

interface NewProxy {
  readonly entries: GivenEntries;
  readonly uuid: string;
  readonly userId: number;
  readonly hostname: string;
  /** Whom it lets in; null: everybody. */
  readonly policy: AccessPolicy | null;
  /** Whose tunnel it uses; null: it gets a server of its own. */
  readonly server: ServerRow | null;
  /** Who makes it; left out: the caller. */
  readonly by?: AuditEntry['actor'];
}

/** Adds a proxy of a user whose quota is taken, and has its tunnel made. @throws AppError those of `reserveHostname` */
export async function addProxy(
  tx: Tx,
  settings: ProxiesContext['settings'],
  { entries, policy, by, server, ...proxy }: NewProxy,
): Promise<ProxyRow> {
  const { sql } = tx;
  const given = {
    ...columnsOf(entries),
    ...proxy,
    ...(server && joining(server)),
    proxyPort: settings.TUNNEL_PUBLIC_PORT,
    ownerName: sql`(select username from users where user_id = ${proxy.userId})`,
    status: 'pending',
    awaitedUntil: sql`now() + ${`${settings.PROVISION_WAIT_MS} ms`}::interval`,
  };
  const [[row]] = await Promise.all([
    sql<ProxyRow[]>`insert into proxies ${columns(sql, given)} returning *`,
    reserveHostname(tx, proxy.hostname, proxy),
  ]);
  if (!row) throw new AppError('internal');
  await emitProxy(tx, row, server ? { invitedIds: [], nameOfServer: server.name } : undefined);
  await wakeWorker(tx, row.serverUuid, { urgent: true });
  // With the row itself: it is open at no moment.
  if (policy) await savePolicy(tx, row.uuid, { policy, pinHash: null, passwordHash: null });
  const changes = {
    ...firstState(auditedState(row)),
    ...(policy && firstPolicy(policy)),
    ...(server && { server: { to: server.name } }),
  };
  await tx.audit({
    action: 'proxy.create',
    ...(by !== undefined && { actor: by }),
    ...auditOf(row),
    changes,
  });
  return row;
}
