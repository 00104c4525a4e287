import { gzipSync } from 'node:zlib';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, testPassword } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();

/** A page of the browser, with somebody's session if one is given. */
async function open(client: Client | null, isFirstVisit = false) {
  const { page } = await browser.open(system.url, { isFirstVisit });
  if (client) await carrySession(page, client);
  return { page };
}

it('a deep link leads back to its page after signing in, signing out does not', async () => {
  const { user } = await newUser(system.url);
  const { page } = await open(null);
  const signIn = async () => {
    await page.getByLabel('Benutzername').fill(user.username);
    await page.getByLabel('Passwort', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  };
  await page.goto('/settings');
  await page.waitForURL('**/auth');
  await signIn();
  await heading(page, 'Einstellungen').waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/settings');

  await page.getByRole('navigation').getByRole('button', { name: 'Abmelden' }).click();
  await page.waitForURL('**/auth');
  await signIn();
  await heading(page, `Willkommen, ${user.username}`).waitFor();
});

it('needs at most 500 kB of code, compressed, until the dashboard is usable, and none on a second visit', async () => {
  const { client, user } = await newUser(system.url);
  const { page } = await open(client, true);
  let bytes = 0;
  const bodies: Promise<void>[] = [];
  const count = (body: Buffer) => {
    bytes += gzipSync(body).length;
  };
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname) && !response.fromServiceWorker())
      bodies.push(response.body().then(count));
  });
  await page.goto('/');
  await heading(page, `Willkommen, ${user.username}`).waitFor();
  await Promise.all(bodies);
  console.log(`until the dashboard is usable: ${Math.round(bytes / 1000)} kB of code, compressed`);
  expect(bytes).toBeLessThan(500_000);

  await page.waitForLoadState('networkidle');
  await page.reload();
  await heading(page, `Willkommen, ${user.username}`).waitFor();
  const transferred = await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => /[.](js|css)$/.test(new URL(name).pathname))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)`);
  expect(transferred).toBe(0);
});

it('a page whose files are gone since a newer build reloads by itself once, and then offers it', async () => {
  const { client, user } = await newUser(system.url);
  const { page } = await open(client);
  const dashboard = heading(page, `Willkommen, ${user.username}`);
  const visit = (path: string) => page.getByRole('navigation').first().locator(`a[href="${path}"]`).click();
  const code = '**/remotes/user/*.js';
  await page.goto('/');
  await dashboard.waitFor();
  await page.waitForLoadState('networkidle');

  // Gone until the page reloads: the files are preloaded and loaded, so that no number of requests says which one fails.
  const gone = (route: Route) => route.fulfill({ status: 404 });
  await page.route(code, gone);
  await page.route(
    '**/settings',
    async (route) => {
      await page.unroute(code, gone);
      await route.fallback();
    },
    { times: 1 },
  );
  await visit('/settings');
  await page.getByRole('tab', { name: 'Darstellung' }).waitFor();
  await visit('/');
  await dashboard.waitFor();

  await page.route(code, (route) => route.fulfill({ status: 404 }));
  await visit('/tunnel-configuration');
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.getByText('Neue Version verfügbar').waitFor();
  await visit('/');
  await dashboard.waitFor();
  await visit('/tunnel-configuration');
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Seite neu laden' }).click();
  await heading(page, 'Proxy-Konfiguration').waitFor();
});
