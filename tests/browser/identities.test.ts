import { randomUUID } from 'node:crypto';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { linkIdentity } from '@talpa/test-kit/identities';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { settings, shell } = wordsIn('de');
const security = '/settings?tab=security';
/** As `startOpenIdProvider` calls it. */
const provider = 'Beispiel-Konto';
const signIn = shell('auth.provider').replace('{provider}', provider);
const link = settings('identities.link').replace('{provider}', provider);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const rows = (page: Page) =>
  page.getByRole('list', { name: settings('identities'), exact: true }).getByRole('listitem');
/** Signs in on the provider's own page. */
async function signInThere(page: Page, account: string) {
  await page.getByLabel('Name', { exact: true }).fill(account);
  await press(page, 'Weiter');
}
async function openSettings() {
  const { client, user } = await newUser(system.url);
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(security);
  return { page, client, user };
}

describe('an identity', () => {
  it('is linked in the settings, signs in to the page one wanted to see, and is unlinked; other tabs follow', async () => {
    const { page } = await openSettings();
    const other = await page.context().newPage();
    await other.goto(security);
    const account = randomUUID();
    await press(page, link);
    await signInThere(page, account);
    await page.waitForURL(`**${security}`);
    await expect.poll(() => rows(page).getByText(account).count()).toBe(1);
    await expect.poll(() => rows(other).getByText(account).count()).toBe(1);

    await press(page, shell('layout.logout'));
    await page.waitForURL('**/auth');
    await page.goto('/subscription');
    await press(page, signIn);
    await page.waitForURL('**/subscription');
    await page.goto(security);
    await expect.poll(() => rows(page).getByText(settings('passkeys.never')).count()).toBe(0);

    await other.goto(security);
    const unlink = settings('identities.unlinkOf').replace('{provider}', provider).replace('{name}', account);
    await press(page, unlink);
    await press(page, settings('unlink.submit'));
    await expect.poll(() => rows(page).count()).toBe(0);
    await expect.poll(() => rows(other).count()).toBe(0);
  });

  it('of somebody else is refused with a reason and a way back', async () => {
    const account = randomUUID();
    await linkIdentity((await newUser(system.url)).client, account);
    const { page } = await openSettings();
    await press(page, link);
    await signInThere(page, account);
    await page.getByText(shell('provider.link.failed'), { exact: true }).waitFor();
    await page.getByRole('link', { name: shell('provider.link.back') }).click();
    await page.waitForURL(`**${security}`);
  });
});

describe('signing in through a provider', () => {
  it('is offered as soon as the form shows: no button moves under the pointer, and none is missed for a failure', async () => {
    const { page } = await browser.open(system.url);
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/sign-in-providers', async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await page.goto('/auth');
    await asked.promise;
    await page.getByRole('status').first().waitFor();
    const submit = page.getByRole('button', { name: shell('auth.login'), exact: true });
    expect(await submit.count()).toBe(0);
    held.resolve();
    await submit.waitFor();
    expect(await page.getByRole('button', { name: signIn, exact: true }).count()).toBe(1);

    const { page: other } = await browser.open(system.url);
    await other.route('**/api/sign-in-providers', (route) => route.abort());
    await other.goto('/auth');
    await other.getByRole('button', { name: shell('auth.login'), exact: true }).waitFor();
  });

  it('creates an account under a name of one’s choice, which has no password at first', async () => {
    const { page } = await browser.open(system.url);
    await page.goto('/auth');
    const account = `n${randomUUID().slice(0, 12)}`;
    await press(page, signIn);
    await signInThere(page, account);
    await page.getByRole('heading', { name: shell('provider.register.title') }).waitFor();
    const name = page.getByLabel(shell('auth.username'), { exact: true });
    expect(await name.inputValue()).toBe(account);
    await name.fill('x');
    await press(page, shell('provider.register.title'));
    await page.locator('.ant-form-item-explain-error').waitFor();
    await name.fill(`${account}-2`);
    await press(page, shell('provider.register.title'));
    await page.getByRole('heading', { name: `${account}-2` }).waitFor();
    await page.goto('/settings');
    await page.getByRole('button', { name: settings('password.first'), exact: true }).waitFor();
  });

  it('says so when it was canceled, and takes what came along out of the address', async () => {
    const { page } = await browser.open(system.url);
    await page.goto('/auth');
    await press(page, signIn);
    await press(page, 'Weiter');
    await page.getByText(shell('provider.failed'), { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: shell('provider.again') }).click();
    await page.waitForURL('**/auth');
  });

  it('can be chosen again after Back, when the browser shows the page as it was left, and after a failure', async () => {
    const { page } = await browser.open(system.url);
    await page.goto('/auth');
    const button = page.getByRole('button', { name: signIn, exact: true });
    const isLoading = () => button.evaluate((element) => element.className.includes('loading'));
    const isLeft = page.waitForRequest((request) => request.isNavigationRequest());
    // The browser stays: nothing comes.
    await page.route(/authorize|\/auth\?/, (route) => route.fulfill({ status: 204 }));
    await button.click();
    await isLeft;
    expect(await isLoading()).toBe(true);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await expect.poll(isLoading).toBe(false);
    await page.route('**/api/login/provider/request', (route) => route.abort());
    await button.click();
    await page.getByRole('alert').waitFor();
    expect(await isLoading()).toBe(false);
    await page.unrouteAll();
    await button.click();
    await page.getByLabel('Name', { exact: true }).waitFor();
  });

  it('after somebody else leads to one’s own start, not to the page they were on', async () => {
    const account = randomUUID();
    await linkIdentity((await newUser(system.url)).client, account);
    const { page, client } = await openSettings();
    await page.getByRole('heading').first().waitFor();
    await client.call('POST /api/logout', {});
    await page.waitForURL('**/auth');
    await press(page, signIn);
    await signInThere(page, account);
    await page.getByRole('navigation').first().waitFor();
    await expect.poll(() => page.url()).toBe(`${system.url}/`);
  });

  it('that was given up once leads to where the next sign-in began, not to where the first did', async () => {
    const account = randomUUID();
    await linkIdentity((await newUser(system.url)).client, account);
    const { page } = await browser.open(system.url);
    await page.goto(security);
    await page.waitForURL('**/auth');
    await press(page, signIn);
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.goto('/auth');
    await press(page, signIn);
    await signInThere(page, account);
    await page.getByRole('navigation').first().waitFor();
    await expect.poll(() => page.url()).toBe(`${system.url}/`);
  });

  it.each(['//fremd.example/', 'https://fremd.example/', '/\\\\fremd.example/'])(
    'leads to no other host, whatever it was to return to: %s',
    async (path) => {
      const account = randomUUID();
      await linkIdentity((await newUser(system.url)).client, account);
      const { page } = await browser.open(system.url);
      await page.addInitScript(`
        if (location.pathname.startsWith('/sign-in/'))
          sessionStorage.setItem('talpa-return', ${JSON.stringify(JSON.stringify({ path, by: null }))});`);
      await page.goto('/auth');
      await press(page, signIn);
      await signInThere(page, account);
      await page.getByRole('navigation').first().waitFor();
      await expect.poll(() => page.url()).toBe(`${system.url}/`);
    },
  );
});
