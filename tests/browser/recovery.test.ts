import { randomUUID } from 'node:crypto';
import { errorText, issueText, linkPath } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { Client, newUser, testPassword } from '@talpa/test-kit/client';
import { giveEmail, makeSecretOf, readKept } from '@talpa/test-kit/emails';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { shell, settings, admin: say } = wordsIn('de');
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

/** The path of the link in the newest email of a kind to somebody, as an administrator hands it over. */
async function linkIn(userId: number, kind: 'reset_password' | 'verify_email'): Promise<string> {
  const text = await readKept(await system.admin(), userId, kind);
  return /\/\w+#[\w-]{43}/.exec(text)?.[0] ?? '';
}

describe('a forgotten password', () => {
  it('is replaced on a phone and with the keyboard, from the administrator’s button to the sign-in', async () => {
    const { client, user } = await newUser(system.url);
    const { page: office, complaints } = await browser.open(system.url, phone);
    await carrySession(office, await system.admin());
    await office.goto(`/admin/users/${user.id}`);
    await office.getByRole('button', { name: say('user.resetLink') }).waitFor();
    await tabTo(office, say('user.resetLink'));
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

describe('where no emails are sent', () => {
  it('the page for a forgotten password promises none, and says who helps', async () => {
    const { page, complaints } = await browser.open(system.url, phone);
    await page.goto('/auth');
    await page.getByRole('link', { name: shell('auth.forgotten') }).click();
    await page.getByText(shell('forgotten.noEmail'), { exact: true }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('link', { name: shell('reset.toLogin') }).click();
    await page.getByRole('tab', { name: shell('auth.register') }).click();
    await page.getByText(shell('auth.email.noEmail'), { exact: true }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);
  });

  it('the settings of an administrator offer no link, because no one may hand it over', async () => {
    const { page } = await browser.open(system.url, phone);
    await carrySession(page, await system.admin());
    await page.route('**/api/user/email', (route) =>
      route.fulfill({ json: { verified: null, unverified: 'chef@example.org', undeliverable: [] } }),
    );
    await page.goto('/settings');
    await page.getByText(settings('email.openLater'), { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: settings('email.request') }).count()).toBe(0);
  });
});

describe('a forgotten password with an address', () => {
  it('is replaced on a phone with the keyboard, by the link at the sign-in and the one in the email', async () => {
    const { user } = await newUser(system.url);
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await giveEmail(sql, user.id, `${user.username}@example.org`);
    await sql.end();
    const { page } = await browser.open(system.url, phone);
    await changeConfig(page, { sendsEmail: true });
    await page.goto('/auth');
    await page.getByRole('link', { name: shell('auth.forgotten') }).click();
    await page.getByLabel(shell('forgotten.account'), { exact: true }).waitFor();
    await tabTo(page, shell('forgotten.account'));
    await page.keyboard.type(`${user.username}@example.org`);
    await page.keyboard.press('Enter');
    await page.getByText(shell('forgotten.done')).waitFor();
    await page.goto(await linkIn(user.id, 'reset_password'));
    await setPassword(page);
    await page.getByText(shell('reset.done'), { exact: true }).waitFor();
    const { username } = user;
    await new Client(system.url).call('POST /api/login', { username, password: newPassword });
  });
});

describe('“This wasn’t me”', () => {
  it('gives an account back on a phone with the keyboard: from the email to a new password', async () => {
    const { client, user } = await newUser(system.url);
    const { username } = user;
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await giveEmail(sql, user.id, `${username}@example.org`);
    // Somebody else knows the password, and changes it.
    const thief = new Client(system.url);
    await thief.call('POST /api/login', { username, password: testPassword });
    await thief.call('POST /api/user/password', {
      ...{ currentPassword: testPassword, newPassword: 'gestohlen-123' },
    });
    expect((await client.try('GET /api/user', {})).status).toBe(401);

    const { page, complaints } = await browser.open(system.url, phone);
    const reports: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/intrusion-report')) reports.push(request.method());
    });
    const link = linkPath('not_me', await makeSecretOf(sql, user.id, 'not_me'));
    await sql.end();
    await page.goto(link);
    await page.getByRole('button', { name: shell('link.notMe.submit'), exact: true }).waitFor();
    // Programs that look at links press nothing.
    expect(reports).toEqual([]);
    await tabTo(page, shell('link.notMe.submit'));
    await page.keyboard.press('Enter');
    await page.getByText(shell('link.notMe.done'), { exact: true }).waitFor();
    expect((await thief.try('GET /api/user', {})).status).toBe(401);
    const signIn = (password: string) =>
      new Client(system.url).try('POST /api/login', { username, password });
    expect((await signIn('gestohlen-123')).status).toBe(401);

    await page.goto(await linkIn(user.id, 'reset_password'));
    await setPassword(page);
    await page.getByText(shell('reset.done'), { exact: true }).waitFor();
    expect((await signIn(newPassword)).status).toBe(200);
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);

    await page.goto(link);
    await page.getByRole('button', { name: shell('link.notMe.submit'), exact: true }).press('Enter');
    await page.getByText(errorText('not_me_link_used', 'de')).first().waitFor();
    expect((await signIn(newPassword)).status).toBe(200);
  });
});

describe('an email address', () => {
  it('is given at the registration and verified on a phone with the keyboard, and the settings say so', async () => {
    const { page, complaints } = await browser.open(system.url, phone);
    await page.goto('/auth');
    await page.getByRole('tab', { name: shell('auth.register') }).click();
    const username = `u${randomUUID().slice(0, 12)}`;
    const fill = (name: string, value: string) => page.getByLabel(name, { exact: true }).fill(value);
    await fill(shell('auth.username'), username);
    await fill(shell('auth.email.optional'), `${username}@example.org`);
    await fill(shell('auth.password'), newPassword);
    await fill(shell('auth.confirmPassword'), newPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto('/settings');
    await page.getByText(settings('email.unverified'), { exact: true }).waitFor();
    await page
      .getByText(settings('email.openHandedOver').replace('{address}', `${username}@example.org`))
      .waitFor();
    await page.getByRole('button', { name: settings('email.request') }).click();
    await page.getByText(settings('email.requestedText'), { exact: true }).waitFor();

    const [user] = await (await system.admin()).call('GET /api/admin/users', { q: username });
    const path = await linkIn(user?.id ?? 0, 'verify_email');
    const { page: mail } = await browser.open(system.url, phone);
    await mail.goto(path);
    await mail.getByLabel(shell('verify.password'), { exact: true }).waitFor();
    await tabTo(mail, shell('verify.password'));
    await mail.keyboard.type('falsch-getippt');
    await mail.keyboard.press('Enter');
    await mail.getByText(issueText('passwordWrong', 'de'), { exact: true }).waitFor();
    await mail.getByLabel(shell('verify.password'), { exact: true }).fill(newPassword);
    await mail.keyboard.press('Enter');
    await mail.getByText(shell('link.verify.done'), { exact: true }).waitFor();
    // The other browser is notified.
    await page.getByText(settings('email.verified'), { exact: true }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);
    await mail.goto('/verify');
    await mail.getByText(shell('verify.incomplete')).waitFor();
  });
});

describe('an invitation', () => {
  it('leads on a phone from the administrator’s button to an account with its plan', async () => {
    const { page: office, complaints } = await browser.open(system.url, phone);
    await carrySession(office, await system.admin());
    await office.goto('/admin/invitations');
    await office.getByRole('button', { name: say('invitations.create') }).click();
    const form = office.getByRole('dialog');
    await form.getByLabel(say('form.tier'), { exact: true }).click();
    await office.getByTitle('Premium', { exact: true }).click();
    await form.getByRole('button', { name: say('form.create'), exact: true }).click();
    const codes = office.getByRole('dialog').last().locator('code');
    const link = (await codes.nth(1).textContent()) ?? '';
    const code = (await codes.nth(0).textContent()) ?? '';
    expect(link).toBe(`${system.url}/auth#invite=${code}`);
    expect(complaints).toEqual([]);

    const { page } = await browser.open(system.url, phone);
    await page.goto(link);
    const field = page.getByLabel(shell('auth.invitation'), { exact: true });
    await expect.poll(() => field.inputValue()).toBe(code);
    const username = `u${randomUUID().slice(0, 12)}`;
    await page.getByLabel(shell('auth.username'), { exact: true }).fill(username);
    await page.getByLabel(shell('auth.password'), { exact: true }).fill(newPassword);
    await page.getByLabel(shell('auth.confirmPassword'), { exact: true }).fill(newPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
    const client = new Client(system.url);
    await client.call('POST /api/login', { username, password: newPassword });
    expect(await client.call('GET /api/user', {})).toMatchObject({ subscriptionTier: 'premium' });

    const { page: second } = await browser.open(system.url, phone);
    await second.goto(link);
    await second.getByLabel(shell('auth.username'), { exact: true }).fill(`${username}2`);
    await second.getByLabel(shell('auth.password'), { exact: true }).fill(newPassword);
    await second.getByLabel(shell('auth.confirmPassword'), { exact: true }).fill(newPassword);
    await second.keyboard.press('Enter');
    await second.getByText(errorText('invitation_invalid', 'de')).first().waitFor();
  });
});
