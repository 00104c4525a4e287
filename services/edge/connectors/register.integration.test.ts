import { randomUUID } from 'node:crypto';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import type { ConnectorConnection } from './connection.ts';
import type { RegisterRequest } from './protocol/registration.ts';
import { Refusal, type RegisterContext, register } from './register.ts';
import { Registry } from './registry.ts';

const stores = useStores();
const provider = useProvider(stores);
const account = '/client/v4/accounts/account1/cfd_tunnel';
const edgeId = randomUUID();
const address = '203.0.113.9';

/** A tunnel, its secret, and what a connector asks for it. */
async function newTunnel(config_src = 'cloudflare') {
  const { body } = await provider.send('POST', account, { name: `t${randomUUID()}`, config_src });
  const { id, token } = body.result as { id: string; token: string };
  const { s } = JSON.parse(Buffer.from(token, 'base64').toString()) as { s: string };
  const secret = Buffer.from(s, 'base64');
  const request: RegisterRequest = {
    ...{
      tunnelId: id,
      secret,
      connectorId: randomUUID(),
      index: 0,
      version: '2026.8.2',
      arch: 'linux_amd64',
    },
    ...{ features: [], replaceExisting: false },
  };
  const registry = new Registry<ConnectorConnection>();
  const context: RegisterContext = {
    ...{ sql: provider.edgeSql, registry, edgeId, location: 'edge1' },
  };
  return {
    id,
    request,
    secret,
    asks: (changes: Partial<RegisterRequest> = {}) => register(context, { ...request, ...changes }, address),
    configure: (...ingress: object[]) =>
      provider.send('PUT', `${account}/${id}/configurations`, { config: { ingress } }),
    /** A connection this edge holds already. */
    holds: (changes: object = {}) => {
      const held = { pings: 0, destroyed: false };
      registry.add({
        ...{ id: randomUUID(), tunnelId: id, connectorId: request.connectorId, index: 0, draining: false },
        isAlive: async () => {
          held.pings += 1;
          return true;
        },
        destroy: () => {
          held.destroyed = true;
        },
        ...changes,
      } as unknown as ConnectorConnection);
      return held;
    },
  };
}
const rows = () => provider.edgeSql`select * from tunnel_provider.connections`;
const unauthorized = { message: 'Unauthorized: Invalid tunnel secret', retryAfterMs: null };

describe('a connector with the tunnel’s secret', () => {
  it('is let in, with its tunnel’s configuration, and its connection stored', async () => {
    const tunnel = await newTunnel();
    const first = await tunnel.asks();
    expect(first).toEqual({ id: expect.any(String), remotelyManaged: true, configuration: null });
    expect(await rows()).toMatchObject([
      {
        ...{ id: first.id, tunnelId: tunnel.id, clientId: tunnel.request.connectorId, connIndex: 0 },
        ...{ edgeId, coloName: 'edge1', originIp: address },
      },
    ]);
    await tunnel.configure({ service: 'http_status:404' });
    expect(await tunnel.asks({ index: 3 })).toMatchObject({
      configuration: { version: 1, config: { ingress: [{ service: 'http_status:404' }] } },
    });
    expect((await (await newTunnel('local')).asks()).remotelyManaged).toBe(false);
  });

  it('has four connections at most', async () => {
    const tunnel = await newTunnel();
    await expect(tunnel.asks({ index: 4 })).rejects.toMatchObject({
      ...{ message: 'Too many connections of one connector', retryAfterMs: null },
    });
    expect(await rows()).toEqual([]);
  });

  it('waits while its tunnel is suspended', async () => {
    const tunnel = await newTunnel();
    await tunnel.configure({ service: 'http_status:403' });
    await expect(tunnel.asks()).rejects.toMatchObject({
      message: 'Tunnel is suspended',
      retryAfterMs: 30_000,
    });
    expect(await rows()).toEqual([]);
  });

  it('is one of a hundred connections of its tunnel at most, but may take its own place', async () => {
    const tunnel = await newTunnel();
    const other = await newTunnel();
    await other.asks();
    const fill = (count: number) => provider.edgeSql`
      insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
        run_at, edge_id, conn_index)
      select gen_random_uuid(), ${tunnel.id}, gen_random_uuid(), '1', 'x', 'y', '::1', now(), ${edgeId}, 0
      from generate_series(1, ${count})`;
    await fill(99);
    await tunnel.asks();
    await tunnel.asks();
    await expect(tunnel.asks({ index: 1 })).rejects.toMatchObject({
      ...{ message: 'Too many connections of one tunnel', retryAfterMs: 30_000 },
    });
    expect(await rows()).toHaveLength(101);
  });
});

describe('nobody is let in', () => {
  it('without the whole secret, nor shown whether there is such a tunnel', async () => {
    const tunnel = await newTunnel();
    const held = tunnel.holds();
    for (const secret of [
      Buffer.alloc(0),
      Buffer.alloc(32),
      tunnel.secret.subarray(0, 31),
      Buffer.concat([tunnel.secret, Buffer.alloc(1)]),
      (await newTunnel()).secret,
    ])
      await expect(tunnel.asks({ secret, replaceExisting: true })).rejects.toMatchObject(unauthorized);
    await expect(tunnel.asks({ tunnelId: randomUUID() })).rejects.toMatchObject(unauthorized);
    await provider.send('DELETE', `${account}/${tunnel.id}`);
    await expect(tunnel.asks({ secret: Buffer.alloc(32) })).rejects.toMatchObject(unauthorized);
    expect([held, await rows()]).toEqual([{ pings: 0, destroyed: false }, []]);
  });

  it('to a deleted tunnel', async () => {
    const tunnel = await newTunnel();
    await provider.send('DELETE', `${account}/${tunnel.id}`);
    await expect(tunnel.asks()).rejects.toMatchObject({
      ...{ message: 'Unauthorized: Tunnel was deleted', retryAfterMs: null },
    });
  });

  it('to a tunnel that is deleted while it registers', async () => {
    const tunnel = await newTunnel();
    let refused: Promise<unknown> = Promise.resolve();
    await provider.sql.begin(async (tx) => {
      await tx`select 1 from tunnels where id = ${tunnel.id} for update`;
      refused = expect(tunnel.asks()).rejects.toBeInstanceOf(Refusal);
      await until('it waits for the tunnel', async () => {
        const [waiting] = await provider.edgeSql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return waiting;
      });
      await tx`update tunnels set deleted_at = now() where id = ${tunnel.id}`;
    });
    await refused;
    expect(await rows()).toEqual([]);
  });
});

describe('a connection that is held already', () => {
  it('stays when it lives, and gives way when it does not, or when its connector asks for it', async () => {
    const tunnel = await newTunnel();
    const living = tunnel.holds();
    await expect(tunnel.asks()).rejects.toMatchObject({ message: 'EDUPCONN', retryAfterMs: 1_000 });
    expect(living).toEqual({ pings: 1, destroyed: false });
    await tunnel.asks({ replaceExisting: true });
    expect(living).toEqual({ pings: 1, destroyed: true });
    const other = await newTunnel();
    const dead = other.holds({ isAlive: async () => false });
    await other.asks();
    expect(dead.destroyed).toBe(true);
  });

  it.each([
    ['is about to leave', { draining: true }],
    ['is another connector’s', { connectorId: randomUUID() }],
    ['is another one of the same connector', { index: 1 }],
  ])('is let be when it %s', async (_, changes) => {
    const tunnel = await newTunnel();
    const held = tunnel.holds(changes);
    await tunnel.asks({ replaceExisting: true });
    expect(held).toEqual({ pings: 0, destroyed: false });
  });
});
