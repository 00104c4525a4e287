import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, testPassword } from '@talpa/test-kit/client';
import { notificationSamples } from '@talpa/test-kit/notifications';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { notificationTexts } from '../../packages/contracts/src/notification-texts.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { shell, notifications: say, inbox } = wordsIn('de');

async function openAs(client: Client, path = '/'): Promise<Page> {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  return page;
}
/** Causes a notification. */
const changePassword = (client: Client) =>
  client.call('POST /api/user/password', { currentPassword: testPassword, newPassword: testPassword });
const bell = (page: Page, unread: number) =>
  page.getByRole('button', {
    name: unread === 0 ? shell('bell') : shell('bell.unread', { count: unread }),
    exact: true,
  });
const items = (page: Page) => page.getByRole('list', { name: say('list') }).getByRole('listitem');
const title = notificationTexts.password_changed.de.title;

describe('the bell', () => {
  it('counts what comes in every tab of its user, and what is read in one is read in the other', async () => {
    const { client } = await newUser(system.url);
    const first = await openAs(client);
    const second = await first.context().newPage();
    await second.goto('/notifications');
    await second.getByText(say('empty'), { exact: true }).waitFor();
    await bell(first, 0).waitFor();
    await changePassword(client);
    await bell(first, 1).waitFor();
    await items(second).getByText(say('unread')).waitFor();
    await changePassword(client);
    await bell(first, 2).click();
    await first
      .getByRole('dialog')
      .getByRole('button', { name: say('markAll') })
      .click();
    await items(second).getByText(say('unread')).first().waitFor({ state: 'detached' });
    await bell(second, 0).waitFor();
    expect(await items(second).count()).toBe(2);
  });

  it('is worked by the keyboard, says its number, and gets the focus back', async () => {
    const { client } = await newUser(system.url);
    await changePassword(client);
    const page = await openAs(client);
    await bell(page, 1).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: shell('bell') });
    await dialog.getByRole('link', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const focused = await page.evaluate('document.activeElement?.getAttribute("aria-label")');
    expect(focused).toBe(shell('bell.unread', { count: 1 }));
  });

  it('leads to what a notification is about, which is then read', async () => {
    const { client } = await newUser(system.url);
    await changePassword(client);
    const page = await openAs(client);
    await bell(page, 1).click();
    await page.getByRole('dialog').getByRole('link', { name: title }).click();
    await page.waitForURL('**/settings?tab=security');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await bell(page, 0).waitFor();
    const [own] = await client.call('GET /api/user/notifications', {});
    expect(own?.readAt).not.toBeNull();
  });

  it('opens the page on a phone, where what is unread can be seen alone', async () => {
    const { client } = await newUser(system.url);
    await changePassword(client);
    const page = await openAs(client);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: shell('bell.unread', { count: 1 }) }).click();
    await page.waitForURL('**/notifications');
    await items(page).getByRole('link', { name: title }).waitFor();
    await page.getByRole('button', { name: say('markAll') }).click();
    await page.getByRole('link', { name: shell('bell'), exact: true }).waitFor();
    await page.getByRole('button', { name: inbox('unread') }).click();
    await page.getByText(say('empty.unread')).waitFor();
    await page.reload();
    await page.getByText(say('empty.unread')).waitFor();
    await changePassword(client);
    await expect.poll(() => items(page).count()).toBe(1);
  });
});

describe('an announcement', () => {
  it('stands above every page, and closed once it is gone in all tabs', async () => {
    const { client, user } = await newUser(system.url);
    const first = await openAs(client);
    const second = await first.context().newPage();
    await second.goto('/settings');
    await bell(second, 0).waitFor();
    const now = Date.now();
    const { params } = notificationSamples.announcement;
    const content = {
      ...{ ...params, startsAt: new Date(now - 60_000).toISOString() },
      endsAt: new Date(now + 3_600_000).toISOString(),
    };
    // Straight into this inbox: others share the panel.
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`
      insert into notifications.inbox (cause, user_id, kind, params)
      values (${`test ${user.id}`}, ${user.id}, 'announcement', ${sql.json(content)})`;
    await sql.end();
    // A change that notifies the pages.
    await changePassword(client);
    const notice = (page: Page) => page.getByRole('main').getByText(params.text.de, { exact: true }).first();
    await notice(first).waitFor();
    await notice(second).waitFor();
    await first
      .getByRole('button', { name: shell('announcement.close', { title: params.title.de }) })
      .click();
    await notice(second).waitFor({ state: 'detached' });
    await bell(second, 1).waitFor();
  });
});
