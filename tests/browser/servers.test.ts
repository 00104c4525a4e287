import { readFileSync } from 'node:fs';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser } from '@talpa/test-kit/client';
import { type RunningConnector, startOurs } from '@talpa/test-kit/connector/connectors';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { freePort } from '@talpa/test-kit/ports';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const connectors: RunningConnector[] = [];
afterEach(async () => {
  for (const one of connectors.splice(0)) await one.kill();
});
const { kit, proxy: sayProxy, servers: sayServers, user: say } = wordsIn('de');
const list = '/tunnel-configuration';

async function openAs(client: Client, path: string) {
  const opened = await browser.open(system.url);
  await carrySession(opened.page, client);
  await opened.page.goto(path);
  return opened;
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialogOf = (page: Page) => page.getByRole('dialog').last();
const connectDialog = (page: Page) => page.getByRole('dialog', { name: sayProxy('connect.title') });

async function connect(token: string): Promise<void> {
  const { edge } = system.talpa;
  if (!edge) throw new Error('there is no edge');
  const ca = readFileSync(edge.authorityFile, 'utf8');
  connectors.push(await startOurs({ port: edge.connectorPort, ca, token, originPort: await freePort() }));
}
/** The key in the command that the dialog shows. */
async function keyIn(page: Page): Promise<string> {
  const command = await connectDialog(page).locator('pre.secret').textContent();
  const [, key] = /talpa_enrol (talpa_ek_[\w-]+)/.exec(command ?? '') ?? [];
  if (!key) throw new Error(`no key in ${command}`);
  return key;
}
let machines = 0;
const enrol = (client: Client, key: string, name: string) => {
  machines += 1;
  const machine = machines.toString(16).padStart(64, '0');
  return client.call('POST /api/enrol', { key, machine, name, panel: 'txAdmin' });
};

describe('a machine without a proxy', () => {
  it('is connected by one command, and both tabs follow it to the public address', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { page, complaints } = await openAs(client, '/');
    const other = await page.context().newPage();
    await other.goto(list);
    await other.getByText(say('proxies.empty')).waitFor();

    await press(page, say('servers.connect'));
    await connectDialog(page).getByText(sayProxy('connect.waiting')).waitFor();
    await connectDialog(page).locator('pre.secret').waitFor();
    const key = await keyIn(page);
    const name = `Maschine-${user.id}`;
    const { token, url } = await enrol(client, key, name);
    await connectDialog(page).getByText(sayProxy('connect.server')).waitFor();
    await connectDialog(page).getByText(name, { exact: true }).waitFor();
    const found = { panel: 'txAdmin', port: 40_120 };
    await connectDialog(page).getByText(sayProxy('connect.panel.text', found)).waitFor();
    await connectDialog(page).getByText(sayProxy('install.waiting')).waitFor();
    await other.getByRole('row', { name: new RegExp(name) }).waitFor();

    await connect(token);
    const open = connectDialog(page).getByRole('link', { name: new RegExp(`^${sayProxy('install.open')}`) });
    await expect.poll(() => open.getAttribute('href')).toBe(url);
    await other
      .getByRole('row', { name: new RegExp(name) })
      .getByText(sayProxy('status.active'))
      .waitFor();

    // Who comes back finds what their command has done, and gets another one for another server.
    await page.keyboard.press('Escape');
    await press(page, say('servers.connect'));
    await connectDialog(page).getByText(name, { exact: true }).waitFor();
    await press(page, sayProxy('connect.another'));
    await connectDialog(page).getByText(sayProxy('connect.waiting')).waitFor();
    await connectDialog(page).locator('pre.secret').waitFor();
    expect(await keyIn(page)).not.toBe(key);
    expect(complaints).toEqual([]);
  });

  it('is offered no command that was revoked, used up or could not be made, but another one', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { page } = await openAs(client, list);
    await page.route('**/api/enrolment-keys', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await press(page, say('servers.connect'));
    await connectDialog(page).getByText(sayProxy('install.commandFailed')).waitFor();
    await page.unroute('**/api/enrolment-keys');
    await press(page, kit('error.retry'));
    const command = connectDialog(page).locator('pre.secret');
    await command.waitFor();
    const first = await keyIn(page);

    // In another tab.
    const settings = await page.context().newPage();
    await settings.goto('/settings?tab=security');
    await settings
      .getByRole('button', { name: sayServers('keys.revoke.of', { name: sayProxy('connect.title') }) })
      .click();
    await dialogOf(settings)
      .getByRole('button', { name: sayServers('keys.revoke.submit') })
      .click();
    await connectDialog(page).getByText(sayProxy('connect.over')).waitFor();
    await settings.getByText(sayServers('keys.empty')).waitFor();
    await expect(enrol(client, first, 'zu spät')).rejects.toThrow('enrolment_key_invalid');

    await press(page, sayProxy('connect.renew'));
    await command.waitFor();
    const second = await keyIn(page);
    expect(second).not.toBe(first);
    // It was used, and what it made was deleted.
    const { proxyId } = await enrol(client, second, `Weg-${user.id}`);
    await connectDialog(page).getByText(`Weg-${user.id}`, { exact: true }).waitFor();
    await settings.getByText(sayServers('keys.usedUp')).waitFor();
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxyId });
    await connectDialog(page).getByText(sayProxy('connect.over')).waitFor();
  });
});
