import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client, newUser, proxyInput, testPassword, withApiKey } from '@talpa/test-kit/client';
import { temporaryHome } from '@talpa/test-kit/home';
import { inviteByLink } from '@talpa/test-kit/members';
import { operate } from '@talpa/test-kit/operator';
import { plainChannel } from '@talpa/test-kit/requests/things';
import { adminPassword, startTestTalpa, useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import { schemas } from '../../launcher/stores/schemas.ts';
import type { Talpa } from '../../launcher/system.ts';
import { afterRestore, decisionOn, openRows } from '../../operator/backup/after-restore.ts';

const system = useTalpa();
const passphrase = { TALPA_BACKUP_PASSPHRASE: 'eine lange Passphrase' };

/** What the test leaves open, some of it by its calls. */
const doors = [
  ...[
    'sessions',
    'known_devices',
    'one_time_tokens',
    'invitations',
    'authenticators',
    'passkey_challenges',
    'api_keys',
  ].map((table) => `auth.${table}`),
  ...['members', 'visits', 'access_codes', 'access_email_codes', 'service_tokens'].map(
    (table) => `proxies.${table}`,
  ),
];

/** All a person sees of their own. */
async function viewOf(client: Client) {
  const proxies = await client.call('GET /api/tunnel-configs', {});
  const tokens = await Promise.all(
    proxies.map(({ id }) => client.call('GET /api/tunnel-configs/:id/tunnel-token', { id })),
  );
  const rest = await Promise.all([
    client.call('GET /api/user', {}),
    client.call('GET /api/user/preferences', {}),
    client.call('GET /api/user/subscription', {}),
    client.call('GET /api/user/subscription/can-create-proxy', {}),
  ]);
  return { proxies, tokens, rest };
}

/** An email that waits for its next attempt. */
async function queueEmail(userId: number): Promise<void> {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`insert into notifications.mails (cause, user_id, kind, params, state, due_at)
    values (gen_random_uuid(), ${userId}, 'test', '{}', 'queued', now() + interval '1 hour')`;
  await sql.end();
}

/** A message to a channel that waits for its next attempt. */
async function queueDelivery(channelId: number): Promise<void> {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`insert into notifications.deliveries (channel_id, notifications, state, due_at)
    values (${channelId}, '[]', 'queued', now() + interval '1 hour')`;
  await sql.end();
}

async function newBackup(): Promise<string> {
  const folder = join(temporaryHome(), 'backup');
  const { code, output } = await operate(system.talpa.home, ['backup', folder, '--keys'], passphrase);
  expect([code, output]).toEqual([0, expect.stringContaining(folder)]);
  return folder;
}

/** Does something with an instance of its own in a home. */
async function withInstance(home: string, work: (talpa: Talpa) => Promise<void>) {
  const talpa = await startTestTalpa(home);
  try {
    await work(talpa);
  } finally {
    await talpa.stop();
  }
}

/** Leaves rows, by the words of SQL, that open something at a proxy or have been begun. */
async function leaveOpen(userId: number): Promise<void> {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  const [proxy] = await sql`select uuid from proxies.proxies where user_id = ${userId} limit 1`;
  const uuid = proxy?.uuid as string;
  await sql`
    insert into proxies.access_policies (proxy_uuid, policy) values (${uuid}, '{"kind":"wall"}') on conflict do nothing`;
  await sql`insert into proxies.service_tokens (proxy_uuid, name, token_hash) values (${uuid}, 'robot', 'one')`;
  await sql`
    insert into proxies.visits (proxy_uuid, token_hash, policy_version, methods, address, user_agent, expires_at)
    values (${uuid}, 'two', 1, '{pin}', '::1', '', now() + interval '1 day')`;
  await sql`
    insert into proxies.access_codes (code_hash, proxy_uuid, host, state_hash, user_id, method, as_admin)
    values ('three', ${uuid}, 'host', 'four', ${userId}, 'owner', false)`;
  await sql`
    insert into proxies.access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash)
    values (${uuid}, 1, 'a@example.org', 'host', 'de', 'five')`;
  await sql`
    insert into auth.authenticators (user_id, secret, key_id) values (${userId}, 'six', 'key') on conflict do nothing`;
  await sql`
    insert into auth.passkey_challenges (challenge, purpose, expires_at) values ('seven', 'sign_in', now() + interval '1 day')`;
  await sql.end();
}

/** The tables of the doors that hold rows which open something. */
async function openTables(adminUrl: string): Promise<string[]> {
  const sql = openDatabase(adminUrl, 1);
  const open: string[] = [];
  for (const schema of ['auth', 'proxies'])
    for (const [table, decision] of Object.entries(afterRestore[schema] ?? {})) {
      const where = openRows(decision);
      if (!where) continue;
      const rows = await sql.unsafe(`select 1 from ${schema}.${table} where ${where} limit 1`);
      if (rows.length > 0) open.push(`${schema}.${table}`);
    }
  await sql.end();
  return open;
}

it('for every table somebody has decided what becomes of it at a restore', async () => {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  const tables = await sql<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname in ${sql(schemas.map(({ schema }) => schema))}`;
  await sql.end();
  expect(tables.filter(({ schema, name }) => !decisionOn(schema, name))).toEqual([]);
  const known = Object.entries(afterRestore).flatMap(([schema, ofSchema]) =>
    Object.keys(ofSchema).map((name) => ({ schema, name })),
  );
  expect(tables).toEqual(expect.arrayContaining(known));
});

describe('a backup of the running panel', () => {
  it('makes a fresh instance what it was, tokens included, goes on from there, and signs all users out', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const known = async () => (await (await system.admin()).call('GET /api/admin/system', {})).lastBackupAt;
    expect(await known()).toBeNull();
    for (const name of ['Erster', 'Zweiter']) await client.call('POST /api/tunnel-configs', proxyInput(name));
    const before = await viewOf(client);
    await queueEmail(user.id);
    const { channel } = await client.call('POST /api/user/channels', plainChannel);
    await queueDelivery(channel.id);
    const boss = await system.admin();
    const { path: link } = await boss.call('POST /api/admin/users/:id/reset-link', { id: user.id });
    const invitation = await boss.call('POST /api/admin/invitations', {
      ...{ subscriptionTier: null, months: null, uses: 5, expiresAt: null, note: 'Freunde' },
    });
    const [shared] = await client.call('GET /api/tunnel-configs', {});
    const joinToken = await inviteByLink(client, shared?.id ?? 0);
    const { apiKey } = await withApiKey((await newUser(system.url)).client, ['account:read']);
    await leaveOpen(user.id);
    expect(await openTables(system.talpa.stores.adminUrl)).toEqual(expect.arrayContaining(doors));
    const folder = await newBackup();
    // The panel knows of it.
    expect(Date.parse((await known()) ?? '')).toBeGreaterThan(Date.now() - 60_000);
    const home = temporaryHome();
    const { code, output } = await operate(home, ['restore', folder], passphrase);
    expect(code).toBe(0);
    expect.soft(output).toMatch(/Service tokens of before have expired/);
    await withInstance(home, async (talpa) => {
      expect(await openTables(talpa.stores.adminUrl)).toEqual([]);
      const restored = new Client(talpa.url);
      restored.cookie = client.cookie;
      expect((await restored.try('GET /api/user', {})).status).toBe(401);
      await restored.call('POST /api/login', { username: user.username, password: testPassword });
      expect(await viewOf(restored)).toEqual(before);
      const admin = new Client(talpa.url);
      await admin.call('POST /api/login', { username: 'admin', password: adminPassword });
      const mails = await admin.call('GET /api/admin/mails', { userId: user.id });
      expect(mails.map(({ state }) => state)).toEqual(['held']);
      const [waiting] = await restored.call('GET /api/user/channels/:id/deliveries', { id: channel.id });
      expect(waiting).toMatchObject({ state: 'held', nextAttemptAt: null });
      // Both may have been used since the backup.
      const [, token = ''] = link.split('#');
      const reset = await restored.fail('POST /api/password-reset', { token, newPassword: testPassword });
      expect(reset.error.code).toBe('reset_link_invalid');
      const register = { username: 'spaeter', password: testPassword, invitation: invitation.code };
      const refused = await new Client(talpa.url).fail('POST /api/register', register);
      expect(refused.error.code).toBe('invitation_invalid');
      const join = await admin.fail('POST /api/proxy-invitation-link', { token: joinToken });
      expect(join.error.code).toBe('invitation_link_invalid');
      // One that was revoked since the backup would work again.
      const script = Object.assign(new Client(talpa.url), { apiKey });
      expect((await script.fail('GET /api/user', {})).error.code).toBe('api_key_invalid');
      const { proxy } = await restored.call('POST /api/tunnel-configs', proxyInput('Dritter'));
      expect(proxy.status).toBe('inactive');
      const agree = async () => (await restored.call('GET /api/system/stats', {})).totalProxies === 3;
      // A count that the backup has caught half done counts as dead after 30 s.
      await until('the totals agree', agree);
    });
  });

  it('holds no key in the clear, and its keys open with the passphrase alone', async () => {
    const folder = await newBackup();
    const { sessionKeys, tokenKeys, factorKeys, channelKeys } = system.talpa.secrets;
    for (const file of readdirSync(folder))
      for (const ring of [sessionKeys, tokenKeys, factorKeys, channelKeys])
        for (const key of readFileSync(ring, 'utf8').trim().split(','))
          expect(readFileSync(join(folder, file)).includes(key.split(':')[1] ?? '')).toBe(false);
    const wrong = { TALPA_BACKUP_PASSPHRASE: 'eine ganz andere Passphrase' };
    const refused = await operate(temporaryHome(), ['restore', folder], wrong);
    expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/passphrase is wrong/) });
  });

  it('is refused a place where no folder can be made', async () => {
    // Node tries for ever to make a folder and those above it in /proc.
    const refused = await operate(system.talpa.home, ['backup', '/proc/talpa/backup']);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ \S+ cannot be written to \(ENOENT\)\.$/m),
    });
  });

  it('is not restored over a running instance, over other users unasked, under another name, when it is damaged, or where its tokens could not be read', async () => {
    const { client } = await newUser(system.url, 'free');
    await client.call('POST /api/tunnel-configs', proxyInput());
    const folder = await newBackup();
    const running = await operate(system.talpa.home, ['restore', folder], passphrase);
    expect(running).toMatchObject({ code: 1, output: expect.stringMatching(/Talpa is running/) });

    const fresh = temporaryHome();
    const renamed = await operate(fresh, ['restore', folder], { ...passphrase, INSTALLATION_ID: 'another' });
    expect(renamed).toMatchObject({ code: 1, output: expect.stringMatching(/Leave INSTALLATION_ID out/) });
    expect(readdirSync(fresh)).toEqual([]);

    const home = temporaryHome();
    await withInstance(home, async () => {});
    const used = await operate(home, ['restore', folder], passphrase);
    expect(used).toMatchObject({ code: 1, output: expect.stringMatching(/has users/) });
    const dump = join(folder, 'database.dump');
    truncateSync(dump, Math.floor(statSync(dump).size / 2));
    const damaged = await operate(home, ['restore', folder, '--replace'], passphrase);
    expect(damaged).toMatchObject({ code: 1, output: expect.stringMatching(/end of file/) });
    await withInstance(home, async (talpa) => {
      const admin = new Client(talpa.url);
      await admin.call('POST /api/login', { username: 'admin', password: 'admin-passwort-1' });
    });

    rmSync(join(folder, 'keys.sealed'));
    const keyless = await operate(home, ['restore', folder, '--replace']);
    expect(keyless).toMatchObject({ code: 1, output: expect.stringMatching(/need the key/) });
  });
});
