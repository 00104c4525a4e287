import type { Actor, AuditAction, CommandOf } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { createLog } from '@talpa/service-kit/log';
import { newSchemas } from '@talpa/test-kit/schemas';
import { actorOf } from '@talpa/test-kit/services';
import type { TestStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ProxiesContext } from '../../services/proxies/context.ts';
import { applyDomains } from '../../services/proxies/domains/row.ts';
import { createProxy } from '../../services/proxies/proxies/create.ts';
import { deleteProxy } from '../../services/proxies/proxies/delete.ts';
import { liftProxySuspension } from '../../services/proxies/proxies/lift-suspension.ts';
import { pauseProxy, resumeProxy } from '../../services/proxies/proxies/pause.ts';
import { suspendProxy } from '../../services/proxies/proxies/suspend.ts';
import { updateProxy } from '../../services/proxies/proxies/update.ts';
import { lockAnyProxy } from '../../services/proxies/proxy/find.ts';
import type { ProxyRow } from '../../services/proxies/proxy/row.ts';
import type { ServerRow } from '../../services/proxies/server/row.ts';
import { createServer } from '../../services/proxies/servers/create.ts';
import { deleteServer } from '../../services/proxies/servers/delete.ts';
import { moveProxy } from '../../services/proxies/servers/move.ts';
import { updateServer } from '../../services/proxies/servers/update.ts';
import { getDesiredServer } from '../../services/proxies/tunnels/get-desired-server.ts';
import { recreateServer, recreateTunnel } from '../../services/proxies/tunnels/recreate.ts';
import { reportServer } from '../../services/proxies/tunnels/report-server.ts';
import { claimDueJobs } from '../../services/tunnel-worker/jobs/claim.ts';
import type { JobContext } from '../../services/tunnel-worker/jobs/context.ts';
import { runJob } from '../../services/tunnel-worker/jobs/run.ts';
import { enqueue } from '../../services/tunnel-worker/jobs/sql.ts';
import { createProviderProblems } from '../../services/tunnel-worker/problems/problems.ts';
import type { ProviderSettings } from '../../services/tunnel-worker/provider/client.ts';

export const domain = 'example.com';
export const installation = 'test1';
const owner = actorOf(7);
const admin = actorOf(1, { isAdmin: true });
const command = commandSubject('tunnel-worker.enqueue');
/** No caller waits. */
const settings = {
  ...{ TUNNEL_DOMAIN: domain, TUNNEL_PUBLIC_PORT: 8081, TUNNEL_PROVIDER: 'embedded' },
  ...{ RESERVED_NAMES: [], PROVISION_WAIT_MS: 1 },
};

/** Proxies and a worker in this process, without buses between: a test decides when what is done. */
export function useWorld(stores: TestStores, provider: () => ProviderSettings, suspendsSingly: boolean) {
  const proxies = useVerbs(stores, 'proxies', { withEdge: true });
  let opened: Sql | undefined;
  const sql = () => {
    if (!opened) throw new Error('the database is not open');
    return opened;
  };
  beforeAll(async () => {
    opened = openDatabase((await newSchemas(stores, 'tunnel-worker'))('tunnel-worker'), 4);
  });
  beforeEach(async () => {
    for (const table of ['jobs', 'job_runs']) await sql().unsafe(`delete from ${table}`);
    for (const table of ['hostnames', 'reserved_hostnames', 'proxies', 'servers', 'users', 'outbox'])
      await proxies.sql.unsafe(`delete from ${table}`);
    await proxies.sql`insert into users (user_id, username, tier, proxy_limit) values (7, 'max', 'premium', 500)`;
  });
  afterAll(() => opened?.end({ timeout: 5 }));

  const asWorker = () => proxies.call(null) as unknown as ProxiesContext & { actor: null };
  const as = <A extends Actor>(actor: A, audit: AuditAction) =>
    ({ ...proxies.call(actor, audit), settings }) as unknown as ProxiesContext & { actor: A };
  const log = createLog('tunnel-worker', 'silent');
  const context = (changes: Partial<JobContext>): JobContext => ({
    ...{ sql: sql(), log, provider: provider(), installationId: installation, suspendsSingly, attempts: 4 },
    budget: { acquire: async () => {}, pause: async () => {} },
    problems: createProviderProblems(sql(), log),
    stopping: new AbortController().signal,
    getDesired: (serverId) => getDesiredServer(asWorker(), { serverId }),
    report: async (report) => (await reportServer(asWorker(), report)).counted,
    mayBelieveGone: async () => true,
    mayRemoveUnknown: async () => true,
    ...changes,
  });
  /** Hands the worker what proxies has ordered. */
  const relay = async () => {
    const rows = await proxies.sql<{ subject: string; payload: CommandOf<'tunnel-worker.enqueue'> }[]>`
      delete from outbox returning subject, payload`;
    const orders = rows.filter(({ subject }) => subject === command).map(({ payload }) => payload);
    if (orders.length > 0)
      await enqueue(
        sql(),
        orders.map(({ serverId, proxyId, urgent }) => ({ serverId: serverId ?? proxyId, urgent })),
      );
  };
  /** Works on what is due, once. @returns whether anything was */
  const work = async (changes: Partial<JobContext> = {}): Promise<boolean> => {
    await relay();
    const [job] = await claimDueJobs(sql(), 1);
    if (job) await runJob(context(changes), job);
    return job !== undefined;
  };

  const serverOf = async (uuid: string) =>
    (await proxies.sql<ServerRow[]>`select * from servers where uuid = ${uuid}`)[0];
  return {
    proxies: () => proxies.sql<ProxyRow[]>`select * from proxies order by id`,
    servers: () => proxies.sql<ServerRow[]>`select * from servers order by id`,
    rowOf: async (id: number) => (await proxies.sql<ProxyRow[]>`select * from proxies where id = ${id}`)[0],
    /** A proxy on a server that is there, or on one of its own; it is there when its caller has waited in vain. */
    create: async (label: string, port: number, serverUuid: string | null = null): Promise<number> => {
      const serverId = serverUuid === null ? undefined : (await serverOf(serverUuid))?.id;
      const entries = { serverName: 'Server', serverIP: '127.0.0.1', adminPort: port, customUrl: label };
      const input = { ...entries, ...(serverId === undefined ? {} : { serverId }) };
      return (await createProxy(as(owner, 'proxy.create'), input)).proxy.id;
    },
    createServer: async (name: string) => (await createServer(as(owner, 'server.create'), { name })).id,
    renameServer: (id: number, name: string) => updateServer(as(owner, 'server.update'), { id, name }),
    deleteServer: (id: number) => deleteServer(as(owner, 'server.delete'), { id }),
    recreateServer: (id: number) => recreateServer(as(owner, 'server.recreate'), { id }),
    move: (id: number, serverId: number) => moveProxy(as(owner, 'proxy.move'), { id, serverId }),
    moveToNew: (id: number, name: string) => moveProxy(as(owner, 'proxy.move'), { id, name }),
    edit: (id: number, label: string, port: number) =>
      updateProxy(as(owner, 'proxy.update'), {
        ...{ id, serverName: 'Server', serverIP: '127.0.0.1', adminPort: port, customUrl: label },
      }),
    remove: (id: number) => deleteProxy(as(owner, 'proxy.delete'), { id }),
    suspend: (id: number) => suspendProxy(as(admin, 'proxy.suspend'), { id, reason: 'Spam' }),
    lift: (id: number) => liftProxySuspension(as(admin, 'proxy.liftSuspension'), { id }),
    pause: (id: number) => pauseProxy(as(admin, 'proxy.pause'), { id, message: 'Pause' }),
    resume: (id: number) => resumeProxy(as(admin, 'proxy.resume'), { id }),
    recreate: (id: number) => recreateTunnel(as(owner, 'proxy.recreateTunnel'), { id }),
    /** A custom domain that has been verified is served, or is removed. */
    serve: (id: number, host: string) =>
      proxies.transaction(async (tx) => {
        const row = await lockAnyProxy(tx, id);
        await tx.sql`
          insert into domains (proxy_id, user_id, host, token, state, served, held)
          values (${id}, 7, ${host}, '', 'verified', true, true)`;
        await applyDomains(tx, row);
      }),
    unserve: (id: number, host: string) =>
      proxies.transaction(async (tx) => {
        const row = await lockAnyProxy(tx, id);
        await tx.sql`update domains set served = false, removed_at = now() where proxy_id = ${id} and host = ${host}`;
        await applyDomains(tx, row);
      }),
    /** So many domains that are not verified yet. */
    addDomains: (id: number, count: number) => proxies.sql`
      insert into domains (proxy_id, user_id, host, token)
      select ${id}, 7, 'eigene-' || number || '.example.org', '' from generate_series(1, ${count}::integer) as number`,
    /** Somebody else has the token. */
    share: (serverId: number) =>
      proxies.sql`update servers set token_shared_at = now() where id = ${serverId}`,
    domains: () => proxies.sql<{ proxyId: number; host: string; served: boolean }[]>`
      select proxy_id, host, served from domains order by host`,
    work,
    /** Every server is looked at now, whatever has failed. */
    wakeAll: async () => {
      await relay();
      const servers = await proxies.sql<{ uuid: string }[]>`
        select uuid from servers where generation > applied_generation union
        select server_uuid from proxies where generation > applied_generation`;
      await enqueue(
        sql(),
        servers.map(({ uuid }) => ({ serverId: uuid })),
      );
      await sql()`update jobs set retry_at = null, due_at = now() where holder is null and (due_at is not null or retry_at is not null)`;
      return servers.length;
    },
    /** Looks at everything that has a server's name, as the resync orders it. */
    scan: (serverId: string) => enqueue(sql(), [{ serverId, fullScan: true }]),
  };
}
export type World = ReturnType<typeof useWorld>;
