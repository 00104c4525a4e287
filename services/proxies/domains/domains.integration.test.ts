import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { domainGraceHours } from '@talpa/contracts';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { startZoneServer } from '@talpa/test-kit/zone-server';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { deleteProxy } from '../proxies/delete.ts';
import { getDesired, report } from '../tunnels/previous-calls.ts';
import { addDomain } from './add.ts';
import { checkRecords } from './check.ts';
import { listDomains } from './list.ts';
import { findProblem } from './look-up.ts';
import { removeDomain } from './remove.ts';
import { checkDue } from './schedule.ts';

const dns = await startZoneServer();
afterAll(dns.stop);
const verbs = useVerbs(useStores(), 'proxies');
const settings = {
  ...{ TUNNEL_DOMAIN: 'tunnel.example.net', PUBLIC_URL: 'https://panel.example.com', RESERVED_NAMES: [] },
  MAIL_FROM: undefined,
  ...{ TUNNEL_PUBLIC_PORT: 443, TUNNEL_PROVIDER: 'embedded', DNS_SERVERS: [dns.server] },
  ...{ REQUEST_LOG_DAYS: 30, EDGE_TCP_PORTS: null, EDGE_TCP_NAME: 'play.talpa.example.com' },
  ...{ PROVISION_WAIT_MS: 1, SWEEP_INTERVAL_MS: 1, STREAM_WATCH_MS: 1, DOMAIN_CHECK_INTERVAL_MS: 1 },
} as ProxiesContext['settings'];
const hourMs = 3_600_000;

let users = 0;
/** A user with one proxy, whose tunnel the provider has. */
async function newOwner(changes: Partial<ProxiesContext['settings']> = {}) {
  users += 1;
  const actor = actorOf(users);
  const uuid = randomUUID();
  const hostname = `p${users}.tunnel.example.net`;
  const applied = {
    tunnelId: randomUUID(),
    ...{ dnsRecordId: 'r', incarnation: 1, hostname, origin: 'http://127.0.0.1:1' },
  };
  await verbs.sql`
    insert into users (user_id, tier, proxy_limit, username) values (${users}, 'enterprise', 25, ${`u${users}`})`;
  const [row] = await verbs.sql<{ id: number }[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status,
      applied_generation, applied)
    values (${uuid}, ${users}, 'Server', '127.0.0.1', 1, ${hostname}, 443, 'active', 1, ${verbs.sql.json(applied)})
    returning id`;
  const id = row?.id ?? 0;
  const context = (audit: 'proxy.addDomain' | 'proxy.removeDomain' | 'proxy.delete' | null = null) =>
    ({ ...verbs.call(actor, audit), settings: { ...settings, ...changes } }) as unknown as ProxiesContext & {
      actor: typeof actor;
    };
  const asWorker = () => ({ ...verbs.call(null), settings }) as unknown as ProxiesContext & { actor: null };
  return {
    ...{ actor, id, hostname },
    add: (host: string) => addDomain(context('proxy.addDomain'), { id, host }),
    remove: (domainId: number) => removeDomain(context('proxy.removeDomain'), { id, domainId }),
    list: async () => (await listDomains(context(), { id })).domains,
    check: (domainId: number) => checkRecords(context(), domainId, { isAwaited: true }),
    due: (now: Date) => checkDue(context(), now),
    /** The domains that the provider is to lead to the proxy. */
    desired: async () => (await getDesired(asWorker(), { proxyId: uuid }))?.want?.domains ?? [],
    /** The worker has reached what is desired. */
    apply: async () => {
      const desired = await getDesired(asWorker(), { proxyId: uuid });
      if (!desired?.want) return;
      const outcome = { kind: 'applied', applied: { ...applied, ...desired.want } } as const;
      await report(asWorker(), { proxyId: uuid, generation: desired.generation, outcome });
    },
    /** The user deletes the proxy; the worker has not run yet. */
    delete: async () => {
      await deleteProxy(context('proxy.delete'), { id });
      const [deleted] = await verbs.sql<{ generation: number }[]>`
        select generation from proxies where id = ${id}`;
      return { generation: deleted?.generation ?? 0 };
    },
    removed: (generation: number) =>
      report(asWorker(), { proxyId: uuid, generation, outcome: { kind: 'removed' } }),
    notified: async () => {
      const rows = await verbs.sql<{ kind: string }[]>`
        select payload -> 'content' ->> 'kind' as kind from outbox
        where payload ->> 'since' is not null and (payload ->> 'userId')::int = ${actor.userId} order by id`;
      return rows.map(({ kind }) => kind);
    },
    audited: async () => {
      const rows = await verbs.sql<{ action: string }[]>`
        select payload ->> 'action' as action from outbox
        where subject like 'audit.%' and (payload ->> 'subjectUserId')::int = ${actor.userId} order by id`;
      return rows.map(({ action }) => action);
    },
  };
}

type Added = Awaited<ReturnType<Awaited<ReturnType<typeof newOwner>>['add']>>;
/** Sets the records that the panel shows. */
function publish({ records }: Pick<Added, 'records'>): void {
  for (const { type, name, value } of records) dns.set(type, name, value);
}
function withdraw({ records }: Pick<Added, 'records'>): void {
  for (const { type, name } of records) dns.set(type, name, null);
}
const newHost = () => `panel-${randomUUID().slice(0, 8)}.example.org`;

/** Two owners who have added one host: the first has verified it, and the provider leads it to their proxy. */
async function newContested() {
  const [owner, other] = [await newOwner(), await newOwner()];
  const host = newHost();
  const [added, late] = [await owner.add(host), await other.add(host)];
  publish(added);
  await owner.check(added.id);
  await owner.apply();
  return { host, owner, added, other, late };
}

describe('a custom domain', () => {
  it('is served from its verification on, through failing checks, and no longer after 72 hours of them', async () => {
    const owner = await newOwner();
    const added = await owner.add(newHost());
    expect(added).toMatchObject({ state: 'pending', problem: 'challenge_missing', servedUntil: null });
    expect(await owner.desired()).toEqual([]);
    publish(added);
    const start = Date.now();
    await owner.due(new Date(start + 60_000));
    expect(await owner.list()).toMatchObject([{ state: 'verified', problem: null }]);
    expect(await owner.desired()).toEqual([added.host]);
    withdraw(added);
    // Checked daily, so the failure is seen on the next day.
    const failing = start + 25 * hourMs;
    await owner.due(new Date(start + 2 * hourMs));
    expect(await owner.list()).toMatchObject([{ state: 'verified' }]);
    await owner.due(new Date(failing));
    const end = failing + domainGraceHours * hourMs;
    const servedUntil = new Date(end).toISOString();
    expect(await owner.list()).toMatchObject([
      { state: 'failed', problem: 'challenge_missing', servedUntil },
    ]);
    await owner.due(new Date(end - 1));
    expect(await owner.desired()).toEqual([added.host]);
    await owner.due(new Date(end));
    expect(await owner.desired()).toEqual([]);
    expect(await owner.list()).toMatchObject([{ state: 'failed', servedUntil: null }]);
    expect(await owner.audited()).toEqual(['proxy.addDomain', 'proxy.verifyDomain', 'proxy.loseDomain']);
    expect(await owner.notified()).toEqual(['domain_verified', 'domain_failing', 'domain_lost']);
  });

  it('makes no notification of what its owner sees, of a single failing check, or of a lasting one twice', async () => {
    const owner = await newOwner();
    const [seen, never] = [await owner.add(newHost()), await owner.add(newHost())];
    publish(seen);
    await owner.check(seen.id);
    const start = Date.now();
    withdraw(seen);
    await owner.due(new Date(start + 25 * hourMs));
    publish(seen);
    await owner.due(new Date(start + 27 * hourMs));
    expect(await owner.notified()).toEqual([]);
    await owner.due(new Date(start + 80 * hourMs));
    expect(await owner.list()).toMatchObject([{ state: 'verified' }, { id: never.id, state: 'failed' }]);
    withdraw(seen);
    for (const hours of [110, 112, 114]) await owner.due(new Date(start + hours * hourMs));
    publish(seen);
    await owner.due(new Date(start + 116 * hourMs));
    expect(await owner.notified()).toEqual(['domain_unverified', 'domain_failing', 'domain_verified']);
  });

  it('needs its own token and a name that leads to its own proxy', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const host = newHost();
    const [added, foreign] = [await owner.add(host), await other.add(host)];
    publish(foreign);
    await owner.check(added.id);
    expect(await owner.list()).toMatchObject([{ state: 'pending', problem: 'challenge_wrong' }]);
    publish(added);
    dns.set('CNAME', host, other.hostname);
    await owner.check(added.id);
    expect(await owner.list()).toMatchObject([{ state: 'pending', problem: 'target_wrong' }]);
    dns.set('CNAME', host, null);
    dns.set('A', host, '192.0.2.7');
    dns.set('A', owner.hostname, '192.0.2.8');
    await owner.check(added.id);
    expect(await owner.list()).toMatchObject([{ problem: 'target_wrong' }]);
    dns.set('A', owner.hostname, '192.0.2.7');
    await owner.check(added.id);
    expect(await owner.list()).toMatchObject([{ state: 'verified' }]);
  });

  it('belongs to who verified it first, until the provider leads nobody there by it', async () => {
    const { host, owner, added, other, late } = await newContested();
    publish(late);
    await other.check(late.id);
    expect(await other.list()).toMatchObject([{ state: 'pending', problem: 'domain_taken' }]);
    await expect((await newOwner()).add(host)).rejects.toMatchObject({ code: 'domain_taken' });
    await owner.remove(added.id);
    expect(await owner.list()).toEqual([]);
    expect(await owner.desired()).toEqual([]);
    await other.check(late.id);
    expect(await other.desired()).toEqual([]);
    await owner.apply();
    await other.check(late.id);
    expect(await other.desired()).toEqual([host]);
  });

  it('goes with its proxy, and is free when the provider has nothing of that any more', async () => {
    const { host, owner, added, other, late } = await newContested();
    const { generation } = await owner.delete();
    publish(late);
    await other.check(late.id);
    expect(await other.list()).toMatchObject([{ problem: 'domain_taken' }]);
    await owner.removed(generation);
    await other.check(late.id);
    expect(await other.desired()).toEqual([host]);
    expect(await verbs.sql`select 1 from domains where id = ${added.id}`).toHaveLength(0);
  });

  it('is checked for four seconds at most when its name server hangs', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const server = `127.0.0.1:${silent.address().port}`;
    const checked = { host: newHost(), token: 't', target: 'p.tunnel.example.net' };
    expect(await findProblem([server], checked)).toBe('dns_unavailable');
    silent.close();
  });

  it('is refused where Cloudflare is the tunnel provider', async () => {
    const owner = await newOwner({ TUNNEL_PROVIDER: 'cloudflare' });
    await expect(owner.add(newHost())).rejects.toMatchObject({ code: 'domains_unavailable' });
    expect(await owner.list()).toEqual([]);
  });

  it('is never a name of this installation', async () => {
    const owner = await newOwner();
    for (const host of [
      'tunnel.example.net',
      'x.tunnel.example.net',
      'panel.example.com',
      'x.panel.example.com',
      'play.talpa.example.com',
    ])
      await expect(owner.add(host)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await owner.list()).toEqual([]);
  });
});
