import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  sql = openDatabase((await newSchemas(stores, 'proxies'))('proxies'), 1);
});
afterAll(() => sql?.end({ timeout: 5 }));

interface ServerRow {
  id: number;
  uuid: string;
  generation: number;
  appliedGeneration: number;
}

/** A proxy as the previous version makes it. */
async function insertProxy(): Promise<string> {
  const uuid = randomUUID();
  await sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, 7, 'Lobby', '127.0.0.1', 40120, ${`${uuid}.example.com`}, 443, 'pending')`;
  return uuid;
}
const serversOf = (uuid: string) => sql<ServerRow[]>`select * from servers where uuid = ${uuid}`;
const appliedOf = (tunnelId: string, incarnation = 1) =>
  sql.json({
    tunnelId,
    incarnation,
    dnsRecordId: 'r',
    hostname: 'a.example.com',
    origin: 'http://127.0.0.1',
  });
/** What it stores when the worker has reported. */
const report = (uuid: string, tunnelId: string, incarnation = 1) => sql`
  update proxies set applied = ${appliedOf(tunnelId, incarnation)}, applied_generation = generation,
    tunnel_health = 'inactive', tunnel_health_at = now(), status = 'inactive' where uuid = ${uuid}`;
/** A second proxy, as only this version makes one. */
async function join(serverUuid: string): Promise<string> {
  const uuid = randomUUID();
  await sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, server_id, server_uuid)
    select ${uuid}, 7, 'Zweiter', '127.0.0.1', 40121, ${`${uuid}.example.com`}, 443, 'pending', id, uuid
    from servers where uuid = ${serverUuid}`;
  return uuid;
}

describe('what the previous version writes of a proxy that is alone', () => {
  it('makes a server of the proxy’s uuid and name', async () => {
    const uuid = await insertProxy();
    expect(await serversOf(uuid)).toMatchObject([
      { userId: 7, name: 'Lobby', kind: 'implicit', generation: 1, appliedGeneration: 0, applied: null },
    ]);
    const [proxy] = await sql`select server_id, server_uuid from proxies where uuid = ${uuid}`;
    expect(proxy).toEqual({ serverId: (await serversOf(uuid))[0]?.id, serverUuid: uuid });
  });

  it('settles the tunnel it reports', async () => {
    const uuid = await insertProxy();
    await report(uuid, 't1');
    const applied = { tunnelId: 't1', incarnation: 1 };
    expect(await serversOf(uuid)).toMatchObject([
      { generation: 1, appliedGeneration: 1, applied, tunnelHealth: 'inactive' },
    ]);
    // An edit is none of the tunnel's.
    await sql`update proxies set admin_port = 1, generation = generation + 1 where uuid = ${uuid}`;
    expect(await serversOf(uuid)).toMatchObject([{ generation: 1, appliedGeneration: 1, applied }]);
  });

  it('recreates the tunnel', async () => {
    const uuid = await insertProxy();
    await report(uuid, 't1');
    await sql`
      update proxies set incarnation = 2, last_incarnation = 2, generation = generation + 1 where uuid = ${uuid}`;
    expect(await serversOf(uuid)).toMatchObject([
      {
        generation: 2,
        appliedGeneration: 1,
        incarnation: 2,
        lastIncarnation: 2,
        applied: { tunnelId: 't1' },
      },
    ]);
    await report(uuid, 't2', 2);
    expect(await serversOf(uuid)).toMatchObject([
      { generation: 2, appliedGeneration: 2, applied: { tunnelId: 't2' } },
    ]);
  });

  it('says that the tunnel is gone, or could never be made', async () => {
    const uuid = await insertProxy();
    await report(uuid, 't1');
    await sql`update proxies set applied = null, tunnel_health = null, status = 'error' where uuid = ${uuid}`;
    expect(await serversOf(uuid)).toMatchObject([
      { generation: 1, appliedGeneration: 1, applied: null, tunnelHealth: null },
    ]);
    const refused = await insertProxy();
    await sql`update proxies set applied_generation = generation, status = 'error' where uuid = ${refused}`;
    expect(await serversOf(refused)).toMatchObject([{ generation: 1, appliedGeneration: 1, applied: null }]);
  });

  it('removes the server, and lets it go', async () => {
    const uuid = await insertProxy();
    await report(uuid, 't1');
    await sql`update proxies set removed_at = now(), generation = generation + 1 where uuid = ${uuid}`;
    const [server] = await serversOf(uuid);
    expect(server).toMatchObject({ generation: 2, appliedGeneration: 1, removedAt: expect.any(Date) });
    await sql`delete from proxies where uuid = ${uuid}`;
    expect(await serversOf(uuid)).toEqual([]);
  });
});

describe('a server of several proxies', () => {
  it('is left alone by what is written of its first one', async () => {
    const uuid = await insertProxy();
    await report(uuid, 't1');
    const second = await join(uuid);
    const before = await serversOf(uuid);
    await sql`update proxies set removed_at = now(), incarnation = 9, applied = null, tunnel_health = null where uuid = ${uuid}`;
    expect(await serversOf(uuid)).toEqual(before);
    await sql`delete from proxies where uuid = ${uuid}`;
    await sql`update proxies set removed_at = now() where uuid = ${second}`;
    expect(await serversOf(uuid)).toEqual(before);
  });

  it('goes with the last of its proxies once it is removed', async () => {
    const uuid = await insertProxy();
    const second = await join(uuid);
    await sql`update servers set removed_at = now() where uuid = ${uuid}`;
    await sql`delete from proxies where uuid = ${uuid}`;
    expect(await serversOf(uuid)).toHaveLength(1);
    await sql`delete from proxies where uuid = ${second}`;
    expect(await serversOf(uuid)).toEqual([]);
  });
});
