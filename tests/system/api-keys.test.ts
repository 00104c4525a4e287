import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ProxyConfig } from '@talpa/contracts';
import { type Client, newUser, proxyInput, withApiKey } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
/** What the script of the documents needs. */
const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
let root: Client;
beforeAll(async () => {
  root = await system.admin();
});

/** A user with so many proxies. */
async function ownerOf(count: number) {
  const { client, user } = await newUser(system.url, 'premium');
  const proxies: ProxyConfig[] = [];
  for (let made = 0; made < count; made += 1)
    proxies.push((await client.call('POST /api/tunnel-configs', proxyInput())).proxy);
  return { client, user, proxies };
}
const everything = ['proxies:read', 'proxies:write', 'tunnel-token:read', 'account:read'] as const;

describe('an API key', () => {
  it('creates a proxy and reads its token without a session, and the activity log names it', async () => {
    const { client, user } = await ownerOf(0);
    const script = await withApiKey(client, everything, { name: 'Server-Skript' });
    const { proxy } = await script.call('POST /api/tunnel-configs', proxyInput());
    const { token } = await script.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    expect(token).not.toBe('');
    const named = { id: expect.any(Number), name: 'Server-Skript' };
    const row = await until('the row', async () =>
      (await client.call('GET /api/user/audit', {})).find(({ action }) => action === 'proxy.create'),
    );
    expect(row).toMatchObject({ by: 'self', apiKey: named });
    const [seen] = await root.call('GET /api/admin/audit', { actor: user.id, action: 'proxy.create' });
    expect(seen?.actor).toMatchObject({ userId: user.id, sessionId: null, apiKey: named });
    const [signedIn] = await root.call('GET /api/admin/audit', { actor: user.id, action: 'user.register' });
    expect(signedIn?.actor).toMatchObject({ sessionId: expect.any(String), apiKey: null });
    await root.call('DELETE /api/admin/users/:id', { id: user.id });
    const forgotten = await until('the key’s name is forgotten', async () => {
      const [one] = await root.call('GET /api/admin/audit', { actor: user.id, action: 'proxy.create' });
      return one?.actor?.apiKey?.name === null && one;
    });
    expect(forgotten.actor?.apiKey?.id).toEqual(expect.any(Number));
  });

  it.runIf(hasTools)('creates a proxy and prints its install command as docs/api.md shows', async () => {
    const { client } = await ownerOf(0);
    const { apiKey } = await withApiKey(client, ['proxies:write', 'tunnel-token:read']);
    const [, script = ''] = /```bash\n([\s\S]*?)```/.exec(readFileSync('docs/api.md', 'utf8')) ?? [];
    const run = async (more: NodeJS.ProcessEnv = {}) => {
      const env = { ...process.env, TALPA_URL: system.url, TALPA_KEY: apiKey ?? '', ...more };
      const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', 'Mein Server'], { env });
      return stdout.trim().split('\n');
    };
    const printed = await run();
    const [proxy, ...others] = await client.call('GET /api/tunnel-configs', {});
    expect(others).toEqual([]);
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy?.id ?? 0 });
    expect([printed[0], printed.at(-1)]).toEqual([
      `# ${proxy?.cfDomain}`,
      `cloudflared service install ${token}`,
    ]);
    expect(printed.join('\n')).toContain("printf '[Service]\\nEnvironment=TUNNEL_RETRIES=0\\n' > ");
    // A second run creates no second proxy.
    expect((await run({ TALPA_EDGE: 'edge.example.org:7844' })).at(-1)).toBe(
      `cloudflared tunnel run --token ${token}`,
    );
    expect(await client.call('GET /api/tunnel-configs', {})).toHaveLength(1);
    await expect(run({ TALPA_KEY: 'talpa_1_x' })).rejects.toMatchObject({ code: 22 });
  });

  it('for some proxies lists, counts and reaches no others, and creates none', async () => {
    const { client, proxies } = await ownerOf(3);
    const [first, second, third] = proxies;
    const ids = [first?.id ?? 0, third?.id ?? 0];
    const script = await withApiKey(client, everything, { proxyIds: ids });
    const list = await script.try('GET /api/tunnel-configs', {});
    expect((list.body as ProxyConfig[]).map(({ id }) => id)).toEqual(ids);
    expect(list.headers.get('x-total-count')).toBe('2');
    const found = await script.call('GET /api/tunnel-configs', { q: second?.serverName ?? '' });
    expect(found).toEqual([]);
    const room = await script.call('GET /api/user/subscription/can-create-proxy', {});
    expect(room).toMatchObject({ canCreate: false, current: 2 });
    expect(await client.call('GET /api/user/subscription/can-create-proxy', {})).toMatchObject({
      ...{ canCreate: true, current: 3 },
    });
    for (const route of ['GET /api/tunnel-configs/:id', 'DELETE /api/tunnel-configs/:id'] as const)
      expect((await script.fail(route, { id: second?.id ?? 0 })).error.code).toBe('not_found');
    const created = await script.fail('POST /api/tunnel-configs', proxyInput());
    expect([created.status, created.error.code]).toEqual([403, 'api_key_proxies']);
    const check = await script.fail('GET /api/subdomain-availability', { subdomain: 'neuer-name' });
    expect(check.error.code).toBe('api_key_proxies');
    await script.call('DELETE /api/tunnel-configs/:id', { id: ids[0] ?? 0 });
    expect((await client.call('GET /api/tunnel-configs', {})).map(({ id }) => id)).toEqual([
      second?.id,
      third?.id,
    ]);
  });

  it('for a shared proxy reaches it and no other one, with its member’s role, for as long as they are a member', async () => {
    const [owner, { client, proxies }] = [await ownerOf(2), await ownerOf(1)];
    const [shared, other] = owner.proxies.map(({ id }) => id);
    for (const id of [shared, other]) await makeMember(owner.client, id ?? 0, client, 'view');
    const script = await withApiKey(client, everything, { proxyIds: [shared ?? 0] });
    expect((await script.call('GET /api/shared-proxies', {})).map(({ id }) => id)).toEqual([shared]);
    expect(await script.call('GET /api/tunnel-configs', {})).toEqual([]);
    await script.call('GET /api/tunnel-configs/:id', { id: shared ?? 0 });
    for (const id of [other, proxies[0]?.id])
      expect((await script.fail('GET /api/tunnel-configs/:id', { id: id ?? 0 })).error.code).toBe(
        'not_found',
      );
    const refused = await script.fail('DELETE /api/tunnel-configs/:id', { id: shared ?? 0 });
    expect(refused.error.code).toBe('role_missing');
    await client.call('POST /api/tunnel-configs/:id/leave', { id: shared ?? 0 });
    expect((await script.fail('GET /api/tunnel-configs/:id', { id: shared ?? 0 })).error.code).toBe(
      'not_found',
    );
    const late = { name: 'Skript', scopes: [...everything], days: 1, proxyIds: [shared ?? 0] };
    expect((await client.fail('POST /api/user/api-keys', late)).error.code).toBe('invalid_input');
  });

  it('for a proxy of another user, or one that does not exist, is not created: both get one error', async () => {
    const [{ client, proxies }, other] = [await ownerOf(2), await ownerOf(1)];
    const [own, deleted] = proxies.map(({ id }) => id);
    await client.call('DELETE /api/tunnel-configs/:id', { id: deleted ?? 0 });
    const refusalOf = async (id = 0) => {
      const proxyIds = [own ?? 0, id];
      const given = { name: 'Skript', scopes: [...everything], days: 1, proxyIds };
      return (await client.fail('POST /api/user/api-keys', given)).error;
    };
    const [foreign, ...rest] = await Promise.all([other.proxies[0]?.id, deleted, 999_999_999].map(refusalOf));
    expect(foreign).toMatchObject({ code: 'invalid_input', issues: [{ path: ['proxyIds'] }] });
    for (const one of rest) expect({ ...one, requestId: '' }).toEqual({ ...foreign, requestId: '' });
    expect(await client.call('GET /api/user/api-keys', {})).toEqual([]);
  });

  it('stops with its revocation and its owner’s suspension, also for responses that are cached', async () => {
    const { client, user } = await ownerOf(0);
    const [revoked, kept] = [await withApiKey(client, everything), await withApiKey(client, everything)];
    const read = async (script: Client) => {
      const { status } = await script.send('GET', '/api/user/subscription');
      return status;
    };
    for (let times = 0; times < 3; times += 1)
      expect([await read(revoked), await read(kept)]).toEqual([200, 200]);
    const [one] = await client.call('GET /api/user/api-keys', {});
    await client.call('DELETE /api/user/api-keys/:id', { id: one?.id ?? 0 });
    expect([await read(revoked), await read(kept)]).toEqual([401, 200]);
    await root.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Spam' });
    const { error } = await kept.fail('GET /api/user/subscription', {});
    expect(error).toMatchObject({ code: 'account_suspended', message: expect.stringContaining('Spam') });
    await root.call('DELETE /api/admin/users/:id/suspension', { id: user.id });
    expect(await read(kept)).toBe(200);
    await root.call('DELETE /api/admin/users/:id', { id: user.id });
    expect(await read(kept)).toBe(401);
  });

  it('is in the export of its owner, without its secret', async () => {
    const { client } = await ownerOf(0);
    const script = await withApiKey(client, ['account:read']);
    const exported = await client.call('GET /api/user/export', {});
    expect(exported.apiKeys).toMatchObject([{ name: 'Skript', scopes: ['account:read'] }]);
    expect(JSON.stringify(exported)).not.toContain(script.apiKey?.split('_')[2]);
  });
});
