import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Msg } from '@nats-io/transport-node';
import { descendantsOf } from '@talpa/instance/child';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { appWith } from '@talpa/test-kit/second-factors';
import { adminPassword, apart, useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import { schemas } from '../../launcher/stores/schemas.ts';

/** What an operator has in the environment for other programs. */
const foreign = { AWS_SECRET_ACCESS_KEY: 'fremd-und-geheim', PGPASSWORD: 'auch-fremd-und-geheim' };
Object.assign(process.env, foreign);
/** A mail server that is not there: what goes wrong is logged. */
const mailPassword = 'postfach-und-geheim';
const address = 'anschrift-einer-person@example.com';
const system = useTalpa({
  ...apart,
  LOG_LEVEL: 'trace',
  SMTP_URL: `smtp://talpa:${mailPassword}@127.0.0.1:1`,
  MAIL_FROM: 'talpa@example.org',
});

describe('no secret', () => {
  it('is in a list, a log, or a message that is not the call itself', async () => {
    const operator = await openBus(system.talpa.stores.natsUrl('operator'), 'operator');
    const messages: string[] = [];
    const callback = (_: unknown, message: Msg) => void messages.push(message.string());
    for (const connection of [operator, streamsOf(operator)]) {
      for (const subject of ['event.>', 'command.>', 'settled.>', 'applied.>'])
        connection.subscribe(subject, { callback });
      await connection.flush();
    }

    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    await client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
    const again = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const admin = await system.admin();
    await client.call('POST /api/user/preferences', { email: address });
    await client.call('POST /api/user/password', {
      currentPassword: testPassword,
      newPassword: testPassword,
    });
    await until('an attempt to send an email has failed', async () => {
      const mails = await admin.call('GET /api/admin/mails', {});
      return mails.some(({ state, attempts }) => state === 'queued' && attempts > 0);
    });
    const { id } = await client.call('GET /api/user', {});
    const { secret: appSecret } = await client.call('POST /api/user/authenticator', {});
    const { recoveryCodes } = await client.call('POST /api/user/authenticator/confirmation', {
      code: appWith(appSecret).now(),
    });
    const { path } = await admin.call('POST /api/admin/users/:id/reset-link', { id });
    const resetToken = path.split('#')[1] ?? '';
    const lists = await Promise.all([
      client.call('GET /api/tunnel-configs', {}),
      client.call('GET /api/user', {}),
      client.call('GET /api/user/second-factor', {}),
      admin.call('GET /api/admin/users', {}),
      admin.call('GET /api/admin/tunnel-configs', {}),
      admin.call('GET /api/admin/mails', {}),
      admin.call('GET /api/admin/mail-setup', {}),
    ]);
    await new Client(system.url).call('POST /api/password-reset', {
      token: resetToken,
      newPassword: testPassword,
    });
    await operator.close();

    const inside = (jwt: string) => JSON.parse(Buffer.from(jwt, 'base64').toString()) as { s: string };
    const secrets = [
      token,
      again.token,
      inside(token).s,
      inside(again.token).s,
      resetToken,
      appSecret,
      ...recoveryCodes,
      testPassword,
      adminPassword,
      '$argon2',
      mailPassword,
      address,
    ];
    const cookie = client.cookie.slice(client.cookie.indexOf('=') + 1);
    const logs = join(system.talpa.home, 'log');
    const places = {
      lists: JSON.stringify(lists),
      messages: messages.join('\n'),
      logs: readdirSync(logs)
        .map((name) => readFileSync(join(logs, name), 'utf8'))
        .join('\n'),
    };
    expect(messages.length).toBeGreaterThan(4);
    for (const [place, text] of Object.entries(places))
      for (const secret of [...secrets, cookie])
        expect(text.includes(secret), `a secret in the ${place}`).toBe(false);
  });

  it('is in the environment of a process or a store, and nothing that is meant for other programs', async () => {
    const { talpa } = system;
    const folder = join(talpa.home, 'secrets');
    const files = readdirSync(folder)
      .filter((name) => !['installation-id', 'edge-ca.pem', 'session-public-keys'].includes(name))
      .map((name) => readFileSync(join(folder, name), 'utf8').trim());
    const users = ['gateway', 'auth', 'tunnel-worker', 'edge', 'operator'] as const;
    const passwords = [
      ...users.map((user) => new URL(talpa.stores.natsUrl(user)).password),
      ...schemas.map(({ schema }) => talpa.secrets.storePassword(`${schema}_app`)),
      talpa.secrets.storePassword('postgres'),
      talpa.secrets.storePassword('redis'),
    ];
    const secrets = [
      ...files,
      ...files.flatMap((text) => text.split(/[:,]/)),
      ...passwords,
      ...Object.values(foreign),
      mailPassword,
    ];
    for (const part of talpa.parts.keys()) {
      const pid = system.pid(part) ?? 0;
      for (const one of [pid, ...descendantsOf(pid)]) {
        const environment = readFileSync(`/proc/${one}/environ`, 'utf8');
        const found = secrets.filter((secret) => secret.length > 15 && environment.includes(secret));
        expect([part, found]).toEqual([part, []]);
      }
    }
    expect(passwords.every((password) => password.length > 15)).toBe(true);
  });

  it('may be stored by a browser or a proxy on the way', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const response = await client.try('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    expect(response.headers.get('cache-control')).toContain('no-store');
  });
});
