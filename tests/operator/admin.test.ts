import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, newUser, testPassword } from '@talpa/test-kit/client';
import { temporaryHome } from '@talpa/test-kit/home';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { operate } from '@talpa/test-kit/operator';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, describe, expect, it } from 'vitest';

// A mail server that refuses one recipient.
const mailServer = await startMailServer();
mailServer.onRecipient((address) => (address === 'gone@example.com' ? 550 : null));
afterAll(() => mailServer.stop());
const system = useTalpa({ SMTP_URL: mailServer.url, MAIL_FROM: 'talpa@example.org' });

async function signIn(username: string, password: string) {
  const client = new Client(system.url);
  return { client, ...(await client.try('POST /api/login', { username, password })) };
}

describe('the operator', () => {
  it('gets what a running instance is told by each check, and a failure where one finds a problem', async () => {
    const here = { SMTP_URL: mailServer.url, MAIL_FROM: 'talpa@example.org' };
    const address = { EDGE_ADDRESS: `127.0.0.1:${system.talpa.edge?.connectorPort}` };
    const well = await operate(system.talpa.home, ['doctor'], {
      ...here,
      ...address,
      PUBLIC_URL: system.url,
    });
    expect(well.output).toMatch(/^✓ Reachability +http/m);
    for (const check of ['Email', 'Disk space', 'Stores +NATS', 'Stores +Postgres', 'Jobs'])
      expect(well.output).toMatch(new RegExp(`^✓ ${check} `, 'm'));
    expect(well.output).toMatch(/^! Backups +None .*npm run talpa -- backup .*\(docs\//m);
    expect(well).toMatchObject({ code: 0, output: expect.stringMatching(/^0 to repair/m) });
    const ill = await operate(system.talpa.home, ['doctor'], { ...here, EDGE_ADDRESS: '127.0.0.1:1' });
    expect(ill).toMatchObject({ code: 1, output: expect.stringMatching(/^✗ Reachability +Connectors/m) });
  });

  it.each([['keys', 'rotate', 'sessions'], ['backup', '/tmp/nowhere'], ['doctor'], ['resync']])(
    'is told that there is no instance, and none is made: %s %s',
    async (...words) => {
      const home = temporaryHome();
      rmSync(home, { recursive: true });
      const { code, output } = await operate(home, words);
      expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining(`There is no Talpa in ${home}`),
      });
      expect(existsSync(home)).toBe(false);
    },
  );

  it('creates an administrator with a generated password, shown once', async () => {
    const { code, output } = await operate(system.talpa.home, ['admin', 'create', 'zweite-chefin']);
    expect(code).toBe(0);
    const password = output.match(/Password: (\S+)/)?.[1] ?? '';
    const { client, status } = await signIn('zweite-chefin', password);
    expect(status).toBe(200);
    expect((await client.try('GET /api/admin/users', {})).status).toBe(200);
  });

  it('is refused a name that is taken or malformed, and changes nothing', async () => {
    const { user } = await newUser(system.url);
    const taken = await operate(system.talpa.home, ['admin', 'create', user.username.toUpperCase()]);
    expect(taken).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ The username is already taken\.$/m),
    });
    const short = await operate(system.talpa.home, ['admin', 'create', 'x']);
    expect(short.output).toMatch(/^✗ Username must be at least 3 characters long$/m);
    expect((await signIn(user.username, testPassword)).status).toBe(200);
  });

  it('lets somebody in again: a new password and the rights, no suspension, every open session ended', async () => {
    const { client, user } = await newUser(system.url);
    const admin = await system.admin();
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Versehen' });
    const given = { TALPA_ADMIN_PASSWORD: 'vom-betreiber-1' };
    const { code, output } = await operate(system.talpa.home, ['admin', 'reset', user.username], given);
    expect(code).toBe(0);
    expect(output).not.toContain(given.TALPA_ADMIN_PASSWORD);
    expect((await client.try('GET /api/user', {})).status).toBe(401);
    expect((await signIn(user.username, testPassword)).status).toBe(401);
    const again = await signIn(user.username, given.TALPA_ADMIN_PASSWORD);
    expect(again.body).toMatchObject({ isAdmin: true, suspension: null });
    const entry = await until('the audit trail shows it', async () => {
      const [row] = await admin.call('GET /api/admin/audit', { subject: user.id, action: 'user.reset' });
      return row;
    });
    expect(entry.changes).toMatchObject({
      isAdmin: { from: false, to: true },
      reason: { from: 'Versehen', to: null },
    });
    expect(await operate(system.talpa.home, ['admin', 'reset', 'niemand-da'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ There is no user “niemand-da”\.$/m),
    });
  });

  it('makes a link with which a user sets a new password and keeps their rights', async () => {
    const { client, user } = await newUser(system.url);
    const { code, output } = await operate(system.talpa.home, ['admin', 'reset-link', user.username]);
    expect(code).toBe(0);
    // Without PUBLIC_URL nobody can say where the panel is.
    expect(output).toMatch(/PUBLIC_URL/);
    const token = output.match(/^\/reset#(\S+)$/m)?.[1] ?? '';
    const newPassword = 'selbst-gewählt-1';
    await new Client(system.url).call('POST /api/password-reset', { token, newPassword });
    expect((await client.try('GET /api/user', {})).status).toBe(401);
    expect((await signIn(user.username, newPassword)).body).toMatchObject({ isAdmin: false });
    expect(await operate(system.talpa.home, ['admin', 'reset-link', 'niemand-da'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ There is no user “niemand-da”\.$/m),
    });
  });

  it('is shown the first password once, unless it is to be kept for later', async () => {
    // As a start leaves it that died before it was shown.
    const password = 'noch-nie-gezeigt';
    writeFileSync(join(system.talpa.home, 'secrets', 'first-admin-password'), password);
    const first = (...options: string[]) => operate(system.talpa.home, ['admin', 'first', ...options]);
    expect((await first('--keep')).output).not.toContain(password);
    expect((await first()).output).toContain(password);
    const { code, output } = await first();
    expect([code, output]).toEqual([0, expect.stringContaining('the password has been shown')]);
    expect(output).not.toContain(password);
  });

  it('is shown which commands there are, and that an instance does not run', async () => {
    const asked = await operate(system.talpa.home, ['--help']);
    expect(asked).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage: [\s\S]*--dry-run/) });
    expect(await operate(system.talpa.home, ['amdin'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/admin create <username>/),
    });
    expect((await operate(system.talpa.home, ['admin', 'create'])).output).toMatch(
      /^✗ Usage: npm run talpa -- admin create <username>$/m,
    );
    const stopped = temporaryHome();
    mkdirSync(join(stopped, 'secrets'));
    const elsewhere = await operate(stopped, ['admin', 'create', 'irgendwer']);
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.output).toMatch(/^✗ Talpa is not running on .*npm start, or set NATS_URL /m);
  });
});

describe('the operator’s test email', () => {
  const mailTest = (address: string) => operate(system.talpa.home, ['mail', 'test', address]);

  it('is sent now, and the server’s answer is printed', async () => {
    expect(await mailTest('anna@example.com')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Sent to anna@example\.com\. The mail server answered: 250 /m),
    });
    expect(mailServer.received).toMatchObject([
      { recipient: 'anna@example.com', subject: 'Test email from Talpa' },
    ]);
  });

  it('fails with the server’s words, or with what is wrong about the address', async () => {
    expect(await mailTest('gone@example.com')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ The mail server refused the email: .*550/m),
    });
    expect(await mailTest('nobody')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^✗ “nobody” is not an email address\.$/m),
    });
  });
});
