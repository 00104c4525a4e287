import { randomUUID } from 'node:crypto';
import type { Actor } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { getDesiredServer } from '../tunnels/get-desired-server.ts';
import { pauseProxy, resumeProxy } from './pause.ts';
import { suspendProxy } from './suspend.ts';

const proxies = useVerbs(useStores(), 'proxies');
const admin = actorOf(1, { isAdmin: true });
let users = 100;

/** A proxy, with a tunnel or without, in the hands of its owner. */
async function newProxy({ hasTunnel = true } = {}) {
  users += 1;
  const owner = actorOf(users);
  const uuid = randomUUID();
  const hostname = `${uuid}.example.com`;
  const tunnel = { tunnelId: 't', dnsRecordId: 'r', incarnation: 1, hostname, origin: 'http://127.0.0.1:1' };
  const [made] = await proxies.sql<ProxyRow[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, applied,
      generation, applied_generation)
    values (${uuid}, ${users}, 'Server', '127.0.0.1', 1, ${hostname}, 80, ${hasTunnel ? 'active' : 'error'},
      ${hasTunnel ? proxies.sql.json(tunnel) : null}, 1, 1) returning *`;
  const id = made?.id ?? 0;
  const as = (actor: Actor, action: 'proxy.pause' | 'proxy.resume' | 'proxy.suspend') =>
    ({ ...proxies.call(actor, action), role: 'operate' }) as unknown as ProxiesContext & { actor: Actor };
  return {
    owner,
    pause: (message: string, expected?: string | null, actor: Actor = owner) =>
      pauseProxy(as(actor, 'proxy.pause'), {
        ...{ id, message },
        ...(expected === undefined ? {} : { expected: { message: expected } }),
      }),
    resume: (actor: Actor = owner) => resumeProxy(as(actor, 'proxy.resume'), { id }),
    suspend: () => suspendProxy(as(admin, 'proxy.suspend'), { id, reason: 'Spam' }),
    row: async () => (await proxies.sql<ProxyRow[]>`select * from proxies where id = ${id}`)[0] as ProxyRow,
    wanted: async () => {
      const context = proxies.call(null) as unknown as ProxiesContext & { actor: null };
      return (await getDesiredServer(context, { serverId: made?.serverUuid ?? '' }))?.proxies[0]?.want;
    },
    /** How often the worker was asked to come at once. */
    turns: async () =>
      (
        await proxies.sql`
          select 1 from outbox where subject = ${commandSubject('tunnel-worker.enqueue')}
            and payload->>'serverId' = ${made?.serverUuid ?? ''} and (payload->>'urgent')::boolean`
      ).length,
    audited: async () =>
      (
        await proxies.sql<{ entry: { action: string; changes: object } }[]>`
          select payload as entry from outbox where subject like 'audit%' and payload->'target'->>'id' = ${String(id)}
          order by id`
      ).map(({ entry }) => [entry.action, entry.changes]),
    published: () => proxies.published('proxy', uuid),
  };
}

it('a pause and its end are brought to the provider once, however often they are asked for', async () => {
  const proxy = await newProxy();
  const before = await proxy.wanted();
  const first = await proxy.pause('Wartung');
  expect(first.paused).toMatchObject({ message: 'Wartung' });
  const paused = await proxy.row();
  expect(await proxy.pause('Wartung')).toEqual(first);
  expect(await proxy.row()).toEqual(paused);
  expect(await proxy.wanted()).toEqual({ ...before, paused: true });
  expect([await proxy.turns(), paused.generation]).toEqual([1, 2]);
  for (const _again of [1, 2]) expect(await proxy.resume()).toBeNull();
  expect(await proxy.wanted()).toEqual(before);
  expect([await proxy.turns(), (await proxy.row()).generation]).toEqual([2, 3]);
  expect(await proxy.audited()).toEqual([
    ['proxy.pause', { message: { from: null, to: 'Wartung' } }],
    ['proxy.resume', { message: { from: 'Wartung', to: null } }],
  ]);
  expect((await proxy.published()).map(({ paused: isPaused }) => isPaused)).toEqual([true, false]);
});

it('another message leaves the date and the provider alone, and overwrites no one’s that was not seen', async () => {
  const proxy = await newProxy();
  const first = await proxy.pause('', null);
  const second = await proxy.pause('Bis 18 Uhr', '');
  expect(second.paused).toEqual({ ...first.paused, message: 'Bis 18 Uhr' });
  expect(await proxy.turns()).toBe(1);
  for (const seen of [null, ''])
    await expect(proxy.pause('Bis 20 Uhr', seen)).rejects.toMatchObject({ code: 'edit_conflict' });
  expect((await proxy.row()).pauseMessage).toBe('Bis 18 Uhr');
});

it('a proxy without a tunnel is paused without the worker, and its next tunnel is made so', async () => {
  const proxy = await newProxy({ hasTunnel: false });
  await proxy.pause('Umbau');
  expect([await proxy.turns(), (await proxy.wanted())?.paused]).toEqual([0, true]);
});

it('who is suspended neither pauses nor resumes; an administrator does, and the suspension stays', async () => {
  const proxy = await newProxy();
  await proxy.pause('Wartung');
  await proxy.suspend();
  const row = await proxy.row();
  for (const call of [() => proxy.pause('Anders'), () => proxy.resume()])
    await expect(call()).rejects.toMatchObject({ code: 'proxy_suspended', params: { reason: 'Spam' } });
  expect(await proxy.row()).toEqual(row);
  expect((await proxy.pause('Anders', undefined, admin)).suspension).toMatchObject({ reason: 'Spam' });
  expect(await proxy.wanted()).toMatchObject({ paused: true, suspended: true });
  await proxy.resume(admin);
  expect(await proxy.row()).toMatchObject({ pausedAt: null, suspensionReason: 'Spam' });
});
