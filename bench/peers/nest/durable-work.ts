import { randomUUID } from 'node:crypto';
import { AckPolicy, connect, JSONCodec, RetentionPolicy } from 'nats';
import {
  type Applied,
  natsUrl,
  type ProviderWork,
  type ProxyInput,
  type ProxyRow,
  publicProxy,
  Refusal,
  type Sql,
} from './work.ts';

/*
 * What Talpa promises for writes: an outbox, durable messages, jobs with a lease, a history of runs and
 * states, and an audit row that is stored once. As a monolith's authors would write it: one message, one transaction.
 */

const codec = JSONCodec<unknown>();
const stream = 'durable';
type Subject = 'durable.command' | 'durable.audit' | 'durable.state';

/** Opens JetStream and makes the stream, where it is missing. */
export async function openStream() {
  const nc = await connect({ servers: [natsUrl()] });
  const manager = await nc.jetstreamManager();
  await manager.streams.add({
    ...{ name: stream, subjects: ['durable.>'], retention: RetentionPolicy.Workqueue },
  });
  const js = nc.jetstream();
  return {
    publish: (subject: string, payload: unknown, msgID: string) =>
      js.publish(subject, codec.encode(payload), { msgID }),
    /** Hands over messages of a subject; they are acknowledged afterwards, and sent again after a failure. */
    consume: async <T>(subject: Subject, handle: (payload: T) => Promise<unknown>) => {
      const durable_name = subject.replace('.', '-');
      const options = { durable_name, filter_subject: subject, ack_policy: AckPolicy.Explicit };
      await manager.consumers.add(stream, options);
      const messages = await (await js.consumers.get(stream, durable_name)).consume();
      for await (const message of messages)
        void handle(codec.decode(message.data) as T).then(
          () => message.ack(),
          () => message.nak(100),
        );
    },
  };
}
type Stream = Awaited<ReturnType<typeof openStream>>;

/** Relays what transactions have written into the outbox. */
export function startRelay(sql: Sql, stream: Stream): { kick(): void } {
  let isRunning = false;
  let again = false;
  const relay = () =>
    sql.begin(async (tx) => {
      const rows = await tx<{ id: number; subject: string; payload: unknown }[]>`
        delete from outbox where id = any (array (select id from outbox order by id limit 200 for update))
        returning id, subject, payload`;
      await Promise.all(rows.map(({ id, subject, payload }) => stream.publish(subject, payload, String(id))));
    });
  const kick = async () => {
    again = true;
    if (isRunning) return;
    isRunning = true;
    while (again) {
      again = false;
      await relay().catch((error) => console.error(error));
    }
    isRunning = false;
  };
  // What a process that died has left.
  setInterval(kick, 1_000);
  return { kick: () => void kick() };
}

interface AuditPayload {
  readonly id: string;
  readonly action: 'proxy.create' | 'proxy.delete';
  readonly userId: number;
  readonly proxyId: number;
  readonly name: string;
}
interface StatePayload {
  readonly proxy: string;
  readonly version: number;
  readonly state: string;
}

type Tx = Parameters<Parameters<Sql['begin']>[1]>[0];

const store = (tx: Tx, messages: readonly (readonly [Subject, object])[]) =>
  tx`insert into outbox ${tx(messages.map(([subject, payload]) => ({ subject, payload: sqlJson(tx, payload) })))}`;
const sqlJson = (tx: Tx, payload: object) => tx.json(payload as never);
const auditOf = (action: AuditPayload['action'], { id, userId, serverName }: ProxyRow): AuditPayload => ({
  ...{ id: randomUUID(), action, userId, proxyId: id, name: serverName },
});

/** What proxies does. @param relay what was committed is to be relayed */
export const proxiesWork = (sql: Sql, relay: { kick(): void }) => {
  const waiting = new Map<string, () => void>();
  const settled = (uuid: string) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 8_000);
      waiting.set(uuid, () => {
        clearTimeout(timer);
        resolve();
      });
    }).finally(() => waiting.delete(uuid));

  return {
    list: async (userId: number) => {
      const rows = await sql<ProxyRow[]>`
        select * from proxies where removed_at is null and user_id = ${userId} order by id limit 1001`;
      return rows.slice(0, 1_000).map(publicProxy);
    },

    create: async (userId: number, input: ProxyInput) => {
      const uuid = randomUUID();
      const label = input.serverName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      const hostname = `${label}.peer.example`;
      const done = settled(uuid);
      await sql.begin(async (tx) => {
        const [quota] = await tx`select * from quotas where user_id = ${userId} for update`;
        const [counted] = await tx`
          select count(*) as count from proxies where user_id = ${userId} and removed_at is null`;
        if (counted?.count >= (quota?.proxyLimit ?? 0)) throw new Refusal(403, 'limit reached');
        const [row] = await tx<ProxyRow[]>`
          insert into proxies (uuid, user_id, server_name, server_ip, admin_port, custom_url, hostname, proxy_port, status)
          values (${uuid}, ${userId}, ${input.serverName}, ${input.serverIP}, ${input.adminPort},
            ${input.customUrl}, ${hostname}, 8081, 'pending') returning *`;
        const { count } = await tx`
          insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${uuid}) on conflict do nothing`;
        if (count === 0 || !row) throw new Refusal(409, 'taken');
        await store(tx, [
          ['durable.command', { uuid }],
          ['durable.state', { proxy: uuid, version: 1, state: 'unknown' }],
          ['durable.audit', auditOf('proxy.create', row)],
        ]);
      });
      relay.kick();
      await done;
      const [row] = await sql<ProxyRow[]>`select * from proxies where uuid = ${uuid}`;
      if (!row) throw new Refusal(404, 'not found');
      return { proxy: publicProxy(row), message: `Proxy „${row.serverName}“ wurde angelegt.` };
    },

    remove: async (userId: number, id: number) => {
      await sql.begin(async (tx) => {
        const [row] = await tx<ProxyRow[]>`
          update proxies set removed_at = now(), version = version + 1
          where id = ${id} and user_id = ${userId} and removed_at is null returning *`;
        if (!row) throw new Refusal(404, 'not found');
        await store(tx, [
          ['durable.command', { uuid: row.uuid }],
          ['durable.state', { proxy: row.uuid, version: row.version, state: 'gone' }],
          ['durable.audit', auditOf('proxy.delete', row)],
        ]);
      });
      relay.kick();
    },

    /** What the worker is to bring about. */
    desired: async (uuid: string) => {
      const [row] = await sql<ProxyRow[]>`select * from proxies where uuid = ${uuid}`;
      if (!row) return null;
      const { hostname, serverIp, adminPort, applied, removedAt } = row;
      return { hostname, origin: `http://${serverIp}:${adminPort}`, applied, isWanted: removedAt === null };
    },

    /** Takes in what the worker has made, or that all is gone. */
    report: async (uuid: string, applied: Applied | null) => {
      await sql.begin(async (tx) => {
        if (applied) {
          const [row] = await tx<ProxyRow[]>`
            update proxies set status = 'inactive', applied = ${tx.json({ ...applied })}, version = version + 1
            where uuid = ${uuid} returning *`;
          if (row) await store(tx, [['durable.state', { proxy: uuid, version: row.version, state: 'down' }]]);
        } else {
          await tx`delete from hostnames where proxy_uuid = ${uuid}`;
          await tx`delete from proxies where uuid = ${uuid} and removed_at is not null`;
        }
      });
      relay.kick();
      waiting.get(uuid)?.();
    },
  };
};
type ProxiesWork = ReturnType<typeof proxiesWork>;

/** What the worker does: stores jobs, claims them with a lease, reconciles, and records each run. */
export const tunnelsWork = (
  sql: Sql,
  provider: ProviderWork,
  proxies: Pick<ProxiesWork, 'desired' | 'report'>,
) => {
  const run = async (uuid: string, holder: string) => {
    const startedAt = performance.now();
    const desired = await proxies.desired(uuid);
    let applied: Applied | null = null;
    if (desired?.isWanted) applied = await provider.create({ uuid, ...desired });
    else if (desired?.applied) await provider.remove({ uuid, ...desired.applied });
    const durationMs = Math.round(performance.now() - startedAt);
    const outcome = applied ? 'applied' : 'removed';
    await sql`
      insert into job_runs (proxy_uuid, outcome, duration_ms) values (${uuid}, ${outcome}, ${durationMs})`;
    await proxies.report(uuid, applied);
    await sql`delete from jobs where proxy_uuid = ${uuid} and holder = ${holder}`;
  };
  const claim = async () => {
    const jobs = await sql<{ proxyUuid: string; holder: string }[]>`
      update jobs set holder = gen_random_uuid(), expires_at = now() + interval '4 seconds'
      where proxy_uuid in (
        select proxy_uuid from jobs where holder is null or expires_at < now() limit 8 for update skip locked)
      returning proxy_uuid, holder`;
    for (const { proxyUuid, holder } of jobs)
      void run(proxyUuid, holder).catch((error) => console.error(error));
  };
  // What a process that died has held.
  setInterval(() => claim().catch((error) => console.error(error)), 500);
  return {
    enqueue: async ({ uuid }: { uuid: string }) => {
      await sql`
        insert into jobs (proxy_uuid) values (${uuid})
        on conflict (proxy_uuid) do update set holder = null, expires_at = null`;
      void claim().catch((error) => console.error(error));
    },
  };
};

/** What the statistics do: the audit trail, the totals and the states, each once however often a message comes. */
export const statsWork = (sql: Sql) => ({
  keepAudit: async ({ id, action, userId, proxyId, name }: AuditPayload) => {
    await sql.begin(async (tx) => {
      const { count } = await tx`
        insert into audit (message_id, action, user_id, proxy_id, label)
        values (${id}, ${action}, ${userId}, ${proxyId}, ${name}) on conflict (message_id) do nothing`;
      if (count === 0) return;
      await tx`
        update totals set value = value + ${action === 'proxy.create' ? 1 : -1} where name = 'proxies'`;
    });
  },
  keepState: ({ proxy, version, state }: StatePayload) => sql`
    insert into states (proxy_uuid, version, state) values (${proxy}, ${version}, ${state}) on conflict do nothing`,
});
