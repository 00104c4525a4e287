import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { freePort } from '@talpa/test-kit/ports';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useTalpa } from '@talpa/test-kit/system';
import { afterAll, describe, expect, it } from 'vitest';
import { pages as adminPages } from '../../frontends/admin/src/pages.ts';
import { pages as userPages } from '../../frontends/user/src/pages.ts';
import { buildPanel } from '../../launcher/build.ts';

type Remote = 'user' | 'admin';
const panel = await buildPanel(() => {});
const ports: Readonly<Record<Remote, number>> = { user: await freePort(), admin: await freePort() };
const system = useTalpa({
  PANEL_SHELL: panel.shell,
  PANEL_USER: `http://127.0.0.1:${ports.user}`,
  PANEL_ADMIN: `http://127.0.0.1:${ports.admin}`,
});
const browser = useBrowser();
const { shell: sayShell, kit: sayKit } = wordsIn('de');

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
};

/** The server of a remote comes (back) to life. */
async function startRemote(remote: Remote): Promise<void> {
  const server = createServer((request, response) => {
    const file = join(panel[remote], new URL(request.url ?? '/', 'http://localhost').pathname);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(ports[remote], '127.0.0.1', resolve));
}

/** Opens a page of a remote that does not load, and waits for it until it comes. */
async function outlives(remote: Remote, client: Client, path: string, title: string): Promise<void> {
  const { page } = await browser.open(system.url, { isFirstVisit: true });
  await carrySession(page, client);

  await page.goto(path);
  await page.getByText(sayShell('remote.title')).waitFor();
  await page.getByRole('button', { name: sayShell('layout.expand') }).click();
  await page.getByRole('navigation').getByText(userPages.dashboard.menu.label.de).waitFor();

  await page.evaluate('window.stillTheSamePage = true');
  await startRemote(remote);
  await page.getByRole('button', { name: sayKit('error.retry') }).click();
  await heading(page, title).waitFor();
  await expect.poll(() => page.evaluate('window.stillTheSamePage')).toBe(true);
}

describe('a remote that does not load leaves the shell alive, and recovers without a reload:', () => {
  it('the users’', async () => {
    const { client, user } = await newUser(system.url);
    await outlives('user', client, '/', `Willkommen, ${user.username}`);
  });

  it('the administrators’', async () => {
    await outlives('admin', await system.admin(), '/admin/users', adminPages.users.title.de);
  });
});
