import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { addPasskey } from '@talpa/test-kit/passkeys';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { kit, settings, shell } = wordsIn('de');
const security = '/settings?tab=security';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const nameField = (page: Page) => page.getByLabel(settings('passkeys.name'), { exact: true });
const dialogOf = (page: Page) => page.locator('[role=dialog]:visible');
const rows = (page: Page) =>
  page.getByRole('list', { name: settings('passkeys'), exact: true }).getByRole('listitem');
const namesIn = (page: Page) => rows(page).locator('strong').allInnerTexts();
const about = (key: 'passkeys.renameOf' | 'passkeys.removeOf', name: string) =>
  settings(key).replace('{name}', name);

/** Gives the browser an authenticator that verifies its user. @returns takes it away again */
async function plugIn(page: Page): Promise<() => Promise<unknown>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
}
async function add(page: Page, name: string): Promise<void> {
  await press(page, settings('passkeys.add'));
  await nameField(page).fill(name);
  await press(page, settings('addPasskey.submit'));
}
async function openSettings() {
  const { client, user } = await newUser(system.url);
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(security);
  await page.getByRole('button', { name: settings('passkeys.add'), exact: true }).waitFor();
  return { page, client, user };
}

describe('passkeys', () => {
  it('are added under names, sign in without a name, and are removed; other tabs follow', async () => {
    const { page, user } = await openSettings();
    const other = await page.context().newPage();
    await other.goto(security);
    await other.getByRole('button', { name: settings('passkeys.add'), exact: true }).waitFor();
    const unplug = await plugIn(page);
    await add(page, 'Telefon');
    await expect.poll(() => namesIn(page)).toEqual(['Telefon']);
    await expect.poll(() => namesIn(other)).toEqual(['Telefon']);
    // One of an authenticator is enough.
    await add(page, 'Noch einmal');
    await dialogOf(page).getByText(kit('passkey.known'), { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await unplug();
    await plugIn(page);
    await add(page, 'Laptop');
    await expect.poll(() => namesIn(other)).toEqual(['Telefon', 'Laptop']);

    await press(page, shell('layout.logout'));
    await page.waitForURL('**/auth');
    await press(page, shell('auth.passkey'));
    await page.getByRole('heading', { name: user.username }).waitFor();
    await page.goto(security);
    await rows(page).nth(1).waitFor();
    const never = (at: number) => rows(page).nth(at).getByText(settings('passkeys.never')).count();
    expect([await never(0), await never(1)]).toEqual([1, 0]);

    await other.goto(security);
    await expect.poll(() => namesIn(other)).toEqual(['Telefon', 'Laptop']);
    await press(page, about('passkeys.removeOf', 'Laptop'));
    await press(page, settings('removePasskey.submit'));
    await expect.poll(() => namesIn(page)).toEqual(['Telefon']);
    await expect.poll(() => namesIn(other)).toEqual(['Telefon']);
    await press(page, shell('layout.logout'));
    await page.waitForURL('**/auth');
    await press(page, shell('auth.passkey'));
    await page.getByRole('tabpanel').getByRole('alert').waitFor();
  });

  it('have dialogs that show nothing of another passkey when they are opened again', async () => {
    const { page, client } = await openSettings();
    for (const name of ['Eins', 'Zwei'])
      await addPasskey((route, input) => client.call(route, input), system.url, name);
    await expect.poll(() => namesIn(page)).toEqual(['Eins', 'Zwei']);

    await press(page, settings('passkeys.add'));
    await nameField(page).fill('Halb');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'hidden' });
    await press(page, settings('passkeys.add'));
    expect(await nameField(page).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'hidden' });

    await press(page, about('passkeys.renameOf', 'Eins'));
    expect(await nameField(page).inputValue()).toBe('Eins');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'hidden' });
    await press(page, about('passkeys.renameOf', 'Zwei'));
    expect(await nameField(page).inputValue()).toBe('Zwei');
    await nameField(page).fill('Drei');
    await page.keyboard.press('Enter');
    await expect.poll(() => namesIn(page)).toEqual(['Eins', 'Drei']);

    await press(page, about('passkeys.removeOf', 'Eins'));
    await dialogOf(page).getByText(settings('removePasskey.text').replace('{name}', 'Eins')).waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'hidden' });
    await press(page, about('passkeys.removeOf', 'Drei'));
    await dialogOf(page).getByText(settings('removePasskey.text').replace('{name}', 'Drei')).waitFor();
  });

  it('show in an open form that they were renamed elsewhere, and let its user choose', async () => {
    const { page, client } = await openSettings();
    const { passkey } = await addPasskey((route, input) => client.call(route, input), system.url, 'Eins');
    await rows(page).first().waitFor();
    await press(page, about('passkeys.renameOf', 'Eins'));
    await nameField(page).fill('Meins');
    await client.call('PUT /api/user/passkeys/:id', { id: passkey.id, name: 'Anders' });
    await dialogOf(page).getByText('Anders').waitFor();
    await press(page, kit('conflict.theirs'));
    await expect.poll(() => nameField(page).inputValue()).toBe('Anders');
  });

  it('take the place of the password in a step-up', async () => {
    const { page, client, user } = await openSettings();
    await plugIn(page);
    await add(page, 'Telefon');
    await rows(page).first().waitFor();
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`update auth.sessions set proved_at = now() - interval '11 minutes' where user_id = ${user.id}`;
    await sql.end();
    // What the gateway has cached of the session becomes invalid.
    await client.call('POST /api/user/preferences', {});
    await page.goto('/settings');
    const download = page.waitForEvent('download');
    await press(page, settings('export.submit'));
    await dialogOf(page)
      .getByRole('button', { name: shell('auth.passkey'), exact: true })
      .click();
    expect((await download).suggestedFilename()).toMatch(/\.json$/);
    await dialogOf(page).waitFor({ state: 'hidden' });
  });
});
