import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { adminPassword, useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();

/** Before signing in, the browser itself logs the expected 401 of “who am I?” as an error. */
const signedOutError = /status of 401/;

const toast = (page: Page, text: string) => page.getByText(text, { exact: true });

/** Through the payment dialog the shortest way; a transfer that is activated at once always needs no card. */
async function payByTransfer(page: Page): Promise<void> {
  const payment = page.getByRole('dialog');
  await payment.getByRole('checkbox').check();
  await payment.getByRole('button', { name: 'Weiter zur Zahlung' }).click();
  await payment.getByRole('tab', { name: 'Überweisung' }).click();
  await payment.getByRole('button', { name: 'Bestellung prüfen' }).click();
  await payment.getByRole('button', { name: 'Zahlungspflichtig bestellen' }).click();
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Benutzername').fill(username);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
}

describe('in the browser', () => {
  it('a person does the main job, from registering to signing out', async () => {
    const { page, complaints } = await browser.open(system.url);
    const username = `maulwurf${Date.now() % 1_000_000}`;

    // No payment fails by chance.
    await page.addInitScript('Math.random = () => 0.5');
    await page.goto('/');
    await page.waitForURL('**/auth');
    await page.getByRole('tab', { name: 'Registrieren' }).click();
    await page.getByLabel('Benutzername').fill(username);
    await page.getByLabel('Passwort', { exact: true }).fill(testPassword);
    await page.getByLabel('Passwort wiederholen').fill(testPassword);
    await page.getByRole('button', { name: 'Registrieren' }).click();
    await heading(page, `Willkommen, ${username}`).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Proxy anlegen' }).isDisabled()).toBe(true);

    await page.getByRole('link', { name: 'Proxys', exact: true }).click();
    await page.getByRole('link', { name: 'Plan wählen' }).click();
    await page.getByRole('button', { name: 'Plan wählen: Basic' }).click();
    await payByTransfer(page);
    await toast(page, 'Plan gewechselt').waitFor();
    // The account data of a transfer stay until they are closed.
    await page.getByRole('dialog').getByRole('button', { name: 'Schließen' }).last().click();

    await page.getByRole('link', { name: 'Übersicht' }).click();
    await page.getByRole('button', { name: 'Proxy anlegen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Server-Name').fill('Mein Größter Server');
    await dialog.getByRole('button', { name: 'Proxy anlegen' }).click();
    await page.getByRole('dialog', { name: 'Installation: Mein Größter Server' }).waitFor();
    const token = await page.locator('code.secret').textContent();
    const script = page.locator('pre.secret');
    await script.getByText(/^\{ curl .*talpa_enrol talpa_ek_/).waitFor();
    const block = page.getByRole('figure', { name: 'Befehle für Ihren Server' });
    await page.getByText('Schritt für Schritt installieren').click();
    await block.getByText('Was macht das?').click();
    await script.getByText(`cloudflared service install ${token}`).waitFor();
    await page.getByRole('tab', { name: 'Windows' }).click();
    await script.getByText(/Install-Talpa talpa_ek_/).waitFor();
    await block.getByText('Was macht das?').click();
    await script.getByText(`cloudflared.exe service install ${token}`).waitFor();
    await page.keyboard.press('Escape');

    const row = page.getByRole('row', { name: /Mein Größter Server/ });
    await row.getByText('Noch nicht installiert').waitFor();
    await expect
      .poll(() => row.getByRole('link', { name: /tunnel\.localhost/ }).getAttribute('href'))
      .toContain('//mein-groesster-server.tunnel.localhost');

    await page.getByRole('button', { name: /^Tunnel-Status prüfen/ }).click();
    await page.getByRole('dialog').getByText('Noch nicht installiert').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Bearbeiten/ }).click();
    await page.getByRole('dialog').getByLabel('Server-Name').fill('Umbenannt');
    await page.getByText('Die öffentliche Adresse ändert sich').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click();
    await toast(page, 'Änderungen gespeichert').waitFor();
    await page.getByRole('link', { name: /umbenannt ?\.tunnel\.localhost/ }).waitFor();

    await page.getByRole('button', { name: /^Löschen/ }).click();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByText('Noch keine Proxys').waitFor();

    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.waitForURL('**/auth');
    await page.goto('/tunnel-configuration');
    await page.waitForURL('**/auth');
    expect(complaints.filter((complaint) => !signedOutError.test(complaint))).toEqual([]);
  });

  it('an administrator sees all users and all proxies', async () => {
    const admin = await system.admin();
    const me = await admin.call('GET /api/user', {});
    await admin.call('PUT /api/admin/users/:id', {
      id: me.id,
      username: me.username,
      isAdmin: true,
      proxyLimit: 5,
      subscriptionTier: 'basic',
    });
    await admin.call('POST /api/tunnel-configs', {
      serverName: 'Server des Admins',
      serverIP: '127.0.0.1',
      adminPort: 40_120,
    });
    const { page, complaints } = await browser.open(system.url);
    // Among many others: by a search.
    await page.goto('/admin/users?q=admin');
    await signIn(page, 'admin', adminPassword);
    await heading(page, 'Benutzerverwaltung').waitFor();
    await page.getByRole('row', { name: /admin/ }).first().waitFor();
    await page.getByRole('link', { name: 'Proxy-Verwaltung' }).click();
    await heading(page, 'Proxy-Verwaltung').waitFor();
    await page.goto('/admin/tunnel?q=Admins');
    await page.getByRole('row', { name: /Server des Admins/ }).waitFor();
    expect(complaints.filter((complaint) => !signedOutError.test(complaint))).toEqual([]);
  });

  it('a suspended person reads why, on every page and at their proxies', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await client.call('POST /api/tunnel-configs', proxyInput());
    const admin = await system.admin();
    const reason = 'Phishing gemeldet.';
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason });
    const { page } = await browser.open(system.url);
    await page.goto('/auth');
    await signIn(page, user.username, testPassword);
    await heading(page, `Willkommen, ${user.username}`).waitFor();
    for (const path of ['/', '/tunnel-configuration', '/settings']) {
      await page.goto(path);
      await page.getByRole('alert').getByText(`Grund: ${reason}`).waitFor();
    }
    await page.goto('/tunnel-configuration');
    await page.getByRole('row').getByText('Gesperrt').hover();
    await page.getByRole('tooltip', { name: `Das Konto ist gesperrt. Grund: ${reason}` }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Proxy anlegen' }).count()).toBe(0);
  });
});
