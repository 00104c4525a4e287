import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildPanel } from '../../launcher/build.ts';
import { useBrowser } from '../kit/browser.ts';
import { newUser } from '../kit/client.ts';
import { freePort, useTalpa } from '../kit/system.ts';

const panel = await buildPanel(() => {});
const port = await freePort();
const system = useTalpa({
  PANEL_SHELL: panel.shell,
  PANEL_USER: `http://127.0.0.1:${port}`,
  PANEL_ADMIN: panel.admin,
});
const browser = useBrowser();

let server: Server | undefined;
afterAll(() => server?.close());

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
};

/** The server of the user remote comes (back) to life. */
async function startRemote(): Promise<void> {
  server = createServer((request, response) => {
    const file = join(panel.user, new URL(request.url ?? '/', 'http://localhost').pathname);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
}

it('a remote that does not load leaves the shell alive, and recovers without a reload', async () => {
  const { client, user } = await newUser(system.url);
  const { page } = await browser.open(system.url);
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);

  await page.goto('/');
  await page.getByText('Dieser Teil des Panels lädt gerade nicht').waitFor();
  await page.getByRole('button', { name: 'Menü ausklappen' }).click();
  await page.getByRole('navigation').getByText('Übersicht').waitFor();

  await page.evaluate('window.stillTheSamePage = true');
  await startRemote();
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.getByRole('heading', { level: 1, name: `Willkommen, ${user.username}` }).waitFor();
  expect(await page.evaluate('window.stillTheSamePage')).toBe(true);
});
