import { readFileSync } from 'node:fs';
import { makeKey, readRing, writeRing } from '@talpa/instance/keys';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { operate } from '@talpa/test-kit/operator';
import { plainChannel } from '@talpa/test-kit/requests/things';
import { setUpApp } from '@talpa/test-kit/second-factors';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../operator/commands/keys.ts';

const system = useTalpa();
let sql: Sql;
beforeAll(() => {
  sql = openDatabase(system.talpa.stores.adminUrl, 1);
});
afterAll(() => sql?.end());

const keyOf = (client: Client) => {
  const [header = ''] = (client.cookie.split('=')[1] ?? '').split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid as string;
};
/** Puts a key first that was made an hour ago. */
const rotateAnHourAgo = (file: string) =>
  writeRing(file, [makeKey(new Date(Date.now() - 3_600_000)), ...readRing(file)]);

describe('rotating the keys', () => {
  it('knows every table that something encrypted is in', async () => {
    const found = await sql<{ name: string }[]>`
      select table_schema || '.' || table_name as name from information_schema.columns where column_name = 'key_id'`;
    const known = Object.values(sealed).flatMap(({ tables }): string[] => [...tables]);
    expect(known.sort()).toEqual(found.map(({ name }) => name).sort());
  });

  it('of sessions signs nobody out, signs with the new key at once, and forgets the old when its sessions are over', async () => {
    const ringFile = system.talpa.secrets.sessionKeys;
    const { client, user } = await newUser(system.url);
    const { code, output } = await operate(system.talpa.home, ['keys', 'rotate', 'sessions']);
    expect(code).toBe(0);
    for (const { secret } of readRing(ringFile)) expect(output).not.toContain(secret);
    const later = new Client(system.url);
    await later.call('POST /api/login', { username: user.username, password: testPassword });
    expect(keyOf(later)).not.toBe(keyOf(client));
    expect(await client.call('GET /api/user', {})).toEqual(await later.call('GET /api/user', {}));
    // This gateway has verified the first cookie before: others need the older key.
    const verifying = readFileSync(system.talpa.secrets.sessionPublicKeys, 'utf8').trim().split(',');
    expect(verifying.map((key) => key.split(':')[0])).toEqual(readRing(ringFile).map(({ id }) => id));

    rotateAnHourAgo(ringFile);
    await sql`update auth.sessions set created_at = created_at - interval '2 hours'`;
    const kept = await operate(system.talpa.home, ['keys', 'forget', 'sessions']);
    expect(kept.output).toMatch(/ is kept: it is still needed by \d+ sessions?/);
    expect(readRing(ringFile).map(({ id }) => id)).toContain(keyOf(client));
    await sql`delete from auth.sessions`;
    await operate(system.talpa.home, ['keys', 'forget', 'sessions']);
    expect(readRing(ringFile).map(({ id }) => id)).not.toContain(keyOf(later));
  });

  it('of second factors encrypts every secret anew, and asks nobody to set up their app again', async () => {
    const { client, user } = await newUser(system.url);
    const { app } = await setUpApp((route, input) => client.call(route, input));
    const { code, output } = await operate(system.talpa.home, ['keys', 'rotate', 'factors']);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/All authenticator apps are now encrypted with it/),
    ]);
    const [current] = readRing(system.talpa.secrets.factorKeys);
    const [row] = await sql`select key_id from auth.authenticators where user_id = ${user.id}`;
    expect(row?.keyId).toBe(current?.id);
    await client.call('POST /api/user/recovery-codes', { code: app.next() });
  });

  it('of channels encrypts every address and secret anew, and messages still go out', async () => {
    const { client } = await newUser(system.url);
    const { channel } = await client.call('POST /api/user/channels', plainChannel);
    const { code, output } = await operate(system.talpa.home, ['keys', 'rotate', 'channels']);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/All notification channels are now encrypted with it/),
    ]);
    const [current] = readRing(system.talpa.secrets.channelKeys);
    const [row] = await sql`select key_id from notifications.channels where id = ${channel.id}`;
    expect(row?.keyId).toBe(current?.id);
    const { id } = await client.call('POST /api/user/channels/:id/test', { id: channel.id });
    await until('the attempt', async () => {
      const { failure } = await client.call('GET /api/user/deliveries/:id', { id });
      expect(failure).not.toBe('unwritten');
      return failure === 'name_not_found';
    });
  });

  it('of tunnel tokens encrypts every token anew, loses none, and forgets a key only when it is certainly unused', async () => {
    const ringFile = system.talpa.secrets.tokenKeys;
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const token = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const { code, output } = await operate(system.talpa.home, ['keys', 'rotate', 'tokens']);
    expect([code, output]).toEqual([0, expect.stringMatching(/All tunnel tokens are now encrypted with it/)]);
    expect((await operate(system.talpa.home, ['keys', 'forget', 'tokens'])).output).toMatch(
      / in use a moment ago/,
    );
    expect(readRing(ringFile)).toHaveLength(2);

    const [earlier] = readRing(ringFile);
    rotateAnHourAgo(ringFile);
    const [current] = readRing(ringFile);
    await until('every token is encrypted with the key in use', async () => {
      const rows = await sql`select 1 from tunnel_provider.tunnels where key_id <> ${current?.id ?? ''}`;
      return rows.length === 0;
    });
    expect((await operate(system.talpa.home, ['keys', 'forget', 'tokens'])).output).toMatch(
      / has been deleted/,
    );
    expect(readRing(ringFile)).not.toContainEqual(earlier);
    expect(await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id })).toEqual(token);
  });
});
