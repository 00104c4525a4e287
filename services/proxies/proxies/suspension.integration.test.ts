import { randomUUID } from 'node:crypto';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { saveSuspension } from '../proxy/save-suspension.ts';
import { liftProxySuspension } from './lift-suspension.ts';
import { suspendProxy } from './suspend.ts';

const proxies = useVerbs(useStores(), 'proxies');
const admin = actorOf(1, { isAdmin: true });
const context = () =>
  proxies.call(admin, 'proxy.suspend') as unknown as ProxiesContext & { actor: typeof admin };

/** A proxy, with a tunnel or without, and how often a job to cut it off or to open it again was enqueued. */
async function newProxy({ hasTunnel = true, generation = 1 } = {}) {
  const uuid = randomUUID();
  const hostname = `${uuid}.example.com`;
  const tunnel = { tunnelId: 't', dnsRecordId: 'r', incarnation: 1, hostname, origin: 'http://127.0.0.1:1' };
  const [made] = await proxies.sql<ProxyRow[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, applied,
      generation, applied_generation)
    values (${uuid}, 7, 'Server', '127.0.0.1', 1, ${hostname}, 80, 'inactive',
      ${hasTunnel ? proxies.sql.json(tunnel) : null}, ${generation}, 1) returning *`;
  const row = async () => {
    const [found] = await proxies.sql<ProxyRow[]>`select * from proxies where uuid = ${uuid}`;
    if (!found) throw new Error('the proxy is gone');
    return found;
  };
  return {
    suspend: (reason = 'Spam', ...expected: (string | null)[]) =>
      suspendProxy(context(), {
        ...{ id: made?.id ?? 0, reason },
        ...(expected[0] === undefined ? {} : { expected: { reason: expected[0] } }),
      }),
    reason: async () => (await row()).suspensionReason,
    lift: () => liftProxySuspension(context(), { id: made?.id ?? 0 }),
    /** Its owner is suspended, or that is lifted. */
    ofOwner: (isSuspended: boolean) =>
      proxies.transaction(async (tx) =>
        saveSuspension(tx, await row(), {
          ownerSuspendedAt: isSuspended ? new Date() : null,
          ownerSuspensionReason: isSuspended ? 'Spam' : null,
        }),
      ),
    turns: async () => {
      const woken = await proxies.sql<{ payload: { urgent: boolean } }[]>`
        select payload from outbox
        where subject = ${commandSubject('tunnel-worker.enqueue')} and payload->>'proxyId' = ${uuid}`;
      expect(woken.every(({ payload }) => payload.urgent)).toBe(true);
      // The worker looks for a raised generation alone.
      expect((await row()).generation - generation).toBe(woken.length);
      return woken.length;
    },
  };
}

it('a suspension is carried to the provider at once, and so is its end; another reason is not', async () => {
  const proxy = await newProxy();
  await proxy.suspend();
  expect(await proxy.turns()).toBe(1);
  await proxy.suspend('Betrug');
  expect(await proxy.turns()).toBe(1);
  await proxy.lift();
  expect(await proxy.turns()).toBe(2);
  await proxy.lift();
  expect(await proxy.turns()).toBe(2);
});

it('a proxy stays cut off until both its own suspension and its owner’s have ended', async () => {
  const proxy = await newProxy();
  await proxy.ofOwner(true);
  expect(await proxy.turns()).toBe(1);
  await proxy.suspend();
  await proxy.ofOwner(false);
  expect(await proxy.turns()).toBe(1);
  await proxy.ofOwner(true);
  await proxy.lift();
  expect(await proxy.turns()).toBe(1);
  await proxy.ofOwner(false);
  expect(await proxy.turns()).toBe(2);
});

it('a suspended proxy that has no tunnel makes the worker do nothing, unless one is just being made', async () => {
  const [none, coming] = [
    await newProxy({ hasTunnel: false }),
    await newProxy({ hasTunnel: false, generation: 2 }),
  ];
  for (const proxy of [none, coming]) await proxy.suspend();
  expect([await none.turns(), await coming.turns()]).toEqual([0, 1]);
});

it('a suspension that starts from another reason than the stored one overwrites nothing', async () => {
  const proxy = await newProxy();
  await proxy.suspend('Spam', null);
  await expect(proxy.suspend('Betrug', null)).rejects.toMatchObject({ code: 'edit_conflict' });
  expect(await proxy.reason()).toBe('Spam');
  await proxy.suspend('Betrug', 'Spam');
  expect(await proxy.reason()).toBe('Betrug');
});
