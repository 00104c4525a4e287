import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.ts';
import { type Client, newUser, testPassword } from '../kit/client.ts';
import { useTalpa } from '../kit/system.ts';

const system = useTalpa();
const browser = useBrowser();
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Look {
  readonly theme: 'dark' | 'light';
  readonly language: 'de' | 'en';
  readonly accentColor: 'purple' | 'yellow';
  readonly width: number;
}

/** A page of the browser, with somebody's session if one is given, in a theme and language. */
async function open(client: Client | null, look: Look) {
  if (client)
    await client.call('POST /api/user/preferences', {
      appearance: { theme: look.theme, accentColor: look.accentColor },
    });
  const options: BrowserContextOptions = {
    viewport: { width: look.width, height: 844 },
    // Colors in the middle of a transition would be judged.
    reducedMotion: 'reduce',
  };
  const { page, complaints } = await browser.open(system.url, options);
  const stored = { language: look.language, appearance: `${look.theme} ${look.accentColor}` };
  await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  if (client) await carrySession(page, client);
  return { page, complaints };
}

async function carrySession(page: Page, client: Client): Promise<void> {
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);
}

/** What axe finds, in one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`${axe};0`);
  return await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
}

const looks: readonly Look[] = [
  { theme: 'dark', language: 'de', accentColor: 'purple', width: 1280 },
  { theme: 'light', language: 'en', accentColor: 'yellow', width: 1280 },
  { theme: 'dark', language: 'en', accentColor: 'yellow', width: 390 },
  { theme: 'light', language: 'de', accentColor: 'purple', width: 390 },
];
/** Before signing in, the browser itself notes the expected 401 of «who am I?» as an error. */
const signedOutNote = /status of 401/;
const usedLook = looks[0] as Look;

describe.each(looks)('in $theme, $language, $accentColor, $width px wide', (look) => {
  it('the sign-in page is accessible and breaks no rule of the content policy', async () => {
    const { page, complaints } = await open(null, look);
    await page.goto('/auth');
    await page.getByRole('tab').nth(1).click();
    await page.getByRole('tabpanel').getByRole('textbox').nth(2).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints.filter((text) => !signedOutNote.test(text))).toEqual([]);
  });

  it('every page behind it is, too', async () => {
    const admin = await system.admin();
    const { page, complaints } = await open(admin, look);
    const paths = [
      '/',
      '/tunnel-configuration',
      '/subscription',
      '/settings',
      '/admin/users',
      '/admin/tunnel',
    ];
    for (const path of [...paths, '/gibt-es-nicht']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await violations(page), path).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});

it('a deep link leads back to its page after signing in, signing out does not', async () => {
  const { user } = await newUser(system.url);
  const { page } = await open(null, usedLook);
  const signIn = async () => {
    await page.getByLabel('Benutzername').fill(user.username);
    await page.getByLabel('Passwort', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Anmelden' }).click();
  };
  await page.goto('/settings');
  await page.waitForURL('**/auth');
  await signIn();
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings');

  await page.getByRole('navigation').getByRole('button', { name: 'Abmelden' }).click();
  await page.waitForURL('**/auth');
  await signIn();
  await page.getByRole('heading', { level: 1, name: `Willkommen, ${user.username}` }).waitFor();
});

it('needs at most 500 kB of code, compressed, until the dashboard is usable, and none on a second visit', async () => {
  const { client, user } = await newUser(system.url);
  const { page } = await open(client, usedLook);
  let bytes = 0;
  const bodies: Promise<void>[] = [];
  const count = (body: Buffer) => {
    bytes += gzipSync(body).length;
  };
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname) && !response.fromServiceWorker())
      bodies.push(response.body().then(count, () => {}));
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: `Willkommen, ${user.username}` }).waitFor();
  await Promise.all(bodies);
  console.log(`until the dashboard is usable: ${Math.round(bytes / 1000)} kB of code, compressed`);
  expect(bytes).toBeLessThan(500_000);

  await page.waitForLoadState('networkidle');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: `Willkommen, ${user.username}` }).waitFor();
  const transferred = await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => /[.](js|css)$/.test(new URL(name).pathname))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)`);
  expect(transferred).toBe(0);
});

it('a page whose files are gone since a newer build offers a reload, and the rest goes on', async () => {
  const { client, user } = await newUser(system.url);
  const { page } = await open(client, usedLook);
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: `Willkommen, ${user.username}` }).waitFor();
  await page.waitForLoadState('networkidle');

  await page.route('**/remotes/user/*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.getByText('Eine neue Version ist da').waitFor();
  await page.getByRole('link', { name: 'Übersicht' }).click();
  await page.getByRole('heading', { level: 1, name: `Willkommen, ${user.username}` }).waitFor();

  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.unroute('**/remotes/user/*.js');
  await page.getByRole('button', { name: 'Seite neu laden' }).click();
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
});
