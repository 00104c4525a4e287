import { readFile } from 'node:fs/promises';
import { issueText } from '@talpa/contracts/issues';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { violationsOn } from '@talpa/test-kit/panel/faults';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { settings, kit } = wordsIn('de');

/** A page with a client's session. */
async function openAs(client: Client, path: string, width = 1280) {
  const opened = await browser.open(system.url, {
    viewport: { width, height: 844 },
  });
  await carry(opened.page, client);
  await opened.page.goto(path);
  await heading(opened.page).waitFor();
  return opened;
}
async function carry(page: Page, client: Client) {
  await carrySession(page, client);
}
async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
/** Remembers each sent request of a call. */
function sent(page: Page, method: string, path: string): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path)
      found.push(request.postData() ?? '');
  });
  return found;
}

describe('the settings', () => {
  it('have tabs with addresses of their own, edit one draft, and save all of it from any of them', async () => {
    const { client } = await newUser(system.url);
    const { page, complaints } = await openAs(client, '/settings?tab=appearance');
    await page.getByRole('radio', { name: settings('theme.light') }).check({ force: true });
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await openTab(page, settings('tab.account'));
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await field(page, settings('email')).fill('erika@example.org');
    await page.goBack();
    await page.getByRole('radio', { name: settings('theme.light') }).waitFor({ state: 'attached' });
    await openTab(page, settings('tab.notifications'));
    const posts = sent(page, 'POST', '/api/user/preferences');
    await page.getByLabel(/^Wartung/).click();
    await press(page, settings('save'));
    await toast(page, settings('savedText'));
    expect(posts.map((body) => JSON.parse(body))).toMatchObject([
      {
        email: 'erika@example.org',
        notifications: { email: false, system: true, maintenance: false },
        appearance: { theme: 'light', accentColor: 'purple' },
      },
    ]);
    await page.getByRole('link', { name: 'Übersicht' }).click();
    await page.waitForURL(`${system.url}/`);
    expect(complaints).toEqual([]);
  });

  it('count quiet hours in the time zone of the device that changes them', async () => {
    const { client } = await newUser(system.url);
    const before = await client.call('GET /api/user/preferences', {});
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Pacific/Auckland' };
    const notifications = { ...before.notifications, email: true, quietHours };
    await client.call('POST /api/user/preferences', { ...before, email: 'a@example.org', notifications });
    const { page } = await openAs(client, '/settings?tab=notifications');
    await page.getByText(settings('quiet.zone', { zone: quietHours.timeZone })).waitFor();
    await field(page, settings('quiet.to')).fill('06:30');
    await press(page, settings('save'));
    await toast(page, settings('savedText'));
    const timeZone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
    const saved = await client.call('GET /api/user/preferences', {});
    expect(saved.notifications.quietHours).toEqual({ from: '22:00', to: '06:30', timeZone });
  });

  it('unsaved ask before they are left, keep what was typed over refetches and languages, and ask no more once saved', async () => {
    const { client } = await newUser(system.url);
    const { page } = await openAs(client, '/settings', 390);
    await field(page, settings('email')).fill('getippt@example.org');
    await client.call('POST /api/user/preferences', { email: 'anders@example.org' });
    const { settings: english } = wordsIn('en');
    await openTab(page, settings('tab.appearance'));
    await page
      .getByRole('button', { name: /English/ })
      .first()
      .click();
    await openTab(page, english('tab.account'));
    await expect.poll(() => field(page, english('email')).inputValue()).toBe('getippt@example.org');
    await openTab(page, english('tab.appearance'));
    await page
      .getByRole('button', { name: /Deutsch/ })
      .first()
      .click();
    await openTab(page, settings('tab.account'));

    const leave = async () => {
      await press(page, 'Menü öffnen');
      await page.getByRole('link', { name: 'Proxys', exact: true }).click();
    };
    await leave();
    await press(page, kit('leave.stay'));
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings');
    await expect.poll(() => field(page, settings('email')).inputValue()).toBe('getippt@example.org');
    await press(page, settings('save'));
    await press(page, kit('conflict.mine'));
    await press(page, settings('save'));
    await toast(page, settings('savedText'));
    await leave();
    await page.waitForURL('**/tunnel-configuration');
  });

  it('not saved are gone once one leaves, the theme that was tried on included; closing the tab asks, too', async () => {
    const { client } = await newUser(system.url);
    const { page } = await openAs(client, '/settings?tab=appearance');
    await page.getByRole('radio', { name: settings('theme.light') }).check({ force: true });
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await until('the browser to ask', () => asked.length > 0);
    expect(asked).toEqual(['beforeunload']);
    await page.getByRole('link', { name: 'Übersicht' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: kit('leave.confirm') })
      .click();
    await page.waitForURL(`${system.url}/`);
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  it('say what was refused where it is, on another tab as well', async () => {
    const { client } = await newUser(system.url);
    const { page } = await openAs(client, '/settings');
    await field(page, settings('email')).fill('erika@nord stadt');
    await openTab(page, settings('tab.notifications'));
    await press(page, settings('save'));
    await page.getByText('Geben Sie eine gültige E-Mail-Adresse ein').waitFor();
    await until('the field to have the focus', () =>
      page.evaluate(`document.activeElement?.getAttribute('type') === 'email'`),
    );
    await expect.poll(() => field(page, settings('email')).inputValue()).toBe('erika@nord stadt');
    // Once, at its field.
    expect(await page.getByText(settings('saveFailed')).count()).toBe(0);
  });

  it('say in the panel’s own words what is wrong with an address, on the tab it is saved from', async () => {
    const { client } = await newUser(system.url);
    const { page } = await openAs(client, '/settings');
    await field(page, settings('email')).fill('erika');
    await press(page, settings('save'));
    await page.getByText(issueText('emailInvalid', 'de'), { exact: true }).waitFor();
  });
});

describe('the user’s password', () => {
  it('is changed once with the old one, which a wrong one marks; the other sessions end and say so', async () => {
    const { client, user } = await newUser(system.url);
    const elsewhere = new Client(system.url);
    await elsewhere.call('POST /api/login', { username: user.username, password: testPassword });
    const { page: other } = await openAs(elsewhere, '/tunnel-configuration');
    const { page } = await openAs(client, '/settings');
    const posts = sent(page, 'POST', '/api/user/password');
    await field(page, settings('password.current')).fill('vergessen');
    await field(page, settings('password.new')).fill('neu12');
    await field(page, settings('password.repeat')).fill('neu');
    await press(page, settings('password.submit'));
    await page.getByText('Passwort muss mindestens 6 Zeichen haben').waitFor();
    await page.getByText('Passwörter stimmen nicht überein').waitFor();
    expect(posts).toEqual([]);

    await field(page, settings('password.new')).fill('ganz-neu-1');
    await field(page, settings('password.repeat')).fill('ganz-neu-1');
    await press(page, settings('password.submit'));
    await page.getByText('Das Passwort ist falsch', { exact: true }).waitFor();
    await expect.poll(() => field(page, settings('password.new')).inputValue()).toBe('ganz-neu-1');
    await field(page, settings('password.current')).fill(testPassword);
    await field(page, settings('password.repeat')).press('Enter');
    await toast(page, settings('password.doneText'));
    expect(posts).toHaveLength(2);
    await expect.poll(() => field(page, settings('password.current')).inputValue()).toBe('');

    await other.getByText('Ihre Sitzung wurde beendet').waitFor();
    await field(other, 'Benutzername').fill(user.username);
    await field(other, 'Passwort').fill('ganz-neu-1');
    await press(other, 'Anmelden');
    await other.waitForURL('**/tunnel-configuration');
  });
});

describe('the user’s data and account', () => {
  it('are handed out as a dated file, and deleted with the password alone', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    await client.call('POST /api/tunnel-configs', proxyInput());
    // More than one response of the API holds.
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`
      insert into stats.audit (id, at, service, action, actor_user_id, actor_is_admin, address, user_agent,
        target_kind, target_id, subject_user_id, changes, request_id)
      select gen_random_uuid(), now() - interval '1 day', 'auth', 'session.signIn', ${user.id}, false, '192.0.2.1',
        repeat('ü', 300), 'user', ${String(user.id)}, ${user.id}, '{}', '' from generate_series(1, 1500)`;
    await sql.end();
    const { page, complaints } = await openAs(client, '/settings');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, settings('export.submit')),
    ]);
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^talpa-${user.username}-\\d{4}-\\d{2}-\\d{2}\\.json$`),
    );
    const data = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(data).toMatchObject({ user: { id: user.id }, proxies: [{ userId: user.id }] });
    const signIns = data.audit.filter(({ action }: { action: string }) => action === 'session.signIn');
    expect([signIns.length, data.sessions.length, 'next' in data]).toEqual([1_500, 1, false]);

    // The question comes when it is whole: nothing in it moves.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/tunnel-configs**', (route) => held.promise.then(() => route.continue()));
    const asked = page.waitForRequest('**/api/tunnel-configs**');
    await press(page, settings('danger.open'));
    await asked;
    const dialog = page.getByRole('dialog');
    expect(await dialog.count()).toBe(0);
    held.resolve();
    await dialog.waitFor();
    expect(await dialog.getByText('Ihr Proxy samt Tunnel').count()).toBe(1);
    await dialog.getByText('Ihr Plan „Basic“, der noch bis zum').waitFor();
    await field(page, settings('delete.password')).fill('vergessen');
    await press(page, settings('delete.submit'));
    await dialog.getByText('Das Passwort ist falsch', { exact: true }).waitFor();
    await field(page, settings('delete.password')).fill(testPassword);
    await press(page, settings('delete.submit'));
    await page.waitForURL('**/auth');
    await toast(page, settings('delete.doneText'));
    await expect.poll(() => page.getByText('Ihre Sitzung').count()).toBe(0);
    expect((await client.try('GET /api/user', {})).status).toBe(401);
    expect(complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
  });
});

describe('the security tab', () => {
  it('shows each session, ends one and all others, and says in sentences what was done', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const signIn = async () => {
      const other = new Client(system.url);
      await other.call('POST /api/login', { username: user.username, password: testPassword });
    };
    for (let count = 0; count < 27; count += 1) await signIn();
    const { page, complaints } = await openAs(client, '/settings?tab=security');
    const sessions = page.getByRole('list', { name: settings('sessions') }).getByRole('listitem');
    await until('all sessions to show', async () => (await sessions.count()) === 28);
    await page
      .getByRole('button', { name: /^Sitzung beenden/ })
      .first()
      .click();
    await until('one to be gone', async () => (await sessions.count()) === 27);
    // The list may say it first, and a toast that comes later would take the place of the next one.
    await toast(page, settings('sessions.ended'));
    // The others are gone from the list, and with them the button, before the change has ended.
    const listed = Promise.withResolvers<void>();
    await page.route(/\/api\/user\/audit/, async (route) => {
      await listed.promise;
      await route.continue();
    });
    await press(page, settings('sessions.endOthers'));
    await page
      .getByRole('dialog')
      .getByRole('button', { name: settings('sessions.endOthers') })
      .click();
    await until('the others to be gone', async () => (await sessions.count()) === 1);
    await page.getByRole('button', { name: settings('sessions.endOthers') }).waitFor({ state: 'detached' });
    listed.resolve();
    await toast(page, settings('sessions.endOthers.done'));

    // The trail is written after the response.
    await until('it to be written down', async () =>
      (await client.call('GET /api/user/audit', {})).some(({ action }) => action === 'session.endOthers'),
    );
    await page.reload();
    const entries = page.getByRole('list', { name: settings('audit'), exact: true }).locator('> li');
    await page.getByText('Sie haben alle anderen Sitzungen beendet.').waitFor();
    // 25 rows, those that repeat each other as one.
    await page.getByText(/^23-mal, zuerst am/).waitFor();
    await expect.poll(() => entries.count()).toBe(3);
    await press(page, settings('audit.more'));
    await page.getByText('Sie haben sich registriert.').waitFor();
    await page.getByText(/^27-mal, zuerst am/).waitFor();
    await expect.poll(() => entries.count()).toBe(5);
    expect(complaints).toEqual([]);
  });
});

describe('a session', () => {
  it('that is over in the middle of work leads to the sign-in page, says why, and back again', async () => {
    const { client, user } = await newUser(system.url);
    const { page } = await openAs(client, '/settings?tab=notifications');
    await page.getByLabel(/^Wartung/).click();
    await page.context().clearCookies();
    // The page may notice before it is pressed.
    const over = page.getByText('Ihre Sitzung ist abgelaufen');
    await page
      .getByRole('button', { name: settings('save'), exact: true })
      .or(over)
      .click();
    await over.waitFor();
    await page.getByText('Nicht gespeicherte Eingaben').waitFor();
    await field(page, 'Benutzername').fill(user.username);
    await field(page, 'Passwort').fill(testPassword);
    await press(page, 'Anmelden');
    await page.getByLabel(/^Wartung/).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=notifications');
  });

  it('that is left in one tab is left in all, without mention of expiry; one that begins, begins in all', async () => {
    const { client, user } = await newUser(system.url);
    const { page } = await openAs(client, '/settings');
    const second = await page.context().newPage();
    await second.goto('/tunnel-configuration');
    await heading(second).waitFor();
    await page
      .getByRole('main')
      .getByRole('button', { name: settings('logout') })
      .click();
    for (const one of [page, second]) {
      await one.waitForURL('**/auth');
      await field(one, 'Benutzername').waitFor();
      await expect.poll(() => one.getByText('Ihre Sitzung').count()).toBe(0);
    }
    await field(page, 'Benutzername').fill(user.username);
    await field(page, 'Passwort').fill(testPassword);
    await press(page, 'Anmelden');
    for (const one of [page, second]) await one.waitForURL(`${system.url}/`);
  });

  it('that is known to be over before the response to its sign-out comes leads to a form, too', async () => {
    const { client } = await newUser(system.url);
    const { page } = await openAs(client, '/settings');
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/api/logout', async (route) => {
      const response = await route.fetch();
      await asked.promise;
      await route.fulfill({ response });
    });
    page.on('response', (response) => response.url().endsWith('/api/logout') && left.resolve());
    await page.route('**/api/sign-in-providers', async (route) => {
      asked.resolve();
      await left.promise;
      await route.continue();
    });
    await page
      .getByRole('main')
      .getByRole('button', { name: settings('logout') })
      .click();
    await field(page, 'Benutzername').waitFor();
  });
});

describe('a dialog with something typed', () => {
  it('asks before Escape, its backdrop or cancelling close it, and closes at once when nothing was', async () => {
    const { client } = await newUser(system.url, 'free');
    const { page } = await openAs(client, '/tunnel-configuration');
    const name = field(page, 'Server-Name');
    const open = async () => {
      await page.getByRole('button', { name: 'Proxy anlegen' }).first().click();
      await name.waitFor();
    };
    await open();
    await page.keyboard.press('Escape');
    await name.waitFor({ state: 'hidden' });
    await open();
    await name.fill('Alpha');
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => press(page, kit('cancel')),
    ]) {
      await close();
      await press(page, kit('leave.stay'));
      await page.getByText(kit('leave.title')).waitFor({ state: 'hidden' });
      await expect.poll(() => name.inputValue()).toBe('Alpha');
    }
    await page.keyboard.press('Escape');
    await press(page, kit('leave.confirm'));
    await name.waitFor({ state: 'hidden' });
  });
});

it.each(['dark', 'light'] as const)(
  'a destructive button does not look like a primary one, whatever the accent (%s)',
  async (theme) => {
    const { client } = await newUser(system.url, 'basic');
    const preferences = await client.call('GET /api/user/preferences', {});
    for (const accentColor of ['red', 'purple'] as const) {
      const appearance = { theme, accentColor };
      await client.call('POST /api/user/preferences', { ...preferences, appearance });
      const { page } = await openAs(client, '/settings');
      await expect.poll(() => page.evaluate('document.documentElement.dataset.accent')).toBe(accentColor);
      const fill = async (name: string) => {
        const button = page.getByRole('button', { name, exact: true });
        const color = await button.evaluate((one) => {
          const { defaultView } = one.ownerDocument;
          return defaultView?.getComputedStyle(one).backgroundColor;
        });
        return (
          String(color)
            .match(/[\d.]+/g)
            ?.map(Number) ?? []
        );
      };
      await field(page, settings('email')).fill('a@example.org');
      const [save, remove] = [await fill(settings('save')), await fill(settings('danger.open'))];
      const differs =
        save.length !== remove.length || save.some((part, at) => Math.abs(part - (remove[at] ?? 0)) > 60);
      expect(differs, `${accentColor}: ${save} and ${remove}`).toBe(true);
      expect(await violationsOn(page)).toEqual([]);
      await page.context().close();
    }
  },
);
