import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import type Cloudflare from 'cloudflare';
import { beforeAll, describe, expect, it } from 'vitest';

const stores = useStores();
const provider = useProvider(stores);
const account = { account_id: 'account1' };
let client: Cloudflare;
let tunnels: Cloudflare['zeroTrust']['tunnels']['cloudflared'];

beforeAll(() => {
  client = provider.client();
  tunnels = client.zeroTrust.tunnels.cloudflared;
});

const unknownId = '00000000-0000-4000-8000-000000000000';
const create = async (name: string) => {
  const tunnel = await tunnels.create({ ...account, name, config_src: 'cloudflare' });
  return { ...tunnel, id: tunnel.id ?? '' };
};
const failure = (status: number, code: number) =>
  expect.objectContaining({ status, errors: [expect.objectContaining({ code })] });
const put = (id: string, ingress: unknown[]) =>
  tunnels.configurations.update(id, { ...account, config: { ingress: ingress as never } });

async function connect(tunnelId: string, count: number) {
  for (let index = 0; index < count; index += 1)
    await provider.edgeSql`
      insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
        run_at)
      values (gen_random_uuid(), ${tunnelId}, ${unknownId}, '2026.8.2', 'linux_amd64', 'edge', '127.0.0.1', now())`;
}

describe('access', () => {
  it('is refused with 401/10000 for a wrong or missing token', async () => {
    const stranger = provider.client('wrong');
    await expect(stranger.zeroTrust.tunnels.cloudflared.list(account)).rejects.toEqual(failure(401, 10_000));
    const url = `${provider.settings.CLOUDFLARE_BASE_URL}/accounts/account1/cfd_tunnel`;
    expect((await fetch(url)).status).toBe(401);
  });

  it('is refused with 403/9109 for another account or zone', async () => {
    await expect(tunnels.list({ account_id: 'other' })).rejects.toEqual(failure(403, 9109));
    await expect(client.dns.records.list({ zone_id: 'other' })).rejects.toEqual(failure(403, 9109));
  });

  it('answers 404/7000 for an unknown route and 404/7003 for a malformed id', async () => {
    const { status, body } = await provider.send('GET', '/client/v4/nothing');
    expect([status, body.success, body.errors[0]?.code]).toEqual([404, false, 7000]);
    await expect(tunnels.get('nonsense', account)).rejects.toEqual(failure(404, 7003));
  });

  it('answers 400 for a body that is no JSON', async () => {
    const { status, body } = await provider.send('POST', '/client/v4/accounts/account1/cfd_tunnel', '{');
    expect([status, body.success, body.result]).toEqual([400, false, null]);
  });
});

describe('a tunnel', () => {
  it('is created inactive, with the token that its token call answers', async () => {
    const tunnel = await create('one');
    expect(tunnel).toMatchObject({
      account_tag: 'account1',
      name: 'one',
      status: 'inactive',
      deleted_at: null,
      remote_config: true,
      tun_type: 'cfd_tunnel',
    });
    const token = await tunnels.token.get(tunnel.id, account);
    expect(tunnel).toHaveProperty('token', token);
    const content = JSON.parse(Buffer.from(token, 'base64').toString());
    expect(content).toMatchObject({ a: 'account1', t: tunnel.id });
    expect(Buffer.from(content.s, 'base64')).toHaveLength(32);
  });

  it('that never ran is inactive since it was made, and one that runs is not', async () => {
    const { id } = await create('never');
    const never = await tunnels.get(id, account);
    expect([never.status, never.conns_inactive_at]).toEqual(['inactive', never.created_at]);
    await provider.sql`update tunnels set conns_active_at = now() where id = ${id}`;
    expect(await tunnels.get(id, account)).toMatchObject({ conns_inactive_at: null });
  });

  it('has a name of its own until it is deleted: 409/1013', async () => {
    const { id } = await create('same');
    await expect(create('same')).rejects.toEqual(failure(409, 1013));
    await tunnels.delete(id, account);
    const again = await create('same');
    expect(again.id).not.toBe(id);
  });

  it('is made once by creates at the same time', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => create('race')));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('cannot be named like an id', async () => {
    await expect(create(unknownId)).rejects.toEqual(failure(400, 1001));
  });

  it('leaves a tombstone that only get and unfiltered lists show', async () => {
    const { id } = await create('gone');
    await tunnels.delete(id, account);
    expect((await tunnels.get(id, account)).deleted_at).toEqual(expect.any(String));
    expect((await tunnels.list({ ...account, is_deleted: false })).result).toEqual([]);
    expect((await tunnels.list(account)).result).toHaveLength(1);
    for (const call of [
      () => tunnels.token.get(id, account),
      () => tunnels.delete(id, account),
      () => put(id, [{ service: 'http_status:404' }]),
      () => tunnels.edit(id, { ...account, name: 'back' }),
      () => tunnels.get(unknownId, account),
    ])
      await expect(call()).rejects.toEqual(failure(404, 1003));
  });

  it('shows its secret only to who creates or changes it, and keeps it encrypted', async () => {
    const { id } = await create('quiet');
    const token = await tunnels.token.get(id, account);
    const secret = JSON.parse(Buffer.from(token, 'base64').toString()).s as string;
    const shown = JSON.stringify([await tunnels.list(account), await tunnels.get(id, account)]);
    expect(shown).not.toContain(secret);
    expect(shown).not.toMatch(/token|credentials|secret"/);
    const [row] = await provider.sql<{ secret: Buffer }[]>`select secret from tunnels where id = ${id}`;
    expect(row?.secret.includes(Buffer.from(secret, 'base64'))).toBe(false);
  });

  it('gets another token when its secret is rotated, and another name when it is renamed', async () => {
    const { id } = await create('old');
    const before = await tunnels.token.get(id, account);
    const secret = Buffer.alloc(32, 7).toString('base64');
    const edited = await tunnels.edit(id, { ...account, tunnel_secret: secret });
    const after = await tunnels.token.get(id, account);
    expect(after).not.toBe(before);
    expect(edited).toHaveProperty('token', after);
    await tunnels.edit(id, { ...account, name: 'new' });
    expect(await tunnels.get(id, account)).toMatchObject({ name: 'new' });
    expect(await tunnels.token.get(id, account)).toBe(after);
    await create('taken');
    await expect(tunnels.edit(id, { ...account, name: 'taken' })).rejects.toEqual(failure(409, 1013));
    const short = Buffer.alloc(16).toString('base64');
    await expect(tunnels.edit(id, { ...account, tunnel_secret: short })).rejects.toEqual(failure(400, 1001));
  });

  it('is degraded, healthy or down by its connections, and not deleted with them: 400/1022', async () => {
    const { id } = await create('busy');
    await connect(id, 1);
    expect((await tunnels.get(id, account)).status).toBe('degraded');
    await connect(id, 3);
    expect((await tunnels.list({ ...account, status: 'healthy' })).result).toHaveLength(1);
    const connectors = await tunnels.connections.get(id, account);
    expect(connectors.result).toMatchObject([{ id: unknownId, arch: 'linux_amd64' }]);
    expect(connectors.result[0]?.conns).toHaveLength(4);

    await expect(tunnels.delete(id, account)).rejects.toEqual(failure(400, 1022));
    await tunnels.connections.delete(id, account);
    await tunnels.delete(id, account);
  });

  it('is deleted with its connections when cascade says so', async () => {
    const { id } = await create('cascade');
    await connect(id, 2);
    await tunnels.delete(id, account, { query: { cascade: true } });
    expect(await tunnels.get(id, account)).toMatchObject({ deleted_at: expect.any(String) });
  });
});

describe('the list of tunnels', () => {
  it('filters by name, id and prefix and returns the position of its page', async () => {
    const ids: string[] = [];
    for (const name of ['a_1', 'a_2', 'ax3', 'b1']) ids.push((await create(name)).id);
    const names = async (query: object) =>
      (await tunnels.list({ ...account, ...query })).result.map(({ name }) => name).sort();
    expect(await names({ name: 'a_1' })).toEqual(['a_1']);
    expect(await names({ uuid: ids[3] })).toEqual(['b1']);
    expect(await names({ include_prefix: 'a_' })).toEqual(['a_1', 'a_2']);
    expect(await names({ exclude_prefix: 'a' })).toEqual(['b1']);
    expect(await names({ status: 'healthy' })).toEqual([]);
    const page = await tunnels.list({ ...account, page: 2, per_page: 3 });
    expect(page.result).toHaveLength(1);
    expect(page.result_info).toMatchObject({ page: 2, per_page: 3, count: 1, total_count: 4 });
  });
});

it('tunnels that were made at the same time are each on one page of their list', async () => {
  const prefix = 'together-';
  for (let number = 0; number < 20; number += 1) await create(`${prefix}${number}`);
  await provider.sql`update tunnels set created_at = '2026-01-01' where name like ${`${prefix}%`}`;
  const ids: (string | undefined)[] = [];
  for (let page = 1; page <= 7; page += 1) {
    const { result } = await tunnels.list({ ...account, include_prefix: prefix, page, per_page: 3 });
    ids.push(...result.map(({ id }) => id));
  }
  const stored = await provider.sql<{ id: string }[]>`
    select id from tunnels where name like ${`${prefix}%`} order by id`;
  expect(ids).toEqual(stored.map(({ id }) => id));
});

describe('a configuration', () => {
  const rule = { hostname: 'a.example', service: 'http://127.0.0.1:40120' };
  const catchAll = { service: 'http_status:404' };

  it('is replaced as a whole, with a higher version each time', async () => {
    const { id } = await create('configured');
    expect(await tunnels.configurations.get(id, account)).toMatchObject({ version: 0, config: null });
    expect(await put(id, [rule, catchAll])).toMatchObject({ tunnel_id: id, version: 1 });
    expect(await put(id, [catchAll])).toMatchObject({ version: 2, source: 'cloudflare' });
    expect((await tunnels.configurations.get(id, account)).config).toEqual({ ingress: [catchAll] });
  });

  it('comes back as it was put, names in it that are not known here too', async () => {
    const { id } = await create('passed-on');
    const ingress = [{ ...catchAll, originRequest: { some_new_option: { deeper_still: 1 } } }];
    await put(id, ingress);
    expect((await tunnels.configurations.get(id, account)).config).toEqual({ ingress });
  });

  it('is refused with 400/1056 without a last rule for everything, or with a service that is none', async () => {
    const { id } = await create('unconfigured');
    for (const ingress of [[rule], [], [catchAll, rule], [catchAll, catchAll], [{ service: 'nonsense' }]])
      await expect(put(id, ingress)).rejects.toEqual(failure(400, 1056));
    expect(await tunnels.configurations.get(id, account)).toMatchObject({ version: 0 });
  });
});
