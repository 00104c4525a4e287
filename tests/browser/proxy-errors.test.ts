import { errorText } from '@talpa/contracts/errors';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { user: say, proxy: sayProxy, kit: sayKit } = wordsIn('de');

afterEach(() => providerOf(system.talpa).clearFaults());

/** A user with one proxy, on the list of their proxies, who is not notified of changes made elsewhere. */
async function onList(language: 'de' | 'en' = 'de') {
  const { client } = await newUser(system.url, 'basic');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const page = await openAs(client, language);
  return { client, proxy, page };
}
async function openAs(client: Client, language: 'de' | 'en' = 'de'): Promise<Page> {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.addInitScript(`localStorage.setItem('language', '${language}')`);
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/tunnel-configuration');
  return page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const says = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
/** Closes a dialog in which something is typed. */
async function discard(page: Page) {
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: sayKit('leave.confirm') }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' });
}
async function add(page: Page, name: string) {
  await press(page, say('proxies.add'));
  await page.getByRole('dialog').getByLabel(sayProxy('field.serverName')).fill(name);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('create.submit') })
    .click();
}

/** Nothing that reads or writes proxies works while this does. */
async function withoutTable(work: () => Promise<void>): Promise<void> {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`alter table proxies.proxies rename to away`;
  try {
    await work();
  } finally {
    await sql`alter table proxies.away rename to proxies`;
    await sql.end();
  }
}

describe('what people read when the server fails (500)', () => {
  it('at the list: that it could not be loaded, with a retry that works once it can', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    let page: Page | undefined;
    await withoutTable(async () => {
      page = await openAs(client, 'en');
      await says(page, 'Failed to fetch proxy configurations');
      await says(page, errorText('internal', 'en'));
    });
    if (!page) return;
    await press(page, 'Try again');
    await page.getByText(proxy.serverName).first().waitFor();
  });

  it('at creating, changing and deleting: which of them failed and the server’s word; nothing typed is lost', async () => {
    const { page, proxy } = await onList();
    await says(page, proxy.serverName);
    await withoutTable(async () => {
      await add(page, 'Bleibt stehen');
      await says(page, 'Fehler bei der Tunnel-Erstellung');
      await says(page, 'Serverfehler: Bitte versuchen Sie es später erneut');
      const name = page.getByRole('dialog').getByLabel(sayProxy('field.serverName'));
      await expect.poll(() => name.inputValue()).toBe('Bleibt stehen');
      await discard(page);

      await press(page, new RegExp(`^${sayProxy('action.edit')}`));
      await name.fill('Auch dies');
      await press(page, sayProxy('edit.submit'));
      await says(page, sayProxy('edit.failed'));
      await page
        .getByRole('status')
        .getByText('Serverfehler: Bitte versuchen Sie es später erneut')
        .first()
        .waitFor();
      await expect.poll(() => name.inputValue()).toBe('Auch dies');
      await discard(page);

      await press(page, new RegExp(`^${sayProxy('action.delete')}`));
      await press(page, sayProxy('delete.confirm'));
      await says(page, 'Fehler beim Löschen');
    });
  });
});

describe('what people read when the server refuses', () => {
  it('a tunnel the provider refuses (502): that it could not be created, and why; no row is left', async () => {
    const { page, client } = await onList();
    await providerOf(system.talpa).fault({ match: { operation: 'createTunnel' }, fault: 'refuse' });
    await add(page, 'Abgelehnt');
    await says(page, 'Fehler bei der Tunnel-Erstellung');
    await says(page, errorText('tunnel_refused', 'de'));
    expect(await client.call('GET /api/tunnel-configs', {})).toHaveLength(1);
  });

  it('a broken request (400): „Ungültige Anfrage“ and what is wrong with it', async () => {
    const { page } = await onList();
    let postData = '{"serverName":';
    await page.route('**/api/tunnel-configs', (route) =>
      route.request().method() === 'POST' ? route.continue({ postData }) : route.continue(),
    );
    await add(page, 'Abgeschnitten');
    await says(page, `Ungültige Anfrage: ${errorText('invalid_json', 'de')}`);
    postData = '[]';
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('create.submit') })
      .click();
    await says(page, 'Ungültige Anfrage: Überprüfen Sie Ihre Eingaben.');
  });

  it('what has been deleted elsewhere (404): that it has been', async () => {
    const { page, client, proxy } = await onList();
    await says(page, proxy.serverName);
    // While the request is on its way: a page that is notified first offers nothing to press.
    await page.route(`**/api/tunnel-configs/${proxy.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
      await route.continue();
    });
    await press(page, new RegExp(`^${sayProxy('action.delete')}`));
    await press(page, sayProxy('delete.confirm'));
    await says(page, 'Dieser Eintrag wurde inzwischen gelöscht');
  });
});
