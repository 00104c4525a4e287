import { readFileSync } from 'node:fs';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { type RunningConnector, startOurs } from '@talpa/test-kit/connector/connectors';
import { violationsOn } from '@talpa/test-kit/panel/faults';
import { freePort } from '@talpa/test-kit/ports';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { loseTunnel, providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import type { Locator, Page, Route } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const connectors: RunningConnector[] = [];
afterEach(async () => {
  await providerOf(system.talpa).clearFaults();
  for (const one of connectors.splice(0)) await one.kill();
});

interface Owned {
  readonly client: Client;
  readonly id: number;
  readonly cfDomain: string;
  readonly cfTunnelId: string | null;
  readonly serverName: string;
}
async function newProxy(): Promise<Owned> {
  const { client } = await newUser(system.url, 'basic');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  return { client, ...proxy };
}
const tokenOf = async ({ client, id }: Owned) =>
  (await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id })).token;

async function connect(proxy: Owned): Promise<RunningConnector> {
  const { edge } = system.talpa;
  if (!edge) throw new Error('there is no edge');
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const token = await tokenOf(proxy);
  const one = await startOurs({ port: edge.connectorPort, ca, token, originPort: await freePort() });
  connectors.push(one);
  return one;
}

async function openAs(client: Client, { width = 1280, language = 'de' } = {}) {
  const opened = await browser.open(system.url, {
    viewport: { width, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await opened.page.addInitScript(`localStorage.setItem('language', '${language}')`);
  await carrySession(opened.page, client);
  return opened;
}
const installButton = (page: Page) => page.getByRole('button', { name: /^Installieren: / });
const openDialogAgain = (page: Page) => installButton(page).click();
async function openDialog(page: Page): Promise<void> {
  await page.goto('/tunnel-configuration');
  await installButton(page).click();
}
/** Keeps the responses of an address back until they are released. */
async function heldRoute(page: Page, address: string) {
  const held: Route[] = [];
  await page.route(address, (route) => void held.push(route));
  return {
    arrived: () => until('the request', () => held.length > 0),
    release: () => Promise.all(held.map((route) => route.continue())),
  };
}
/** Shows all steps of an installation. */
const byHand = (page: Page) => page.getByRole('dialog').getByText('Schritt für Schritt installieren').click();
const status = (page: Page) => page.getByRole('dialog').getByRole('status');

describe('the install dialog', () => {
  it.each([1280, 390])(
    'waits for the connector, says when it is there, offers the address and what is left to do (%i px)',
    async (width) => {
      const proxy = await newProxy();
      const { page, complaints } = await openAs(proxy.client, { width });
      await openDialog(page);
      await status(page).getByText('Warten auf den Connector').waitFor();
      await page.locator('code.secret').waitFor();

      const connector = await connect(proxy);
      await status(page).getByText('Der Connector ist verbunden').waitFor();
      const link = page.getByRole('link', { name: `Adresse öffnen: ${proxy.cfDomain}` });
      await expect.poll(() => link.getAttribute('href')).toContain(`//${proxy.cfDomain}`);
      await expect.poll(() => link.getAttribute('target')).toBe('_blank');
      const left = page.getByRole('region', { name: 'Nächste Schritte auf Ihrem Server' });
      await left.getByText('TXHOST_INTERFACE=127.0.0.1').waitFor();
      await left.getByText('sudo ufw deny 40120/tcp').waitFor();
      await left.getByText('Pterodactyl, Pelican', { exact: true }).click();
      await left.getByText(`APP_URL=http://${proxy.cfDomain}`).waitFor();

      await connector.kill();
      await status(page).getByText('Die Verbindung zum Connector ist abgebrochen').waitFor();
      await status(page).getByText('Zuletzt verbunden vor wenigen Sekunden').waitFor();
      await page.getByRole('region', { name: 'Der Connector verbindet sich nicht?' }).waitFor();
      await page.keyboard.press('Escape');
      const focused = () => page.evaluate('document.activeElement?.getAttribute("aria-label")');
      await until('the focus to return', async () => String(await focused()).endsWith(proxy.serverName));
      expect(complaints).toEqual([]);
    },
  );

  it('helps who waits too long, with the commands of their system', async () => {
    const proxy = await newProxy();
    const { page, complaints } = await openAs(proxy.client);
    await page.clock.install();
    await openDialog(page);
    await status(page).getByText('Warten auf den Connector').waitFor();
    const hints = page.getByRole('region', { name: 'Der Connector verbindet sich nicht?' });
    await expect.poll(() => hints.count()).toBe(0);
    await page.clock.fastForward(46_000);
    const port = system.talpa.edge?.connectorPort;
    await hints.getByText(`Port ${port} ist gesperrt.`).waitFor();
    await page.getByText(`auf den Ports ${port}, 443 und 80 (TCP)`).waitFor();
    await hints.getByText(`sudo journalctl -u talpa-connector@${proxy.id} -n 20 --no-pager`).waitFor();
    await byHand(page);
    await hints.getByText('sudo cloudflared service uninstall').waitFor();
    await page.getByRole('tab', { name: 'Docker' }).click();
    await hints.getByText('sudo docker logs --tail 20 cloudflared').waitFor();
    await page.getByRole('tab', { name: 'Windows' }).click();
    await hints.getByText(`Test-NetConnection 127.0.0.1 -Port ${system.talpa.edge?.connectorPort}`).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await connect(proxy);
    await status(page).getByText('Der Connector ist verbunden').waitFor();
    await expect.poll(() => hints.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('copies for each system the commands it explains, with the whole token, and prints no secret', async () => {
    const proxy = await newProxy();
    const token = await tokenOf(proxy);
    const { page } = await openAs(proxy.client);
    await openDialog(page);
    const dialog = page.getByRole('dialog');
    const block = dialog.getByRole('figure', { name: 'Befehle für Ihren Server' });
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    const seen = new Set<unknown>();
    await byHand(page);
    const systems = ['Debian, Ubuntu', 'RPM (Fedora, RHEL)', 'Programmdatei', 'docker run', 'Docker Compose'];
    for (const name of [...systems, 'Windows']) {
      if (name === 'docker run') await dialog.getByRole('tab', { name: 'Docker' }).click();
      if (name === 'Windows') await dialog.getByRole('tab', { name }).click();
      else await dialog.getByText(name, { exact: true }).click();
      for (const isSecond of [false, true]) {
        await dialog.getByRole('checkbox', { name: /läuft bereits ein anderer/ }).setChecked(isSecond);
        const shown = (await block.locator('pre').textContent()) ?? '';
        expect(shown).toContain(token);
        expect(shown.includes(`cloudflared-${proxy.cfDomain.split('.')[0]}`)).toBe(isSecond);
        // What has just been copied was another block.
        const button = block.getByRole('button');
        expect(await button.textContent()).toBe('Kopieren');
        await button.click();
        await until('the copy', async () => (await copied()) === shown);
        await expect.poll(() => button.textContent()).toBe('Kopiert');
        seen.add(shown);
      }
    }
    expect(seen.size).toBe(12);
    await dialog.getByRole('button', { name: 'Tunnel-Token: Kopieren' }).click();
    await until('the token', async () => (await copied()) === token);
    await page.emulateMedia({ media: 'print' });
    const printed = () =>
      page.evaluate(`[...document.querySelectorAll('.secret')].map(
      (one) => one.tagName + ' ' + getComputedStyle(one).visibility)`);
    await expect.poll(printed).toEqual(['PRE hidden', 'PRE hidden', 'CODE hidden']);
  });

  it('gives one command with a key of its own, which opens this proxy’s connector once', async () => {
    const proxy = await newProxy();
    const { page } = await openAs(proxy.client);
    await openDialog(page);
    const figure = page.getByRole('dialog').getByRole('figure', { name: 'Ein Befehl für Ihren Server' });
    const command = () => figure.locator('pre').first().textContent();
    await figure.getByRole('button').click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(await command()).toBe(copied);
    const [, key = ''] = /talpa_enrol (talpa_ek_[\w-]+)/.exec(copied) ?? [];
    expect(copied).toContain(`${system.url}/install/de.sh`);
    // Who comes back has the same, whichever system they look at.
    await page.getByRole('tab', { name: 'Windows' }).click();
    await expect.poll(command).toContain(`Install-Talpa ${key}`);
    await page.keyboard.press('Escape');
    await openDialogAgain(page);
    await expect.poll(command).toBe(copied);
    const machine = 'a1'.repeat(32);
    const enrolled = await proxy.client.call('POST /api/enrol', { key, machine, name: 'Server' });
    expect(enrolled).toMatchObject({ proxyId: proxy.id, token: await tokenOf(proxy), connected: false });
    expect(await proxy.client.call('GET /api/enrolment-keys', {})).toMatchObject([{ used: 1, uses: 1 }]);
  });

  it('gives the whole token to who marks it with the mouse, and shows 15 characters of both ends', async () => {
    const proxy = await newProxy();
    const token = await tokenOf(proxy);
    const { page } = await openAs(proxy.client);
    const command = await heldRoute(page, '**/api/enrolment-keys');
    await openDialog(page);
    const dialog = page.getByRole('dialog');
    const marked = async (what: Locator) => {
      await what.scrollIntoViewIfNeeded();
      const box = await what.boundingBox();
      if (!box) throw new Error('it is not shown');
      await page.mouse.move(box.x + 1, box.y + 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 1, box.y + box.height - 2, { steps: 5 });
      await page.mouse.up();
      await page.evaluate('navigator.clipboard.writeText("")');
      await page.keyboard.press('Control+C');
      await until('the copy', async () => (await page.evaluate('navigator.clipboard.readText()')) !== '');
      return String(await page.evaluate('navigator.clipboard.readText()'));
    };
    const shown = dialog.locator('code.secret');
    await shown.waitFor();
    await command.arrived();
    const before = await shown.boundingBox();
    await command.release();
    await dialog.getByRole('button', { name: /^Ein Befehl für Ihren Server: / }).waitFor();
    // What comes later moves nothing that somebody may be marking.
    expect(await shown.boundingBox()).toEqual(before);
    expect(await marked(shown)).toBe(token);
    // As wide as 31 characters of a font in which all are as wide.
    const widths = await page.evaluate(`(() => {
      const one = document.querySelector('code.secret');
      const text = one.cloneNode();
      text.textContent = 'x'.repeat(31);
      one.after(text);
      const width = text.getBoundingClientRect().width;
      text.remove();
      return [one.getBoundingClientRect().width, width];
    })()`);
    const [wide, expected] = widths as [number, number];
    expect(Math.abs(wide - expected)).toBeLessThan(2);
    await byHand(page);
    const block = dialog.getByRole('figure', { name: 'Befehle für Ihren Server' });
    await block.getByText('Was macht das?').click();
    const script = block.locator('pre.secret');
    const text = await marked(script);
    expect(text).toContain(token);
    expect(text).not.toContain(`${token.slice(0, 15)}…`);
  });

  it('after a recreate removes the connector of the earlier tunnel first, if one was connected', async () => {
    const proxy = await newProxy();
    const { page } = await openAs(proxy.client);
    const name = /schon ein Connector installiert/;
    const replaces = page.getByRole('checkbox', { name, includeHidden: true });
    const recreate = () => proxy.client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
    await recreate();
    await openDialog(page);
    await page.locator('code.secret').waitFor();
    await expect.poll(() => replaces.count()).toBe(1);
    expect([await replaces.isVisible(), await replaces.isChecked()]).toEqual([false, false]);

    await connect(proxy);
    await status(page).getByText('Der Connector ist verbunden').waitFor();
    await recreate();
    await openDialog(page);
    await byHand(page);
    const script = page.getByRole('figure', { name: 'Befehle für Ihren Server' }).locator('pre.secret');
    await expect.poll(() => script.textContent()).toContain('cloudflared service uninstall');
    await replaces.uncheck();
    await expect.poll(() => script.textContent()).not.toContain('uninstall');
  });

  it('of a proxy without a tunnel makes one anew, and goes on', async () => {
    const proxy = await newProxy();
    await loseTunnel(system.talpa, proxy.cfTunnelId);
    const { page } = await openAs(proxy.client);
    await openDialog(page);
    await page.getByRole('dialog').getByText('Dieser Proxy hat keinen Tunnel').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Tunnel neu erstellen' }).click();
    await page
      .getByRole('dialog', { name: 'Tunnel neu erstellen?' })
      .getByRole('button', { name: 'Tunnel neu erstellen' })
      .click();
    await status(page).getByText('Warten auf den Connector').waitFor();
    await connect(proxy);
    await status(page).getByText('Der Connector ist verbunden').waitFor();
  });

  it('follows a tunnel made anew, from the dialog that made it', async () => {
    const proxy = await newProxy();
    const { page } = await openAs(proxy.client);
    await page.goto('/tunnel-configuration');
    const opener = page.getByRole('button', { name: /^Tunnel-Status prüfen/ });
    await opener.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Tunnel neu erstellen' }).click();
    const dialog = page.getByRole('dialog', { name: /^Tunnel neu erstell/ });
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    await press('Abbrechen');
    await page.getByRole('dialog').getByRole('button', { name: 'Tunnel neu erstellen' }).click();
    await press('Tunnel neu erstellen');
    await dialog.getByText('Installieren Sie den Connector mit dem neuen Token.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await press('Jetzt installieren');
    await status(page).getByText('Warten auf den Connector').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const isBack = () => opener.evaluate((one) => one === one.ownerDocument.activeElement);
    await until('the focus to return', isBack);
  });

  it.each([1280, 768, 390])('has no control that a toast covers (%i px)', async (width) => {
    const { client } = await newUser(system.url, 'basic');
    const { page } = await openAs(client, { width });
    await page.goto('/tunnel-configuration');
    await page.getByRole('button', { name: 'Proxy anlegen' }).click();
    await page.getByRole('dialog').getByLabel('Server-Name').fill(proxyInput().serverName);
    await page.getByRole('dialog').getByRole('button', { name: 'Proxy anlegen' }).click();
    const toast = page.getByRole('region', { name: /Meldungen/ }).getByRole('listitem');
    // It stays while the pointer is on it.
    await toast.hover();
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Tunnel-Token: Kopieren' });
    await copy.waitFor();
    const covered = () =>
      page.evaluate(`[...document.querySelectorAll('[role=dialog] :is(button, a, input, [role=tab])')]
        .filter((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return one.checkVisibility() && document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[role=region] ol');
        })
        .map(({ outerHTML }) => outerHTML)`);
    expect(await covered()).toEqual([]);
    await copy.click({ trial: true });
    expect(await toast.count()).toBe(1);
  });

  it('says inline and in a toast that the token could not be fetched, and fetches it on request', async () => {
    const proxy = await newProxy();
    const provider = providerOf(system.talpa);
    await provider.fault({ match: { operation: 'getToken' }, fault: '500' });
    const { page, complaints } = await openAs(proxy.client);
    await openDialog(page);
    const failed = page.getByRole('alert').getByText('Tunnel-Token konnte nicht abgerufen werden');
    await failed.waitFor();
    await page
      .getByText('Das Tunnel-Token konnte nicht abgerufen werden. Bitte versuchen Sie es später erneut.')

      .first()
      .waitFor();
    await provider.clearFaults();
    // The live stream that has just begun may ask again by itself; meanwhile the button is busy and takes no press.
    const retry = page.getByRole('dialog').getByRole('button', { name: 'Erneut versuchen' });
    const token = page.locator('code.secret');
    await retry.and(page.locator(':not(.ant-btn-loading)')).or(token).waitFor();
    if (await retry.isVisible()) await retry.click();
    await token.waitFor();
    expect(complaints.filter((text) => !/status of 503/.test(text))).toEqual([]);
  });

  it('shows the connector without a live event, and marks what is old', async () => {
    const proxy = await newProxy();
    const { page } = await openAs(proxy.client, { language: 'en' });
    await page.clock.install();
    await page.route('**/api/events', (route) => route.abort());
    await page.goto('/tunnel-configuration');
    const row = page.getByRole('row', { name: proxy.serverName });
    await row.getByText('Not installed yet').waitFor();
    await expect.poll(() => row.getByText(/^As of/).count()).toBe(0);
    await page.clock.fastForward('02:05');
    await row.getByText('As of 2 minutes ago').waitFor();
    await row.getByRole('button', { name: /^Install/ }).click();
    await status(page).getByText('Waiting for the connector').waitFor();
    await connect(proxy);
    await status(page).getByText('The connector is connected').waitFor();
  });

  it('accompanies an administrator too, in German whatever the panel speaks', async () => {
    const proxy = await newProxy();
    const { page } = await openAs(await system.admin(), { language: 'en' });
    await page.goto(`/admin/tunnel?q=${proxy.serverName}`);
    await page.getByRole('button', { name: new RegExp(`^Install.*${proxy.serverName}`) }).click();
    await status(page).getByText('Warten auf den Connector').waitFor();
    await connect(proxy);
    await status(page).getByText('Der Connector ist verbunden').waitFor();
  });
});
