import { randomUUID } from 'node:crypto';
import type { Routes, Server, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import { once, releaseKey } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { refuseLimitedKey } from '../proxies/limited-key.ts';
import { wakeWorker } from '../proxy/row.ts';
import { ofServer, watchSettled } from '../proxy/settled.ts';
import { announceServer } from '../server/announce.ts';
import { auditOfServer } from '../server/audited.ts';
import { shownServer } from '../server/public.ts';
import { removeServer } from '../server/remove.ts';
import { lockServers, type ServerRow } from '../server/row.ts';
import { refuseWhileUpgrading } from '../server/upgrade.ts';
import { refusal } from '../tunnels/refusal.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { takeServerQuota } from '../users/limits.ts';

const firstGeneration = 1;

/**
 * Creates a server without a proxy and waits for its tunnel. A refusal while waiting removes it again and is the response; when the provider
 * is slow the response says `pending`.
 */
export const createServer: Verb<Routes['POST /api/servers'], ProxiesContext> = (context, input) => {
  const { actor } = context;
  refuseLimitedKey(actor);
  const { userId } = actor;
  return once({
    context,
    call: 'createServer',
    input,
    create: (claim) => {
      const uuid = randomUUID();
      const insert = async (tx: Tx) => {
        await claim(tx, uuid);
        await refuseWhileUpgrading(tx);
        await takeServerQuota(tx, userId);
        const [server] = await tx.sql<ServerRow[]>`
          insert into servers (uuid, user_id, name, kind) values (${uuid}, ${userId}, ${input.name}, 'machine') returning *`;
        if (!server) throw new AppError('internal');
        await tx.audit({ ...auditOfServer(server), changes: firstState({ name: server.name }) });
        await wakeWorker(tx, uuid, { urgent: true });
        return server;
      };
      return whenMade(context, uuid, async () => {
        const server = await withFreshProjections(context, userId, () => context.transaction(insert));
        announceServer(context.nc, { server, proxies: [] });
      });
    },
    repeat: (uuid) => whenMade(context, uuid, async () => {}),
  });
};

async function whenMade(
  context: Parameters<typeof createServer>[0],
  uuid: string,
  begin: () => Promise<void>,
): Promise<Server> {
  const { reads, settings } = context;
  const watch = await watchSettled(context, ofServer(uuid));
  const read = async () => {
    const [row] = await reads<ServerRow[]>`select * from servers where uuid = ${uuid} and removed_at is null`;
    if (!row) throw new AppError('not_found');
    return row;
  };
  try {
    await begin();
    if ((await read()).appliedGeneration < firstGeneration)
      await context.whileWaiting(watch.generation(firstGeneration, settings.PROVISION_WAIT_MS));
    const refused = watch.refusalOf(firstGeneration);
    if (!refused) return await shownServer(reads, await read(), context.actor);
    await removeRefused(context, uuid);
    throw refusal(refused, '');
  } finally {
    watch.close();
  }
}

/** Unless somebody has recreated its tunnel meanwhile. */
async function removeRefused(context: ProxiesContext, uuid: string): Promise<void> {
  await context.transaction(async (tx) => {
    const [locked] = await lockServers(tx, tx.sql`uuid = ${uuid} and removed_at is null`);
    if (!locked || locked.proxies.length > 0 || locked.server.generation > firstGeneration) return;
    await releaseKey(tx, uuid);
    await removeServer(tx, locked);
  });
}
