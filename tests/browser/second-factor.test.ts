import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, testPassword } from '@talpa/test-kit/client';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { addPasskey } from '@talpa/test-kit/passkeys';
import { appWith, setUpApp } from '@talpa/test-kit/second-factors';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pages as userPages } from '../../frontends/user/src/pages.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { kit, settings, shell } = wordsIn('de');

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function newApp() {
  const person = await newUser(system.url);
  const set = await setUpApp((route, input) => person.client.call(route, input));
  return { ...person, ...set };
}
/** The sign-in page, once the password was right. */
async function atSecondStep(username: string) {
  const opened = await browser.open(system.url);
  const { page } = opened;
  await page.goto('/auth');
  await field(page, shell('auth.username')).fill(username);
  await field(page, shell('auth.password')).fill(testPassword);
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: shell('auth.login'), exact: true })
    .click();
  await page.getByRole('heading', { name: shell('factor.title') }).waitFor();
  return opened;
}
async function enterCode(username: string, code: string) {
  const opened = await atSecondStep(username);
  await field(opened.page, shell('factor.app')).fill(code);
  await opened.page.keyboard.press('Enter');
  return opened;
}
const isSignedIn = (page: Page) => page.waitForURL(({ pathname }) => pathname === '/');

/** The panel of an installation that requires a second factor of everyone. */
async function openWhereRequired(person: Awaited<ReturnType<typeof newUser>>, path: string) {
  const { page } = await browser.open(system.url);
  await changeConfig(page, { secondFactor: 'everyone' });
  await carrySession(page, person.client);
  await page.goto(path);
  return page;
}

describe('a second factor that the operator requires', () => {
  it('is set up before anything else; the codes stay until they are saved, and the wanted page follows', async () => {
    const person = await newUser(system.url);
    const page = await openWhereRequired(person, '/subscription');
    const other = await openWhereRequired(person, '/nowhere');
    for (const one of [page, other]) await heading(one, userPages.secondFactor.title.de).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await press(page, settings('factor.setUp'));
    await page
      .getByRole('img', { name: settings('setUp.qr') })
      .locator('svg')
      .waitFor();
    const secret = await page.locator('[role=dialog]:visible code').textContent();
    await field(page, settings('setUp.code')).fill(appWith((secret ?? '').replaceAll(' ', '')).now());
    await press(page, settings('setUp.confirm'));
    const codes = page.getByRole('list', { name: settings('codes.title') });
    await codes.getByRole('listitem').nth(9).waitFor();
    // The other tab learns that the factor is there, and this one keeps the codes.
    await press(other, settings('required.continue'));
    await heading(other, shell('notFound.title')).waitFor();
    expect(await codes.isVisible()).toBe(true);
    await press(page, settings('codes.saved'));
    await press(page, settings('required.continue'));
    await heading(page, userPages.subscription.title.de).waitFor();
    await page.goto('/settings?tab=security');
    await page.getByText(settings('factor.required'), { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: settings('factor.remove') }).count()).toBe(0);
  });

  it('is proven first in a session that the password alone has opened; a passkey is enough', async () => {
    const { client, app, user } = await newApp();
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`update auth.sessions set with_factor = false where user_id = ${user.id}`;
    await sql.end();
    const page = await openWhereRequired({ client, user }, '/subscription');
    await page.getByText(settings('required.unproven'), { exact: true }).waitFor();
    await press(page, settings('required.prove'));
    await field(page, kit('factorCode')).fill(app.next());
    await press(page, shell('stepUp.submit'));
    await press(page, settings('required.continue'));
    await heading(page, userPages.subscription.title.de).waitFor();

    const other = await newUser(system.url);
    await addPasskey((route, input) => other.client.call(route, input), system.url);
    const wanted = await openWhereRequired(other, '/subscription');
    await heading(wanted, userPages.subscription.title.de).waitFor();
  });

  it('keeps no user who would rather sign out', async () => {
    const page = await openWhereRequired(await newUser(system.url), '/');
    await press(page, shell('layout.logout'));
    await page.waitForURL(({ pathname }) => pathname === '/auth');
  });
});

describe('the second factor', () => {
  it('is set up with a QR code or its key, also in two goes, and gives recovery codes once', async () => {
    const { client } = await newUser(system.url);
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    await page.goto('/settings?tab=security');
    const begin = async (button: string) => {
      await press(page, button);
      await page
        .getByRole('img', { name: settings('setUp.qr') })
        .locator('svg')
        .waitFor();
      return ((await page.locator('[role=dialog]:visible code').textContent()) ?? '').replaceAll(' ', '');
    };
    const secret = await begin(settings('factor.setUp'));
    await page.keyboard.press('Escape');
    expect(await begin(settings('factor.resume'))).toBe(secret);
    const code = field(page, settings('setUp.code'));
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    await code.fill('000000');
    await press(page, settings('setUp.confirm'));
    await page.getByText('Der Code ist falsch oder abgelaufen', { exact: true }).waitFor();
    // As some apps show it.
    await code.fill(appWith(secret).now().replace(/^.{3}/, '$& '));
    await press(page, settings('setUp.confirm'));
    const codes = page.getByRole('list', { name: settings('codes.title') }).getByRole('listitem');
    await expect.poll(() => codes.count()).toBe(10);
    const download = page.waitForEvent('download');
    await press(page, settings('codes.download'));
    expect((await download).suggestedFilename()).toMatch(/^talpa-.*-wiederherstellungscodes\.txt$/);
    await press(page, settings('codes.saved'));
    await page.getByText(settings('factor.on'), { exact: true }).waitFor();
    expect(await client.call('GET /api/user/second-factor', {})).toMatchObject({ recoveryCodesLeft: 10 });
  });

  it('is asked for after the password, takes a pasted code or a recovery code, and says why it refuses one', async () => {
    const { user, app, recoveryCodes } = await newApp();
    const { page } = await atSecondStep(user.username);
    const code = field(page, shell('factor.app'));
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    await code.fill('000000');
    await press(page, shell('auth.login'));
    await page.getByText('Der Code ist falsch oder abgelaufen', { exact: true }).waitFor();
    await code.fill(` ${app.next()} `);
    await page.keyboard.press('Enter');
    await isSignedIn(page);

    const again = await atSecondStep(user.username);
    await press(again.page, shell('factor.useRecovery'));
    await field(again.page, shell('factor.recovery')).fill(recoveryCodes[0] ?? '');
    await again.page.keyboard.press('Enter');
    await isSignedIn(again.page);
  });

  it('leads back to the password, with the reason, when the sign-in has ended meanwhile', async () => {
    const { user, client, recoveryCodes, app } = await newApp();
    const { page } = await atSecondStep(user.username);
    await client.call('POST /api/user/authenticator/removal', { code: recoveryCodes[1] ?? '' });
    await field(page, shell('factor.app')).fill(app.next());
    await page.keyboard.press('Enter');
    const reason = page.getByText('Diese Anmeldung ist abgelaufen', { exact: false });
    await reason.first().waitFor();
    await field(page, shell('auth.username')).waitFor();
    for (const tab of ['auth.register', 'auth.login'] as const)
      await page.getByRole('tab', { name: shell(tab), exact: true }).click();
    await reason.first().waitFor({ state: 'detached' });
  });

  it('is replaced where the operator requires one; the old app counts until the new one has shown a code', async () => {
    const { user, client, app, recoveryCodes } = await newApp();
    const { page } = await browser.open(system.url);
    await changeConfig(page, { secondFactor: 'everyone' });
    await carrySession(page, client);
    await page.goto('/settings?tab=security');
    await page.getByText(settings('factor.required'), { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: settings('factor.remove') }).count()).toBe(0);
    await press(page, settings('factor.replace'));
    const dialog = page.getByRole('dialog', { name: settings('replace.title') });
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await isSignedIn((await enterCode(user.username, app.next())).page);
    const next = appWith(secret);
    await field(page, settings('setUp.code')).fill(next.now());
    await press(page, settings('replace.confirm'));
    const codes = page.getByRole('list', { name: settings('codes.title') }).getByRole('listitem');
    await expect.poll(() => codes.count()).toBe(10);
    expect(await codes.allTextContents()).not.toContain(recoveryCodes[0]);
    await press(page, settings('codes.saved'));
    await page.getByText(settings('factor.on'), { exact: true }).waitFor();
    const old = await enterCode(user.username, app.code(0));
    await old.page.getByText('Der Code ist falsch oder abgelaufen', { exact: true }).waitFor();
    await isSignedIn((await enterCode(user.username, next.next())).page);
  });

  it('is removed with a code', async () => {
    const { client, app } = await newApp();
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    await page.goto('/settings?tab=security');
    await press(page, settings('factor.remove'));
    await field(page, kit('factorCode')).fill(app.next());
    await press(page, settings('removeApp.submit'));
    await page.getByText(settings('removeApp.doneText'), { exact: true }).waitFor();
    await page.getByRole('button', { name: settings('factor.setUp') }).waitFor();
  });
});
