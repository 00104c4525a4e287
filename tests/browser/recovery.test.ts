import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { shell, admin: say } = wordsIn('de');
const phone = { viewport: { width: 390, height: 844 } };
const newPassword = 'ganz-neu-123';

/** Tabs on until the focus is on a control with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const control = page.getByRole('button', { name, exact: true }).or(page.getByLabel(name, { exact: true }));
  for (let presses = 0; presses < 40; presses += 1) {
    if (await control.last().evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus never came to “${name}”`);
}

/** Types a new password twice, with the keyboard alone: the first field has the focus. */
async function setPassword(page: Page): Promise<void> {
  await page.getByLabel(shell('reset.password'), { exact: true }).waitFor();
  await tabTo(page, shell('reset.password'));
  await page.keyboard.type(newPassword);
  await tabTo(page, shell('auth.confirmPassword'));
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Enter');
}

describe('a forgotten password', () => {
  it('is replaced on a phone and with the keyboard, from the administrator’s button to the sign-in', async () => {
    const { client, user } = await newUser(system.url);
    const { page: office, complaints } = await browser.open(system.url, phone);
    await carrySession(office, await system.admin());
    await office.goto(`/admin/users/${user.id}`);
    await office.getByRole('button', { name: say('person.resetLink') }).waitFor();
    await tabTo(office, say('person.resetLink'));
    await office.keyboard.press('Enter');
    await office.getByRole('dialog').waitFor();
    await tabTo(office, say('resetLink.confirm'));
    await office.keyboard.press('Enter');
    const link = (await office.getByRole('dialog').locator('code').textContent()) ?? '';
    expect(link).toMatch(/\/reset#[\w-]{43}$/);
    expect(complaints).toEqual([]);

    const { page } = await browser.open(system.url, phone);
    await carrySession(page, client);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url(), request.headers().referer ?? ''));
    await page.goto(link);
    await setPassword(page);
    await page.waitForURL('**/auth');
    await page.getByText(shell('reset.done'), { exact: true }).waitFor();
    const token = link.split('#')[1] ?? '';
    expect(sent.filter((text) => text.split('#')[0]?.includes(token))).toEqual([]);
    await page.getByLabel(shell('auth.username'), { exact: true }).fill(user.username);
    await page.getByLabel(shell('auth.password'), { exact: true }).fill(newPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');

    const { page: second } = await browser.open(system.url, phone);
    await second.goto(link);
    await setPassword(second);
    await second.getByText(shell('reset.useless')).waitFor();
    await second.getByRole('link', { name: shell('reset.toLogin') }).click();
    await second.waitForURL('**/auth');
    await second.goto('/reset');
    await second.getByText(shell('reset.incomplete')).waitFor();
  });
});
