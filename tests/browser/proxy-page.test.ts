import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { startOurs } from '@talpa/test-kit/connector/connectors';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { ask } from '@talpa/test-kit/raw-http';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { user: say, proxy: sayProxy, kit: sayKit } = wordsIn('de');
const origin = createServer((_request, response) => response.end('x'.repeat(50_000)));
let originPort = 0;

beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  originPort = (origin.address() as AddressInfo).port;
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});

async function openAs(client: Client, path: string) {
  const { page, complaints } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  return { page, complaints };
}
const edge = () => {
  const { edge: facts } = system.talpa;
  if (!facts) throw new Error('there is no edge');
  return facts;
};
const panel = (page: Page, name: string) => page.getByRole('region', { name });
const tabs = (page: Page) => page.getByRole('navigation', { name: /^Bereiche von/ });
const tab = (page: Page, name: 'overview' | 'history' | 'settings' | 'access' | 'members') =>
  tabs(page).getByRole('link', { name: say(`proxy.tab.${name}`), exact: true });

describe('the page of a proxy', () => {
  it('pauses it with a message that is shown as visitors will see it, changes the message, and resumes', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { page, complaints } = await openAs(client, `/tunnel-configuration/${proxy.id}`);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog').last();
    const visited = async () => (await ask({ port: edge().visitorPort, host: proxy.cfDomain })).body;
    await press(sayProxy('action.pause'));
    const field = dialog.getByLabel(sayProxy('pause.label.message'), { exact: true });
    await field.fill('<b>Um 18 Uhr</b>\nzurück');
    await dialog.getByRole('figure').getByText('<b>Um 18 Uhr</b> zurück', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: sayProxy('pause.confirm'), exact: true }).click();
    const main = page.getByRole('main');
    await main.getByText(sayProxy('status.paused'), { exact: true }).waitFor();
    await main.getByText('<b>Um 18 Uhr</b> zurück', { exact: true }).waitFor();
    expect(await visited()).toContain('&lt;b&gt;Um 18 Uhr&lt;/b&gt; zurück');
    await press(sayProxy('paused.change'));
    await field.fill('');
    await dialog.getByRole('button', { name: sayProxy('pause.change'), exact: true }).click();
    await main.getByText('Um 18 Uhr', { exact: false }).waitFor({ state: 'detached' });
    await until('the page without it', async () => !(await visited()).includes('18 Uhr'));
    await press(sayProxy('action.resume'));
    await dialog.getByRole('button', { name: sayProxy('resume.confirm'), exact: true }).click();
    await page.getByRole('button', { name: sayProxy('action.pause'), exact: true }).waitFor();
    expect(await main.getByText(sayProxy('status.paused'), { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('shows both ends, uptime and traffic, and what changes without a reload', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', {
      ...proxyInput(),
      adminPort: originPort,
    });
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const { page, complaints } = await openAs(client, '/tunnel-configuration');
    await page.getByRole('link', { name: proxy.serverName }).click();
    await heading(page, proxy.serverName).waitFor();
    await panel(page, 'Admin-Panel').getByText('Noch unbekannt').waitFor();
    // Nobody was ever connected: no percentage, each fact once, and one way to the installation.
    await panel(page, 'Verfügbarkeit')
      .getByText(/^Noch nie verbunden/)
      .waitFor();
    expect(
      await panel(page, 'Verfügbarkeit')
        .getByText(/%|unbekannt/)
        .count(),
    ).toBe(0);
    const main = page.getByRole('main');
    expect(await main.getByText('Noch nicht installiert', { exact: true }).count()).toBe(1);
    expect(await main.getByRole('button', { name: /nstallieren$/ }).count()).toBe(1);

    const { connectorPort: port, authorityFile } = edge();
    const ca = await readFile(authorityFile, 'utf8');
    const connector = await startOurs({ port, ca, token, originPort });
    await panel(page, 'Connector').getByText('linux_amd64', { exact: false }).waitFor();
    const visit = () => ask({ port: edge().visitorPort, host: proxy.cfDomain });
    await until('a visitor to get through', async () => (await visit()).status === 200);
    await panel(page, 'Admin-Panel').getByText('Antwortet').waitFor();
    await until('the traffic', async () => {
      const { figures } = await client.call('GET /api/tunnel-configs/:id/traffic', { id: proxy.id });
      return figures && figures.today.bytesOut >= 50_000;
    });
    await page.reload();
    await panel(page, 'Datenverkehr')
      .getByText(/^[1-9].*kB$/)
      .first()
      .waitFor();
    await page.getByRole('img', { name: /^Verfügbarkeit, Letzte 90 Tage: 100/ }).waitFor();
    // What counts is the time since the first connection; the newest values and the colors are explained in writing.
    const uptime = panel(page, 'Verfügbarkeit');
    await uptime.getByText(/^Gemessen seit der ersten Verbindung/).waitFor();
    await uptime.getByText(/^Diese Stunde: 100/).waitFor();
    await uptime.getByText(/^Heute: 100/).waitFor();
    for (const meaning of ['durchgehend verbunden', 'zeitweise verbunden', 'nicht verbunden'])
      await uptime.getByText(meaning, { exact: true }).waitFor();
    expect(await main.getByText('Verbunden', { exact: true }).count()).toBe(1);
    await connector.kill();
    await main.getByText(/^Getrennt seit 1\sMinute$/).waitFor();
    await panel(page, 'Connector').getByText('Sobald der Connector verbunden ist').waitFor();
    await tab(page, 'history').click();
    const events = panel(page, 'Letzte Ereignisse');
    await events.getByText('Die Verbindung zum Connector ist abgebrochen.').waitFor();
    await events.getByText('Der Connector hat sich verbunden.').first().waitFor();
    await events.getByText(`Sie haben den Proxy „${proxy.serverName}“ angelegt.`).waitFor();
    await tab(page, 'settings').click();
    await page.getByRole('button', { name: 'Bearbeiten' }).click();
    await page.getByLabel('Admin-Port').fill('40121');
    await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click();
    await panel(page, say('proxy.configuration')).getByText('40121', { exact: true }).waitFor();
    await tab(page, 'history').click();
    await events.getByText(`Sie haben den Proxy „${proxy.serverName}“ geändert.`).waitFor();
    await events.getByText(/Admin-Port: .*40121/).waitFor();

    await tab(page, 'settings').click();
    expect(complaints).toEqual([]);
    const danger = panel(page, 'Gefahrenbereich');
    await danger.getByRole('button', { name: 'Tunnel neu erstellen' }).waitFor();
    await danger.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.waitForURL('**/tunnel-configuration');
  });

  it('of a suspended account offers what its row offers, and nothing that the server would refuse', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const admin = await system.admin();
    const { page } = await openAs(client, `/tunnel-configuration/${proxy.id}?tab=settings`);
    const actions = ['edit', 'install', 'recreate', 'delete'] as const;
    const onPage = (action: (typeof actions)[number]) =>
      page.getByRole('button', { name: sayProxy(`action.${action}`), exact: true }).first();
    await onPage('edit').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: sayKit('cancel') })
      .click();
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Phishing' });
    const possible = async () => Promise.all(actions.map((action) => onPage(action).isEnabled()));
    await expect.poll(possible).toEqual([false, false, false, true]);
    expect(await onPage('edit').getAttribute('title')).toBe(sayProxy('action.locked'));

    await page.goto('/tunnel-configuration');
    const inRow = (action: 'edit' | 'install' | 'check' | 'delete') =>
      page.getByRole('button', {
        name: sayProxy('action', { action: sayProxy(`action.${action}`), name: proxy.serverName }),
      });
    await inRow('edit').waitFor();
    expect([await inRow('edit').isEnabled(), await inRow('install').isEnabled()]).toEqual([false, false]);
    expect(await inRow('delete').isEnabled()).toBe(true);
    // What the check of its tunnel offers is no way around it.
    await inRow('check').click();
    const again = page.getByRole('dialog').getByRole('button', { name: sayProxy('action.recreate') });
    await again.waitFor();
    expect(await again.isEnabled()).toBe(false);
  });

  it('has tabs with addresses, each of which asks only for what it shows', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const path = `/tunnel-configuration/${proxy.id}`;
    const { page } = await openAs(client, '/');
    const asked = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith(`/api${path.replace('configuration', 'configs')}`))
        asked.add(pathname.split('/').slice(4).join('/'));
    });
    const isAt = async (name: string, title: string, wanted: readonly string[]) => {
      await panel(page, title).first().waitFor();
      await expect.poll(() => [...asked].sort()).toEqual(wanted);
      asked.clear();
      await expect.poll(() => page.title()).toBe(`${name}${proxy.serverName} · Talpa`);
      expect(await tabs(page).locator('[aria-current=page]').count()).toBe(1);
    };
    // A link of its own, into an empty cache.
    await page.goto(`${path}?tab=members`);
    await isAt('Mitglieder · ', 'Mitglieder', ['', 'members']);
    await tab(page, 'access').focus();
    await page.keyboard.press('Enter');
    await isAt('Zugriff · ', 'Zugriff', ['access', 'service-tokens']);
    expect(new URL(page.url()).search).toBe('?tab=access');
    // The focus stays on the tab, so that the next key goes on from there.
    expect(await page.locator(':focus').textContent()).toBe(say('proxy.tab.access'));
    await tab(page, 'overview').click();
    await isAt('', say('proxy.traffic'), ['health', 'traffic']);
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await isAt('Zugriff · ', 'Zugriff', ['service-tokens']);
    await page.goBack();
    await isAt('Mitglieder · ', 'Mitglieder', []);
    await page.goto(`${path}?tab=nonsense`);
    await panel(page, say('proxy.traffic')).waitFor();
  });

  it('scrolls its tabs on a phone, and no more than them', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { page } = await openAs(client, '/');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/tunnel-configuration/${proxy.id}?tab=settings`);
    await tab(page, 'settings').waitFor();
    const edges = async () => {
      const { x = 0, width = 0 } = (await tab(page, 'settings').boundingBox()) ?? {};
      return [x >= 0, x + width <= 390];
    };
    await expect.poll(edges).toEqual([true, true]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('asks before the way back leaves a tab with something typed', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { page } = await openAs(client, `/tunnel-configuration/${proxy.id}`);
    await tab(page, 'members').click();
    for (const opener of [wordsIn('de').members('invite'), sayProxy('action.edit')]) {
      await page.getByRole('button', { name: opener, exact: true }).click();
      const field = page.getByRole('dialog').getByRole('textbox').first();
      await field.fill('eben getippt');
      await page.evaluate('history.back()');
      await page.getByRole('button', { name: sayKit('leave.stay') }).click();
      expect(await field.inputValue()).toBe('eben getippt');
      expect(new URL(page.url()).search).toBe('?tab=members');
      await page.evaluate('history.back()');
      await page.getByRole('button', { name: sayKit('leave.confirm') }).click();
      await panel(page, say('proxy.traffic')).waitFor();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await page.evaluate('history.forward()');
      await panel(page, 'Mitglieder').waitFor();
    }
  });

  it('says that the proxy was deleted elsewhere; an open form says it first and stays', async () => {
    const { client } = await newUser(system.url, 'basic');
    const made = async () => (await client.call('POST /api/tunnel-configs', proxyInput())).proxy;
    const [one, other] = [await made(), await made()];
    const gone = (page: Page) => page.getByRole('main').getByText(sayKit('gone.title'), { exact: true });
    const { page } = await openAs(client, `/tunnel-configuration/${one.id}`);
    await heading(page, one.serverName).waitFor();
    await client.call('DELETE /api/tunnel-configs/:id', { id: one.id });
    await gone(page).waitFor();
    await page.getByText(say('proxy.gone.text', { name: one.serverName })).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/tunnel-configuration/${one.id}`);

    await page.goto(`/tunnel-configuration/${other.id}`);
    await page.getByRole('button', { name: sayProxy('action.edit'), exact: true }).click();
    const field = page.getByRole('dialog').getByLabel(sayProxy('field.serverName'));
    await field.fill('eben getippt');
    await client.call('DELETE /api/tunnel-configs/:id', { id: other.id });
    await page.getByRole('dialog').getByText(sayKit('gone.title')).waitFor();
    expect(await field.inputValue()).toBe('eben getippt');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: sayKit('cancel') })
      .click();
    await gone(page).waitFor();
  });

  it('of somebody else is not found', async () => {
    const [{ client }, { client: stranger }] = await Promise.all([
      newUser(system.url, 'basic'),
      newUser(system.url, 'basic'),
    ]);
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { page } = await openAs(stranger, `/tunnel-configuration/${proxy.id}`);
    await page.getByText('Proxy nicht gefunden').waitFor();
    await expect.poll(() => page.getByText(proxy.serverName).count()).toBe(0);
    await page.getByRole('link', { name: 'Alle Proxys' }).click();
    await page.waitForURL('**/tunnel-configuration');
  });
});
