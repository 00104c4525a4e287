import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { useBrowser } from '@talpa/test-kit/browser';
import { Client } from '@talpa/test-kit/client';
import { temporaryHome } from '@talpa/test-kit/home';
import { freePorts } from '@talpa/test-kit/ports';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';

const home = temporaryHome();
const source = join(home, 'source');
const admin = { username: 'admin', password: 'geheim123' };
const isOurs = (path: string) => !['node_modules', 'dist'].includes(basename(path));
const browser = useBrowser();
let url: string;
let said = '';
let stop = async () => {};

/** `npm run dev` in a copy of the sources, which the tests change. */
beforeAll(async () => {
  for (const part of ['frontends', 'gateway', 'launcher', 'packages', 'services', 'tools', 'package.json'])
    cpSync(join(root, part), join(source, part), { recursive: true, filter: isOurs });
  linkPackages();
  const port = await freePorts(3);
  url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['tools/dev.ts', '--inspect', `stats:${await freePorts(1)}`], {
    cwd: source,
    env: {
      ...process.env,
      TALPA_HOME: join(home, 'home'),
      TALPA_ADMIN_PASSWORD: admin.password,
      PORT: String(port),
      EDGE_CONNECTOR_PORT: String(port + 2),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  stop = async () => {
    if (child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  };
  const isRunning = () => {
    if (child.exitCode !== null) throw new Error(`npm run dev ended:\n${said}`);
    return said.includes('Talpa is running');
  };
  await until('the panel', isRunning, 200_000);
});
afterAll(async () => {
  await stop();
  rmSync(home, { recursive: true, force: true });
});

/** The npm packages of others are those of this clone, ours are the copy's. */
function linkPackages(): void {
  const [from, to] = [join(root, 'node_modules'), join(source, 'node_modules')];
  mkdirSync(join(to, '@talpa'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@talpa') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@talpa')))
    symlinkSync(readlinkSync(join(from, '@talpa', name)), join(to, '@talpa', name));
}

function change(file: string, from: string, to: string): void {
  const path = join(source, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
}

it('a changed component of the shell and of a remote shows in the open page, which keeps what was typed', async () => {
  const { page, complaints } = await browser.open(url);
  await page.goto('/auth');
  const name = page.getByLabel('Benutzername');
  await name.fill('halb getippt');
  change('frontends/shell/src/auth/login-form.tsx', "t('auth.login')", "t('auth.login') + ' anders'");
  await page.getByRole('button', { name: 'anders' }).waitFor();
  expect(await name.inputValue()).toBe('halb getippt');

  await name.fill(admin.username);
  await page.getByLabel('Passwort', { exact: true }).fill(admin.password);
  await page.getByLabel('Passwort', { exact: true }).press('Enter');
  await page.waitForURL((address) => address.pathname !== '/auth');
  await page.goto('/settings');
  const email = page.getByRole('textbox', { name: /^E-Mail/ });
  await email.fill('halb@getippt');
  const tab = 'frontends/user/src/settings/account-tab.tsx';
  for (const text of ['anders', 'noch einmal']) {
    change(tab, "title={t('account')", `title={t('account') + ' ${text}'`);
    await page.getByText(text).waitFor();
    expect(await email.inputValue()).toBe('halb@getippt');
  }
  expect(complaints.filter((text) => text.startsWith('policy'))).toEqual([]);
});

it('a changed verb responds as it is written now, also after a change that could not start', async () => {
  const client = new Client(url);
  await client.call('POST /api/login', admin);
  const totalUsers = async () => (await client.call('GET /api/system/stats', {})).totalUsers;
  expect(await totalUsers()).toBe(1);
  const file = 'services/stats/totals/get.ts';
  change(file, "total('users')", "total('users') + 1_000");
  await until('the changed verb', async () => (await totalUsers()) === 1_001);
  change(file, '1_000', '1_000 +');
  await until('the failed start, with its place', () =>
    /stats stopped unexpectedly .*\(services\/stats\/totals\/get\.ts:\d+: /.test(said),
  );
  change(file, '1_000 +', '2_000');
  await until('the verb that was fixed', async () => (await totalUsers()) === 2_001);
});
