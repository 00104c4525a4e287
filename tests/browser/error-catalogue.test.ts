import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { adminPassword, useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';

// The error texts of the specification's section 8, each provoked by what really goes wrong. Those of a proxy's
// creation, change and deletion are in proxy-errors.test.ts, those of a payment in payment.test.ts.
const system = useTalpa();
const browser = useBrowser();
const words = wordsIn('de');
const { user: say, proxy: sayProxy, shell: sayShell, payment: sayPayment, admin: sayAdmin } = words;

afterEach(() => providerOf(system.talpa).clearFaults());

/** A page of a user who is not notified of changes made elsewhere. */
async function openAs(client: Client | null, path: string, language: 'de' | 'en' = 'de'): Promise<Page> {
  const { page } = await browser.open(system.url);
  await page.addInitScript(`localStorage.setItem('language', '${language}')`);
  if (client) {
    await carrySession(page, client);
  }
  await page.route('**/api/events', (route) => route.abort());
  await page.goto(path);
  await heading(page).waitFor();
  return page;
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const reads = async (page: Page, ...texts: readonly (string | RegExp)[]) => {
  for (const text of texts)
    await page
      .getByText(text, typeof text === 'string' ? { exact: true } : {})
      .first()
      .waitFor();
};
const withProxy = async () => {
  const { client } = await newUser(system.url, 'basic');
  return { client, proxy: (await client.call('POST /api/tunnel-configs', proxyInput())).proxy };
};

describe('signing in and out', () => {
  it('with a wrong password says so in an alert and a toast', async () => {
    const { user } = await newUser(system.url);
    const page = await openAs(null, '/auth');
    await page.getByLabel(sayShell('auth.username')).fill(user.username);
    await page.getByLabel(sayShell('auth.password'), { exact: true }).fill('falsch-falsch');
    await press(page, 'Anmelden');
    await page.getByRole('alert').getByText('Fehler bei der Anmeldung').waitFor();
    await reads(page, 'Anmeldung fehlgeschlagen', 'Benutzername oder Passwort ist falsch.');
  });

  it('registering a name that is taken says so in an alert and a toast', async () => {
    const { user } = await newUser(system.url);
    const page = await openAs(null, '/auth');
    await page.getByRole('tab', { name: 'Registrieren' }).click();
    await page.getByLabel(sayShell('auth.username')).fill(user.username);
    await page.getByLabel(sayShell('auth.password'), { exact: true }).fill(testPassword);
    await page.getByLabel(sayShell('auth.confirmPassword')).fill(testPassword);
    await press(page, 'Registrieren');
    await page.getByRole('alert').getByText(sayShell('auth.register.error')).waitFor();
    await reads(page, 'Registrierung fehlgeschlagen', 'Der Benutzername ist bereits vergeben.');
    await page.getByRole('tab', { name: 'Anmelden' }).click();
    await page.getByRole('alert').getByText(sayShell('auth.register.error')).waitFor({ state: 'detached' });
  });

  it('keeps no text of the language that was left', async () => {
    const german = /Benutzername oder Passwort ist falsch|Das Panel ist nicht erreichbar/;
    const speakEnglish = (page: Page) => page.getByRole('button', { name: 'English' }).click();
    const page = await openAs(null, '/auth');
    await page.getByLabel(sayShell('auth.username')).fill('niemand');
    await page.getByLabel(sayShell('auth.password'), { exact: true }).fill('falsch-falsch');
    await press(page, 'Anmelden');
    const shown = page.getByRole('main').getByText(german);
    await shown.waitFor();
    await speakEnglish(page);
    await shown.waitFor({ state: 'detached' });

    const { client } = await newUser(system.url, 'basic');
    const list = await openAs(client, '/');
    await list.route('**/api/tunnel-configs*', (route) => route.abort());
    await list.goto('/tunnel-configuration');
    await list.getByText(german).waitFor();
    await speakEnglish(list);
    await list.getByText('Connection error: The panel can’t be reached').waitFor();
    expect(await list.getByText(german).count()).toBe(0);

    const settings = await openAs(client, '/settings');
    await settings.route('**/api/user/export', (route) => route.abort());
    await press(settings, wordsIn('de').settings('export.submit'));
    await settings.getByText(german).waitFor();
    await speakEnglish(settings);
    await settings.getByText(german).waitFor({ state: 'detached' });
  });

  it('signing out without a connection says that it failed', async () => {
    const { client } = await newUser(system.url);
    const page = await openAs(client, '/');
    await page.context().setOffline(true);
    await press(page, sayShell('layout.logout'));
    await reads(page, 'Abmeldung fehlgeschlagen', /^Verbindungsfehler/);
  });
});

describe('a proxy’s dialogs', () => {
  it('show that there is no tunnel to check any more', async () => {
    const { client, proxy } = await withProxy();
    await providerOf(system.talpa).deleteTunnel(proxy.cfTunnelId ?? '');
    const page = await openAs(client, '/tunnel-configuration');
    await press(page, new RegExp(`^${sayProxy('action.check')}`));
    await page.getByRole('status').getByText('Dieser Proxy hat keinen Tunnel').waitFor();
  });

  it.each([
    ['nothing', { json: {} }, 'tunnel.online'],
    ['that the proxy is missing', { status: 404, json: { message: 'weg' } }, 'check.notFound'],
  ] as const)('say what it means when the answer about the status says %s', async (_what, answer, text) => {
    const { client } = await withProxy();
    const page = await openAs(client, '/tunnel-configuration');
    await page.route('**/api/tunnel-status/*', (route) => route.fulfill(answer));
    await press(page, new RegExp(`^${sayProxy('action.check')}`));
    await page.getByRole('dialog').getByText(sayProxy(text), { exact: true }).waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: sayProxy('action.recreate') })
      .waitFor();
    expect(await page.getByText('Fehler beim Abrufen des Tunnel-Status').count()).toBe(0);
  });

  it('say that there is no tunnel, also when the list alone says so', async () => {
    const { client } = await withProxy();
    const page = await openAs(client, '/');
    await page.route(/\/api\/tunnel-configs(\?.*)?$/, async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as object[];
      await route.fulfill({ response, json: rows.map((row) => ({ ...row, cfTunnelId: null })) });
    });
    await page.goto('/tunnel-configuration');
    await press(page, new RegExp(`^${sayProxy('action.install')}`));
    await page.getByRole('dialog').getByText(sayProxy('install.noTunnel'), { exact: true }).waitFor();
  });

  it('show that the status could not be fetched, and that a tunnel could not be recreated', async () => {
    const { client, proxy } = await withProxy();
    const page = await openAs(client, '/tunnel-configuration');
    const check = page.getByRole('button', { name: new RegExp(`^${sayProxy('action.check')}`) }).first();
    await check.waitFor();
    await page.context().setOffline(true);
    await check.click();
    await reads(page, 'Fehler beim Abrufen des Tunnel-Status');
    // What failed for want of a network is fetched when it is back.
    await page.context().setOffline(false);
    // It goes while the request is on its way: a page that is notified first offers nothing to press.
    await page.route('**/api/recreate-tunnel/*', async (route) => {
      await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
      await route.continue();
    });
    await press(page, sayProxy('action.recreate'));
    await page
      .getByRole('dialog', { name: sayProxy('recreate.title') })
      .getByRole('button', { name: sayProxy('action.recreate') })
      .click();
    await reads(page, sayProxy('recreate.failed'), 'Ressource nicht gefunden');
  });
});

describe('the user’s own account', () => {
  it.each([
    ['de', 'Ein Fehler ist aufgetreten', /^Verbindungsfehler/],
    ['en', 'An error occurred', /^Connection error/],
  ] as const)('preferences that cannot be saved say so (%s)', async (language, ...texts) => {
    const { client } = await newUser(system.url);
    const { settings } = wordsIn(language);
    const page = await openAs(client, '/settings?tab=notifications', language);
    await page.getByRole('switch').first().click();
    await page.context().setOffline(true);
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: settings('save') })
      .click();
    await reads(page, ...texts);
  });

  it('a subscription that cannot be read, and a plan that cannot be changed, say so', async () => {
    const { client } = await newUser(system.url, 'basic');
    const page = await openAs(client, '/subscription');
    await page.addInitScript('Math.random = () => 0');
    await page.reload();
    await press(page, `${say('plan.upgrade')}: Premium`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: sayPayment('next') }).click();
    await dialog.getByRole('tab', { name: sayPayment('method.bank') }).click();
    await dialog.getByRole('button', { name: sayPayment('review') }).click();
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`alter table billing.subscriptions rename to away`;
    try {
      await dialog.getByRole('button', { name: sayPayment('pay') }).click();
      await reads(page, 'Serverfehler: Bitte versuchen Sie es später erneut', say('plan.failed'));
      await until('all caches to drop it', async () => {
        return (await client.try('GET /api/user/subscription', {})).status === 500;
      });
      await page.reload();
      await reads(page, say('plan.error'), 'Serverfehler: Bitte versuchen Sie es später erneut');
    } finally {
      await sql`alter table billing.away rename to subscriptions`;
      await sql.end();
    }
    await press(page, 'Erneut versuchen');
    await page.getByText(say('plan.limit')).waitFor();
  });
});

describe('an administrator', () => {
  it('reads that the last of them stays', async () => {
    const page = await openAs(await system.admin(), '/settings');
    await press(page, words.settings('danger.open'));
    await page.getByLabel(words.settings('delete.password'), { exact: true }).fill(adminPassword);
    await press(page, words.settings('delete.submit'));
    await page
      .getByRole('dialog')
      .getByText('Der letzte Administrator kann nicht entfernt werden.')
      .waitFor();
  });

  it('reads the server’s word when a user cannot be created, and what failed when one cannot be deleted', async () => {
    const { user } = await newUser(system.url);
    const page = await openAs(await system.admin(), '/admin/users');
    await press(page, sayAdmin('users.create'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(sayAdmin('form.username')).fill(user.username);
    await dialog.getByLabel(sayAdmin('form.password'), { exact: true }).fill(`p-${randomUUID()}`);
    await dialog.getByRole('button', { name: sayAdmin('form.create') }).click();
    await dialog.getByText('Der Benutzername ist bereits vergeben.').waitFor();
    const toast = page.getByRole('region', { name: /Meldungen/ }).getByRole('listitem');
    await toast.filter({ hasText: 'Fehler' }).getByText('Der Benutzername ist bereits vergeben.').waitFor();
    const limit = dialog.getByRole('spinbutton', { name: sayAdmin('form.limit') });
    await expect.poll(() => limit.getAttribute('min')).toBe('0');
    await page.goto('/admin/users');
    await press(page, sayAdmin('action', { action: sayAdmin('delete'), name: user.username }));
    await dialog.getByRole('button', { name: sayAdmin('delete.confirm') }).waitFor();
    await page.context().setOffline(true);
    await press(page, sayAdmin('delete.confirm'));
    await reads(page, 'Fehler', /^Verbindungsfehler/);
    await page.context().setOffline(false);
  });

  it('reads what failed when a user can be neither created nor changed, and sends again what is still typed', async () => {
    const page = await openAs(await system.admin(), '/admin/users');
    const dialog = page.getByRole('dialog');
    const send = (name: string) => dialog.getByRole('button', { name }).click();
    const username = `neu-${randomUUID().slice(0, 8)}`;
    await press(page, sayAdmin('users.create'));
    await dialog.getByLabel(sayAdmin('form.username')).fill(username);
    await dialog.getByLabel(sayAdmin('form.password'), { exact: true }).fill(`p-${randomUUID()}`);
    await page.context().setOffline(true);
    await send(sayAdmin('form.create'));
    await reads(page, 'Fehler', /^Verbindungsfehler/);
    await page.context().setOffline(false);
    await send(sayAdmin('form.create'));
    await reads(page, 'Benutzer erstellt', 'Der Benutzer wurde erfolgreich erstellt.');

    await press(page, sayAdmin('action', { action: sayAdmin('edit'), name: username }));
    await page.context().setOffline(true);
    await send(sayAdmin('form.save'));
    await reads(page, 'Fehler', /^Verbindungsfehler/);
    await page.context().setOffline(false);
    await send(sayAdmin('form.save'));
    await reads(page, 'Benutzer aktualisiert', 'Der Benutzer wurde erfolgreich aktualisiert.');
  });

  it('reads whether a proxy was deleted', async () => {
    const { client, proxy } = await withProxy();
    const page = await openAs(await system.admin(), `/admin/tunnel?q=${proxy.serverName}`);
    const action = sayAdmin('action', { action: sayAdmin('delete'), name: proxy.serverName });
    await page.getByRole('button', { name: action }).first().waitFor();
    await page.context().setOffline(true);
    await press(page, action);
    await press(page, sayProxy('delete.confirm'));
    await reads(page, 'Fehler beim Löschen', /^Verbindungsfehler/);
    await page.context().setOffline(false);
    await press(page, sayProxy('delete.confirm'));
    await reads(page, sayProxy('delete.done'));
    expect(await client.call('GET /api/tunnel-configs', {})).toEqual([]);
  });
});
