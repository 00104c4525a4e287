import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { operate } from '@talpa/test-kit/operator';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { afterEach, describe, expect, it } from 'vitest';

const system = useTalpa({
  ...apart,
  HEALTH_INTERVAL_MS: '400',
  RESYNC_GRACE_MS: '1',
  PROVISION_ATTEMPTS: '4',
  // A busy machine starts a worker late.
  PROVISION_WAIT_MS: '16000',
});
const provider = () => providerOf(system.talpa);
const talpa = (...args: string[]) => operate(system.talpa.home, args);

afterEach(() => provider().clearFaults());

/** Does something to the provider's own tables. */
async function inProvider(statement: string): Promise<void> {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql.unsafe(`set search_path = tunnel_provider; ${statement}`);
  await sql.end();
}

async function onlyProxy(client: Client) {
  const [proxy] = await client.call('GET /api/tunnel-configs', {});
  if (!proxy) throw new Error('there is no proxy');
  return proxy;
}
const proxyThat = (client: Client, expected: object) =>
  until(`the proxy is ${JSON.stringify(expected)}`, async () => {
    const proxy = await onlyProxy(client);
    return (
      Object.entries(expected).every(([key, value]) => proxy[key as keyof typeof proxy] === value) && proxy
    );
  });
async function withProxy() {
  const { client, user } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  return { client, user, proxy, tunnelId: proxy.cfTunnelId ?? '' };
}
const tunnelNames = async () => (await provider().tunnels()).map(({ name }) => name);
const kill = (part: string) => process.kill(system.pid(part) ?? 0, 'SIGKILL');

describe('a proxy’s status', () => {
  it('follows its connectors by itself', async () => {
    const { client, tunnelId } = await withProxy();
    const connect = (connections: number) =>
      inProvider(`insert into connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip, run_at)
        select gen_random_uuid(), '${tunnelId}', '${randomUUID()}', '1', 'linux', 'x', '203.0.113.1', now()
        from generate_series(1, ${connections});
        update tunnels set conns_active_at = now() where id = '${tunnelId}'`);
    await connect(2);
    await proxyThat(client, { status: 'active', tunnelHealth: 'degraded' });
    await connect(2);
    await proxyThat(client, { status: 'active', tunnelHealth: 'healthy' });
    await inProvider(`delete from connections where tunnel_id = '${tunnelId}'`);
    await proxyThat(client, { status: 'inactive', tunnelHealth: 'down' });
  });

  it('reports that the tunnel is gone at the provider; a recreate heals it', async () => {
    const { client, tunnelId, proxy } = await withProxy();
    await provider().deleteTunnel(tunnelId);
    await proxyThat(client, { status: 'error', statusReason: 'tunnel_gone', cfTunnelId: null });
    await client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
    await proxyThat(client, { status: 'inactive', tunnelHealth: 'inactive' });
  });
});

describe('the operator', () => {
  it('is shown what is left over, and has it removed; what is wanted and what is others’ stays', async () => {
    const { proxy } = await withProxy();
    const left = `talpa-${system.talpa.secrets.installationId}-${randomUUID()}-g1`;
    for (const name of [left, 'somebody-elses']) await provider().createTunnel(name);
    const dry = await talpa('resync', '--dry-run');
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining(`left over: tunnel ${left}`) });
    expect(await tunnelNames()).toContain(left);
    expect(await talpa('resync', '--dry-run', '--confirm')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ Use only one of --dry-run, --confirm, and --last\.$/m),
    });
    expect((await talpa('resync')).output).toMatch(/^Proxies being fixed: 1$/m);
    await until('it is removed', async () => !(await tunnelNames()).includes(left));
    expect(await tunnelNames()).toContain('somebody-elses');
    expect((await provider().tunnels()).map(({ id }) => id)).toContain(proxy.cfTunnelId);
    expect((await talpa('resync', '--last')).output).toContain(left);
  });

  it('sees what was given up, and has it tried again', async () => {
    const { client, user } = await newUser(system.url, 'free');
    await provider().fault({ match: { operation: 'createTunnel' }, fault: '500' });
    // Whether its caller still waits at the end is up to the machine.
    const create = client.try('POST /api/tunnel-configs', proxyInput());
    const { id: number, ...proxy } = await proxyThat(client, {
      status: 'error',
      statusReason: 'provider_unavailable',
    });
    const [, id = '', name] =
      (await talpa('dead-letters', 'list')).output.match(/^([0-9a-f-]{36}) {2}(.*), since .*500/m) ?? [];
    expect(name).toBe(`proxy ${number} “${proxy.serverName}” of ${user.username} (${proxy.cfDomain})`);
    expect((await talpa('dead-letters', 'retry', 'nonsense')).code).toBe(1);
    expect((await talpa('dead-letters', 'retry', randomUUID())).code).toBe(1);
    await provider().clearFaults();
    expect(await talpa('dead-letters', 'retry', id)).toMatchObject({ code: 0 });
    await proxyThat(client, { status: 'inactive', statusReason: null });
    await create;
    expect((await talpa('dead-letters', 'list')).output).toMatch(/^There are no dead letters\.$/m);
  });
});

describe('when the worker is killed', () => {
  it('a create under way is finished before its caller gives up, with one tunnel and one record', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await tunnelNames();
    await provider().fault({
      match: { operation: 'putConfiguration' },
      fault: 'delay',
      ms: 60_000,
      times: 1,
    });
    await provider().clearCalls();
    const create = client.call('POST /api/tunnel-configs', proxyInput());
    // Killed before, the worker would leave the delay to the next one.
    await until(
      'its tunnel waits to be configured',
      async () => (await provider().calls()).putConfiguration === 1,
    );
    kill('tunnel-worker');
    const { proxy } = await create;
    expect(proxy).toMatchObject({ status: 'inactive', statusReason: null });
    expect(await tunnelNames()).toHaveLength(before.length + 1);
    const records = (await provider().records()).filter(({ name }) => name === proxy.cfDomain);
    expect(records.map(({ content }) => content)).toEqual([`${proxy.cfTunnelId}.cfargotunnel.com`]);
  });

  it('and NATS too, and the provider fails, a deleted user’s tunnel and record go all the same', async () => {
    const { user, proxy } = await withProxy();
    const admin = await system.admin();
    await provider().fault({ match: {}, fault: '500', times: 3 });
    await admin.call('DELETE /api/admin/users/:id', { id: user.id });
    kill('tunnel-worker');
    kill('nats');
    await until('all of it is gone', async () => {
      const [tunnels, records] = [await provider().tunnels(), await provider().records()];
      return (
        !tunnels.some(({ id }) => id === proxy.cfTunnelId) &&
        !records.some(({ name }) => name === proxy.cfDomain)
      );
    });
  });
});
