import { jetstreamManager } from '@nats-io/jetstream';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { operate } from '@talpa/test-kit/operator';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const system = useTalpa({ STREAM_WATCH_MS: '300' });
const talpa = (...args: string[]) => operate(system.talpa.home, args);

async function inDatabase<T extends object>(statement: string): Promise<T[]> {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  try {
    return (await sql.unsafe(statement)) as unknown as T[];
  } finally {
    await sql.end();
  }
}

/** The figures as the owners' tables have them. */
async function truth() {
  const [row] = await inDatabase<object>(`
    select (select count(*) from auth.users) as "totalUsers",
      (select count(*) from proxies.proxies where removed_at is null) as "totalProxies",
      (select count(*) from proxies.proxies where removed_at is null and status = 'active') as "activeProxies"`);
  return row;
}
const totalsAreRight = async () => {
  const root = await system.admin();
  return until('the right totals', async () => {
    const { body } = await root.try('GET /api/system/stats', {});
    return JSON.stringify(body, null, 1) === JSON.stringify(ordered(await truth()), null, 1);
  });
};
const ordered = (figures: object | undefined) => {
  const { totalProxies, activeProxies, totalUsers } = figures as Record<string, number>;
  return { totalProxies, activeProxies, totalUsers };
};

it('an operator has the totals counted anew, whatever they were; until then they are an honest 503', async () => {
  const { client } = await newUser(system.url, 'basic');
  await client.call('POST /api/tunnel-configs', proxyInput());
  await totalsAreRight();
  await inDatabase(`
    insert into stats.counted (kind, id, version, present, active, changed_at)
      values ('user', '999999', 1, true, false, now() - interval '1 day');
    delete from stats.counted where kind = 'proxy';
    update stats.totals set value = 77;
    update stats.totals_state set known = false, alive_at = now() + interval '1 hour'`);
  // The gateway caches the last response until something is counted.
  const other = await newUser(system.url, 'free');
  await until('an honest 503', async () => {
    const { status, body } = await other.client.try('GET /api/system/stats', {});
    return status === 503 && 'code' in body && body.code === 'service_unavailable';
  });
  const { code, output } = await talpa('stats', 'rebuild');
  expect(output).toMatch(/\d+ users?, (1 proxy|\d+ proxies) \(\d+ active\)/);
  expect(code).toBe(0);
  expect(await client.call('GET /api/system/stats', {})).toEqual(ordered(await truth()));
});

it('projections and totals heal by themselves after NATS has lost its store, tombstones of users too', async () => {
  const { client, user } = await newUser(system.url, 'premium');
  const gone = await newUser(system.url, 'basic');
  const root = await system.admin();
  await root.call('DELETE /api/admin/users/:id', { id: gone.user.id });
  await until('the end of the deletion everywhere', async () => {
    const rows = await inDatabase(`
      select 1 from proxies.users join auth.entitlements using (user_id)
      where user_id = ${gone.user.id} and closed and deleted`);
    return rows.length > 0;
  });
  // What a lost stream would have delivered.
  await inDatabase(`
    delete from auth.entitlements where user_id in (${user.id}, ${gone.user.id});
    delete from proxies.users where user_id in (${user.id}, ${gone.user.id});
    delete from stats.counted where kind = 'user' and id = '${user.id}';
    update stats.totals set value = value - 1 where name = 'users'`);
  const nc = await openBus(system.talpa.stores.natsUrl('operator'), 'operator');
  await (await jetstreamManager(streamsOf(nc))).streams.delete('EVENTS');
  await nc.close();
  await setUpStreams(system.talpa.stores.natsUrl('operator'));

  await until('the plan is known again where it is shown and enforced', async () => {
    const shown = await client.call('GET /api/user', {});
    const enforced = await client.call('GET /api/user/subscription/can-create-proxy', {});
    return shown.subscriptionTier === 'premium' && enforced.limit === 10 && enforced.canCreate;
  });
  await until('the deleted user is known as such again', async () => {
    const rows = await inDatabase(`select 1 from proxies.users where user_id = ${gone.user.id} and closed`);
    return rows.length > 0;
  });
  await totalsAreRight();
  await client.call('POST /api/tunnel-configs', proxyInput());
  await totalsAreRight();
}, 90_000);

it('an operator has every row published once more, a proxy’s present state to its history too', async () => {
  const { client, user } = await newUser(system.url, 'basic');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const history = `
    select 1 from proxies.proxies join stats.states on proxy_id = uuid and states.version = proxies.version
      join stats.owners using (proxy_id) join stats.tunnels using (proxy_id) where proxies.id = ${proxy.id}`;
  await until('its history has begun', async () => (await inDatabase(history)).length === 1);
  const its = `where proxy_id = (select uuid from proxies.proxies where id = ${proxy.id})`;
  await inDatabase(`
    delete from stats.states ${its}; delete from stats.owners ${its}; delete from stats.tunnels ${its};
    delete from auth.entitlements where user_id = ${user.id}`);
  const { code, output } = await talpa('events', 'republish');
  expect(output).toMatch(/auth: \d+ rows[\s\S]*billing: \d+ rows[\s\S]*proxies: \d+ rows/);
  expect(code).toBe(0);
  await until('the plan is shown again', async () => {
    return (await client.call('GET /api/user', {})).subscriptionTier === 'basic';
  });
  await until('its history goes on', async () => (await inDatabase(history)).length === 1);
});

it('an operator who tests email without a mail server is shown that it is not set up', async () => {
  expect(await talpa('mail', 'test', 'anna@example.com')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^✗ Email is not set up: SMTP_URL is not set\./m),
  });
});
