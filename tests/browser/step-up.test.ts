import { randomUUID } from 'node:crypto';
import { errorText } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { Client, newUser, testPassword } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { setUpApp } from '@talpa/test-kit/second-factors';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pages } from '../../frontends/user/src/pages.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { adminMails, kit, settings, shell } = wordsIn('de');

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const stepUpOf = (page: Page) => page.getByRole('dialog', { name: shell('stepUp.title') });
const focused = (page: Page) =>
  page.evaluate(`document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText`);

/** A user whose sign-in was eleven minutes ago, at a page. */
async function openLongAfterSignIn(path: string, { hasApp = false } = {}) {
  const { client, user } = await newUser(system.url);
  const { app } = hasApp ? await setUpApp((route, input) => client.call(route, input)) : { app: null };
  return { page: await openLate(client, user.id, path), client, user, app };
}

/** A page of somebody who signed in eleven minutes ago. */
async function openLate(client: Client, userId: number, path: string) {
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`update auth.sessions set proved_at = now() - interval '11 minutes' where user_id = ${userId}`;
  await sql.end();
  // What the gateway has cached of the session becomes invalid.
  await client.call('POST /api/user/preferences', {});
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  return page;
}

describe('a step-up', () => {
  it('takes the password, marks a wrong one, and lets the call be made after the right one', async () => {
    const { page } = await openLongAfterSignIn('/settings');
    await press(page, settings('export.submit'));
    const password = stepUpOf(page).getByLabel(shell('auth.password'), { exact: true });
    await expect.poll(() => focused(page)).toBe(shell('auth.password'));
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    await password.fill('vergessen');
    await page.keyboard.press('Enter');
    await stepUpOf(page).getByText('Das Passwort ist falsch', { exact: true }).waitFor();
    await password.fill(testPassword);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toMatch(/\.json$/);
    await stepUpOf(page).waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toBe(settings('export.submit'));
  });

  it('that is cancelled leaves everything as it was: the page says why, and the focus is back', async () => {
    const { page, client } = await openLongAfterSignIn('/settings');
    await field(page, settings('email')).fill('dort@example.org');
    await press(page, settings('save'));
    await stepUpOf(page).waitFor();
    await press(page, kit('cancel'));
    await stepUpOf(page).waitFor({ state: 'hidden' });
    await page.getByText(errorText('step_up_required', 'de'), { exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe(settings('save'));
    expect(await field(page, settings('email')).inputValue()).toBe('dort@example.org');
    expect((await client.call('GET /api/user/preferences', {})).email).toBe('');
  });

  it('lies above the dialog that needs it, each time, and takes a code of users with an app', async () => {
    const { page, client, app } = await openLongAfterSignIn('/settings', { hasApp: true });
    await press(page, settings('danger.open'));
    const send = async () => {
      await field(page, settings('delete.password')).fill(testPassword);
      await press(page, settings('delete.submit'));
      await expect.poll(() => focused(page)).toBe(kit('factorCode'));
    };
    await send();
    await page.keyboard.press('Escape');
    await stepUpOf(page).waitFor({ state: 'hidden' });
    await page.getByRole('dialog').getByText(errorText('step_up_required', 'de'), { exact: true }).waitFor();
    await send();
    const code = stepUpOf(page).getByLabel(kit('factorCode'), { exact: true });
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    await code.fill('000000');
    await press(page, shell('stepUp.submit'));
    await stepUpOf(page).getByText('Der Code ist falsch oder abgelaufen', { exact: true }).waitFor();
    await code.fill(app?.next() ?? '');
    await press(page, shell('stepUp.submit'));
    await page.waitForURL('**/auth');
    expect((await client.try('GET /api/user', {})).status).toBe(401);
  });

  it('ends when its page is left, and when its session ends: no later page or user finds it open', async () => {
    const { page, client } = await openLongAfterSignIn('/');
    await page.getByRole('link', { name: pages.settings.title.de, exact: true }).first().click();
    await press(page, settings('export.submit'));
    await stepUpOf(page).waitFor();
    await page.goBack();
    await stepUpOf(page).waitFor({ state: 'hidden' });
    await page.goForward();
    await press(page, settings('export.submit'));
    await stepUpOf(page).waitFor();
    const { user } = await newUser(system.url);
    await client.call('POST /api/logout', {});
    await page.waitForURL('**/auth');
    await field(page, shell('auth.username')).fill(user.username);
    await field(page, shell('auth.password')).fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: user.username }).waitFor();
    await page.getByRole('link', { name: pages.settings.title.de, exact: true }).first().click();
    const download = page.waitForEvent('download');
    await press(page, settings('export.submit'));
    await download;
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('speaks the language that another tab switches to, and keeps what was typed', async () => {
    const { page } = await openLongAfterSignIn('/settings');
    await press(page, settings('export.submit'));
    await stepUpOf(page).getByLabel(shell('auth.password'), { exact: true }).fill(testPassword);
    const other = await page.context().newPage();
    await other.goto('/');
    await press(other, kit('language.switch', { name: 'English' }));
    const { shell: english } = wordsIn('en');
    const dialog = page.getByRole('dialog', { name: english('stepUp.title') });
    const password = dialog.getByLabel(english('auth.password'), { exact: true });
    await password.waitFor();
    expect(await password.inputValue()).toBe(testPassword);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: english('stepUp.submit'), exact: true }).click();
    await download;
  });

  it('is one for all calls that need it meanwhile, and lets each of them be made', async () => {
    const { page, client } = await openLongAfterSignIn('/settings');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await field(page, settings('email')).fill('dort@example.org');
    await press(page, settings('export.submit'));
    await stepUpOf(page).waitFor();
    const refused = page.waitForResponse(
      (response) => response.url().endsWith('/api/user/preferences') && response.status() === 403,
    );
    // No pointer reaches the page below the dialog.
    await page.getByRole('button', { name: settings('save'), exact: true }).dispatchEvent('click');
    await refused;
    const download = page.waitForEvent('download');
    await stepUpOf(page).getByLabel(shell('auth.password'), { exact: true }).fill(testPassword);
    await page.keyboard.press('Enter');
    await download;
    const email = async () => (await client.call('GET /api/user/preferences', {})).email;
    await expect.poll(email).toBe('dort@example.org');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(calls.filter((call) => call === 'POST /api/user/step-up')).toHaveLength(1);
  });
});

describe('an email that opens an account', () => {
  it('is read by an administrator only after a step-up, and its recipient sees that it was', async () => {
    const { client, user } = await newUser(system.url);
    await client.call('POST /api/user/preferences', { email: `${user.username}@example.org` });
    const username = `a${randomUUID().slice(0, 12)}`;
    const admin = await (await system.admin()).call('POST /api/admin/users', {
      ...{ username, password: testPassword, isAdmin: true, subscriptionTier: 'none', proxyLimit: 0 },
    });
    const office = new Client(system.url);
    await office.call('POST /api/login', { username, password: testPassword });
    const page = await openLate(office, admin.id, `/admin/mail?userId=${user.id}&kind=verify_email`);
    await page
      .getByRole('main')
      .getByRole('button', { name: adminMails('show') })
      .click();
    await press(page, adminMails('read'));
    await stepUpOf(page).getByLabel(shell('auth.password'), { exact: true }).fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: adminMails('details.text') }).click();
    await page.locator('pre', { hasText: /\/verify#[\w-]{43}/ }).waitFor();
    const seen = await client.call('GET /api/user/audit', {});
    expect(seen.map(({ action }) => action)).toContain('mail.handOver');
  });
});
