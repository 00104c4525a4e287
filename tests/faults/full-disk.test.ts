import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { processNames } from '@talpa/instance/ports.mjs';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Readiness } from '@talpa/service-kit/process/readiness';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { giveEmail } from '@talpa/test-kit/emails';
import { temporaryHome } from '@talpa/test-kit/home';
import { type MailServer, startMailServer } from '@talpa/test-kit/mail-server';
import { freePorts } from '@talpa/test-kit/ports';
import { adminPassword, apart, startTestTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Talpa } from '../../launcher/system.ts';

const home = temporaryHome();
const run = (...command: string[]) =>
  spawnSync(command[0] ?? '', command.slice(1), { stdio: 'ignore' }).status;
const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=500m,mode=755', 'tmpfs', home) === 0;
const reserve = 100_000_000;
const filler = join(home, 'filler');
const free = () => {
  const { bavail, bsize } = statfsSync(home);
  return bavail * bsize;
};
const fill = (leave: number) => run('fallocate', '-l', String(Math.max(free() - leave, 1)), filler);

describe.skipIf(!isMounted)(
  'a disk that fills up (skipped where no small disk can be mounted: not root)',
  () => {
    let talpa: Talpa;
    let mails: MailServer;
    const said: string[] = [];
    const admin = () => new Client(talpa.url);
    const pids = () => processNames.map((name) => talpa.parts.get(name)?.pid());
    beforeAll(async () => {
      mails = await startMailServer();
      const env = {
        ...apart,
        METRICS_PORT: String(await freePorts(processNames.length)),
        DISK_RESERVE: String(reserve),
        ...{ SMTP_URL: mails.url, MAIL_FROM: 'talpa@example.org' },
      };
      talpa = await startTestTalpa(home, env, {
        patience: { askMs: 1_000, asks: 5 },
        log: (line) => said.push(line),
      });
    });
    afterAll(async () => {
      rmSync(filler, { force: true });
      await talpa?.stop();
      await mails?.stop();
      run('umount', home);
    });

    it('refuses creates in time, says so to all users concerned, and takes them again when there is room', async () => {
      const { client } = await newUser(talpa.url, 'enterprise');
      const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
      const boss = admin();
      await boss.call('POST /api/login', { username: 'admin', password: adminPassword });
      expect(await boss.call('GET /api/admin/storage', {})).toMatchObject({
        isShort: false,
        reserveBytes: reserve,
      });
      fill(reserve - 10_000_000);
      const refused = await until('a refusal', async () => {
        const { status, body } = await client.try('POST /api/tunnel-configs', proxyInput());
        // So that the plan's limit is never what refuses.
        if ('proxy' in body) await client.call('DELETE /api/tunnel-configs/:id', { id: body.proxy.id });
        return status !== 201 && { status, body };
      });
      expect(refused).toMatchObject({ status: 507, body: { code: 'storage_full' } });
      // Each process looks for itself.
      await until('a refused registration', async () => {
        const register = { username: `spaet-${randomUUID().slice(0, 8)}`, password: 'geheim-genug' };
        return (await new Client(talpa.url).try('POST /api/register', register)).status === 507;
      });
      // What exists goes on.
      const name = `${proxy.serverName} 2`;
      await client.call('PUT /api/tunnel-configs/:id', { ...proxyInput(), id: proxy.id, serverName: name });
      await until('the notice', async () => (await boss.call('GET /api/admin/storage', {}))?.isShort);
      await until('the console', () => said.some((line) => line.startsWith('disk space is short: ')));
      rmSync(filler);
      await until(
        'a create',
        async () => (await client.try('POST /api/tunnel-configs', proxyInput())).status === 201,
      );
      await until('the console', () =>
        said.some((line) => line.startsWith('disk space is sufficient again')),
      );
    }, 60_000);

    it('keeps the emails that are due, and sends them when there is room and the mail server works again', async () => {
      const { client, user } = await until('room', () => newUser(talpa.url, 'free'));
      const sql = openDatabase(talpa.stores.adminUrl, 1);
      const address = `${user.username}@example.com`;
      await giveEmail(sql, user.id, address);
      const arrived = () => mails.received.filter(({ recipient }) => recipient === address);
      mails.onEnd(() => 451);
      const passwords = { currentPassword: testPassword, newPassword: testPassword };
      await client.call('POST /api/user/password', passwords);
      await until('a refused attempt', () => arrived().length > 0);
      // It is due again while nothing can be written.
      await until('the attempt is stored', async () => {
        const { count } = await sql`
          update notifications.mails set due_at = now() + interval '2 seconds'
          where user_id = ${user.id} and state = 'queued' and failures > 0`;
        return count > 0;
      });
      run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=64k');
      expect(free()).toBeLessThan(1_000_000);
      await until('notifications says that a store does not write', async () => {
        const response = await fetch(new URL('/readyz', talpa.metrics.notifications));
        return response.status === 503;
      });
      mails.onEnd(() => 'accept');
      rmSync(filler);
      const mail = await until(
        'the email is sent',
        async () => {
          await sql`update notifications.mails set due_at = now() where user_id = ${user.id} and state = 'queued'`;
          const [row] = await sql<{ state: string; uncertain: number }[]>`
            select state, uncertain_attempts as uncertain from notifications.mails where user_id = ${user.id}`;
          return row?.state === 'sent' && row;
        },
        200_000,
      );
      const taken = arrived().filter(({ answer }) => answer === 'accept').length;
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThanOrEqual(1 + mail.uncertain);
      await sql.end({ timeout: 5 });
    }, 300_000);

    it('costs no process, shows in readiness, and all heals by itself when there is room again', async () => {
      const { client } = await until('room', () => newUser(talpa.url, 'enterprise'));
      // Each process looks for itself.
      const { proxy } = await until('room for a proxy', () =>
        client.call('POST /api/tunnel-configs', proxyInput()),
      );
      const before = pids();
      // What cannot be done while the disk is full ends no process either.
      const edit = (number: number) =>
        client
          .try('PUT /api/tunnel-configs/:id', {
            ...proxyInput(),
            id: proxy.id,
            serverName: `Insel ${number}`,
          })
          .catch(() => {});
      run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=64k');
      expect(free()).toBeLessThan(1_000_000);
      await until('a process that says that a store does not write', async () => {
        await Promise.all([1, 2, 3].map(edit));
        const response = await fetch(new URL('/readyz', talpa.metrics.stats));
        const { dependencies } = (await response.json()) as Readiness;
        return response.status === 503 && dependencies.some(({ works }) => !works);
      });
      expect(pids()).toEqual(before);
      rmSync(filler);
      await until('the main job', async () => {
        await newUser(talpa.url, 'free');
        await client.call('POST /api/tunnel-configs', proxyInput());
        const answers = processNames.map((name) => fetch(new URL('/readyz', talpa.metrics[name])));
        return (await Promise.all(answers)).every(({ status }) => status === 200);
      });
      expect(pids()).toEqual(before);
    }, 300_000);
  },
);
