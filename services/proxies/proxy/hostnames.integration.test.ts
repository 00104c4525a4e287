import { randomUUID } from 'node:crypto';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import { holdingOf, releaseHostnames, reserveHostname } from './address.ts';

const proxies = useVerbs(useStores(), 'proxies');
let users = 0;

/** Somebody new, and what becomes of names for a proxy of theirs. */
function newOwner() {
  users += 1;
  const proxy = { uuid: randomUUID(), userId: users };
  return {
    proxy,
    /** Stores the proxy itself: what looks alike counts as long as somebody has it. */
    exists: (hostname: string) => proxies.sql`
      insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
      values (${proxy.uuid}, ${proxy.userId}, 'Server', '127.0.0.1', 1, ${hostname}, 443, 'inactive')`,
    take: (hostname: string) => proxies.transaction((tx) => reserveHostname(tx, hostname, proxy)),
    /** @param keep left out: none, as of a deleted proxy */
    leave: (keep: string | null = null) => proxies.transaction((tx) => releaseHostnames(tx, proxy, keep)),
    holding: (hostname: string) => holdingOf(proxies.sql, hostname, { ...proxy, uuid: null }),
  };
}
/** As if so many days had passed. */
const pass = (days: number) =>
  proxies.sql`update reserved_hostnames set released_at = released_at - make_interval(days => ${days})`;
const refused = (code: string) => ({ code: `subdomain_${code}` });

it('the name that a proxy had is its owner’s alone for seven days, with all that look like it', async () => {
  const [owner, other] = [newOwner(), newOwner()];
  const [left, alike] = ['molch1.example.com', 'molchl.example.com'];
  await owner.take(left);
  await owner.take('neu.example.com');
  await owner.leave('neu.example.com');
  await pass(6);
  await expect(other.take(left)).rejects.toMatchObject(refused('taken'));
  await expect(other.take(alike)).rejects.toMatchObject(refused('similar'));
  expect([await other.holding(left), await other.holding(alike)]).toEqual(['taken', 'similar']);
  expect([await owner.holding(left), await owner.holding(alike)]).toEqual(['free', 'free']);
  await pass(2);
  expect([await other.holding(left), await other.holding(alike)]).toEqual(['free', 'free']);
  await other.take(left);
  await expect(other.take('neu.example.com')).rejects.toMatchObject(refused('taken'));
});

it('taken back and given back once more, it is kept from then on', async () => {
  const [owner, other] = [newOwner(), newOwner()];
  const hostname = 'unke.example.com';
  await owner.take(hostname);
  await owner.leave();
  await pass(6);
  await owner.take(hostname);
  await pass(6);
  await expect(other.take(hostname)).rejects.toMatchObject(refused('taken'));
  await owner.leave();
  await pass(6);
  await expect(other.take(hostname)).rejects.toMatchObject(refused('taken'));
  await pass(2);
  await other.take(hostname);
});

it('of two who ask at the same moment for names that look alike, the second is refused', async () => {
  const [first, second] = [newOwner(), newOwner()];
  await first.exists('olm1.example.com');
  const [taken, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const one = proxies.transaction(async (tx) => {
    await reserveHostname(tx, 'olm1.example.com', first.proxy);
    taken.resolve();
    await mayEnd.promise;
  });
  await taken.promise;
  let isOver = false;
  const other = second.take('olml.example.com').finally(() => {
    isOver = true;
  });
  const refusal = expect(other).rejects.toMatchObject(refused('similar'));
  const isWaiting = async () => (await proxies.sql`select 1 from pg_locks where not granted`).length > 0;
  await until('the second to wait, or to be done', async () => isOver || (await isWaiting()));
  mayEnd.resolve();
  await one;
  await refusal;
});

it('a hundred names of one user are kept from others at most, the last ones', async () => {
  const [owner, other] = [newOwner(), newOwner()];
  for (let at = 0; at <= 100; at += 1) {
    await owner.take(`kroete-${at}.example.com`);
    await owner.leave();
  }
  await other.take('kroete-0.example.com');
  await expect(other.take('kroete-1.example.com')).rejects.toMatchObject(refused('taken'));
});
