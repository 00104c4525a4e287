import { useSharedBrowser } from '@talpa/test-kit/browser';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pages as adminPages } from '../../frontends/admin/src/pages.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();

/** A browser in which a client's session is signed in, with a tab on a page. */
async function openAs(client: Client, path: string): Promise<Page> {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  return page;
}
/** A page without a live stream: its next call finds the session over. */
async function openUntold(client: Client, path: string): Promise<Page> {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.route('**/api/events', () => {});
  await page.goto(path);
  return page;
}
const { admin: sayAdmin, kit, proxy: sayProxy, settings, shell, user: say } = wordsIn('de');
const toasts = (page: Page) => page.getByRole('region', { name: /Meldungen/ }).getByRole('listitem');
const press = (page: Page, name: string) => page.getByRole('button', { name }).last().click();
const fill = (page: Page, label: string, text: string) =>
  page.getByLabel(label, { exact: true }).last().fill(text);
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

describe('a change made elsewhere', () => {
  it('shows in every tab of its user without a reload, and in no other user’s; signing out ends all tabs', async () => {
    const [{ client }, { client: other }] = await Promise.all([
      newUser(system.url, 'basic'),
      newUser(system.url, 'basic'),
    ]);
    const first = await openAs(client, '/tunnel-configuration');
    const streams: string[] = [];
    const watch = (page: Page) =>
      page.on('request', (request) => {
        if (request.url().endsWith('/api/events')) streams.push(request.url());
      });
    const second = await first.context().newPage();
    watch(second);
    await second.goto('/tunnel-configuration');
    const others = await openAs(other, '/tunnel-configuration');
    for (const page of [first, second, others]) await page.getByText('Noch keine Proxys').waitFor();

    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    for (const page of [first, second])
      await row(page, proxy.serverName).getByText('Noch nicht installiert').waitFor();
    expect(streams).toEqual([]);
    await expect.poll(() => row(others, proxy.serverName).count()).toBe(0);

    // The tab that held the stream goes: another takes over.
    await first.close();
    await until('the other tab holds the stream', () => streams.length > 0);
    const third = await second.context().newPage();
    await third.goto('/tunnel-configuration');
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    for (const page of [second, third]) await page.getByText('Noch keine Proxys').waitFor();

    await third.getByRole('button', { name: 'Abmelden' }).click();
    for (const page of [second, third]) await page.waitForURL('**/auth');
    await others.getByText('Noch keine Proxys').waitFor();
  });

  it('of sessions and of the trail shows to its user and to an administrator', async () => {
    const { client, user } = await newUser(system.url);
    const own = await openAs(client, '/settings?tab=security');
    const admins = await openAs(await system.admin(), `/admin/users/${user.id}`);
    const sessions = own.getByRole('list', { name: 'Sitzungen' }).getByRole('listitem');
    await until('one session to show', async () => (await sessions.count()) === 1);
    await admins.getByText('hat sich registriert.').waitFor();

    const elsewhere = new Client(system.url);
    await elsewhere.call('POST /api/login', { username: user.username, password: testPassword });
    await until('the other session to show', async () => (await sessions.count()) === 2);
    await own.getByText('Sie haben sich angemeldet.').waitFor();
    await admins.getByText('hat sich angemeldet.').waitFor();
    await elsewhere.call('POST /api/logout', {});
    await until('it to be gone', async () => (await sessions.count()) === 1);
    await own.getByText('Sie haben sich abgemeldet.').waitFor();
    await admins.getByText('hat sich abgemeldet.').waitFor();
  });

  it('of a plan and of the administrator’s flag shows at once', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const page = await openAs(client, '/');
    await page.getByText('1 verfügbar').waitFor();
    const admin = await system.admin();
    await admin.call('PUT /api/admin/users/:id', {
      id: user.id,
      username: user.username,
      isAdmin: true,
      proxyLimit: 17,
      subscriptionTier: 'premium',
    });
    await page.getByText('17 verfügbar').waitFor();
    await page.getByRole('link', { name: 'Benutzer', exact: true }).click();
    await heading(page, adminPages.users.title.de).waitFor();
    await admin.call('PUT /api/admin/users/:id', {
      id: user.id,
      username: user.username,
      isAdmin: false,
      proxyLimit: 17,
      subscriptionTier: 'premium',
    });
    await toasts(page).getByText(shell('demoted'), { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  it('of the administrator’s flag is said where it makes the loading of an admin page fail', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const admin = await system.admin();
    const setAdmin = (isAdmin: boolean) =>
      admin.call('PUT /api/admin/users/:id', {
        id: user.id,
        username: user.username,
        isAdmin,
        proxyLimit: 17,
        subscriptionTier: 'premium',
      });
    await setAdmin(true);
    const page = await openUntold(client, '/');
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/\/remotes\/admin\/\d+\..*js$/, async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Benutzer', exact: true }).click();
    await asked.promise;
    await setAdmin(false);
    held.resolve();
    await toasts(page).getByText(shell('demoted'), { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });
});

describe('a session that is over', () => {
  type Step = (page: Page) => Promise<unknown>;
  const sees =
    (name: string): Step =>
    (page) =>
      page.getByRole('button', { name }).last().waitFor();
  const fillIn =
    (opener: string, label: string, text: string): Step =>
    async (page) => {
      await press(page, opener);
      await fill(page, label, text);
    };
  const list = '/tunnel-configuration';
  // A part that is still awaited would be the next call.
  const hasArrived = (page: Page) => page.locator('[data-arriving=true]').waitFor({ state: 'detached' });

  it.each<readonly [string, string, Step, Step]>([
    [
      'measuring the ping',
      '/',
      (page) => page.getByText(/^\d+\sms$/).waitFor(),
      (page) => press(page, say('ping.refresh')),
    ],
    [
      'checking a tunnel',
      list,
      sees(sayProxy('action.check')),
      (page) => press(page, sayProxy('action.check')),
    ],
    ['installing', list, sees(sayProxy('action.install')), (page) => press(page, sayProxy('action.install'))],
    [
      'creating a proxy',
      list,
      async (page) => {
        // Otherwise this question would be the next call.
        const asked = page.waitForResponse('**/api/subdomain-availability*');
        await fillIn(say('proxies.add'), sayProxy('field.serverName'), 'Neu')(page);
        await asked;
      },
      (page) => press(page, say('create.submit')),
    ],
    [
      'editing a proxy',
      list,
      fillIn(sayProxy('action.edit'), sayProxy('field.serverIP'), '127.0.0.2'),
      (page) => press(page, sayProxy('edit.submit')),
    ],
    [
      'deleting a proxy',
      list,
      async (page) => {
        // The session ends when the question is there, with the proxy as it is now, not before.
        const asked = page.waitForResponse((response) => /tunnel-configs\/\d+$/.test(response.url()));
        await press(page, sayProxy('action.delete'));
        await asked;
        await sees(sayProxy('delete.confirm'))(page);
      },
      (page) => press(page, sayProxy('delete.confirm')),
    ],
    [
      'saving settings',
      '/settings?tab=notifications',
      (page) => page.getByRole('switch').first().click(),
      (page) => press(page, settings('save')),
    ],
    [
      'changing the password',
      '/settings',
      async (page) => {
        await fill(page, settings('password.current'), testPassword);
        for (const label of [settings('password.new'), settings('password.repeat')])
          await fill(page, label, 'ein-anderes-passwort');
      },
      (page) => press(page, settings('password.submit')),
    ],
    [
      'exporting one’s data',
      '/settings',
      sees(settings('export.submit')),
      (page) => press(page, settings('export.submit')),
    ],
    [
      'deleting the account',
      '/settings',
      fillIn(settings('danger.open'), settings('delete.password'), testPassword),
      (page) => press(page, settings('delete.submit')),
    ],
  ])('leads to the sign-in page, which alone says so, when %s', async (_what, path, prepare, act) => {
    const { client } = await newUser(system.url, 'basic');
    if (path === list) {
      const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
      // A list without a live stream asks again while a tunnel is being created.
      await until('the tunnel to be created', async () => {
        return (await client.call('GET /api/tunnel-configs/:id', { id: proxy.id })).cfTunnelId !== null;
      });
    }
    const page = await openUntold(client, path);
    await prepare(page);
    await hasArrived(page);
    await client.call('POST /api/logout', {});
    await act(page);
    await page.getByText(shell('interrupted.expired'), { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/auth');
    expect(await toasts(page).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('leads an administrator there, too', async () => {
    const admin = await system.admin();
    const page = await openUntold(admin, '/admin/users');
    await fillIn(sayAdmin('users.create'), sayAdmin('form.username'), 'neuer-benutzer')(page);
    await fill(page, sayAdmin('form.password'), testPassword);
    await hasArrived(page);
    await admin.call('POST /api/logout', {});
    await press(page, sayAdmin('form.create'));
    await page.getByText(shell('interrupted.expired'), { exact: true }).waitFor();
    expect(await toasts(page).count()).toBe(0);
  });

  it('takes its toasts with it, and a response that comes later shows none', async () => {
    const { client, user } = await newUser(system.url);
    const { page } = await browser.open(system.url);
    await page.goto('/settings?tab=notifications');
    await fill(page, shell('auth.username'), user.username);
    await fill(page, shell('auth.password'), testPassword);
    await page.getByRole('button', { name: shell('auth.login'), exact: true }).click();
    await toasts(page).getByText(shell('auth.login.done')).waitFor();
    const response = await client.call('GET /api/user/preferences', {});
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/user/preferences', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue();
      asked.resolve();
      await held.promise;
      await route.fulfill({ json: response });
    });
    await press(page, settings('save'));
    await asked.promise;
    const other = await page.context().newPage();
    await other.goto('/');
    await press(other, shell('layout.logout'));
    await page.getByLabel(shell('auth.username')).waitFor();
    expect(await toasts(page).count()).toBe(0);
    const saved = page.waitForResponse('**/api/user/preferences');
    held.resolve();
    await (await saved).finished();
    await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done)))');
    expect(await toasts(page).count()).toBe(0);
  });
});

describe('settings', () => {
  const field = (page: Page, name: 'email' | 'password.new') =>
    page.getByLabel(settings(name), { exact: true });
  type Tab = 'account' | 'notifications';
  const tab = (page: Page, name: Tab) => page.getByRole('tab', { name: settings(`tab.${name}`) }).click();
  // The tab is named: the one before is hidden only a moment after another was chosen.
  const save = (page: Page, name: Tab = 'account') =>
    page
      .getByRole('tabpanel', { name: settings(`tab.${name}`) })
      .getByRole('button', { name: settings('save'), exact: true })
      .click();
  const saved = (page: Page) => page.getByText(settings('savedText'), { exact: true }).first().waitFor();

  it('saved in another tab show here, and overwrite nothing: the same field edited in both waits for a choice', async () => {
    const { client } = await newUser(system.url);
    const page = await openAs(client, '/settings');
    const other = await page.context().newPage();
    await other.goto('/settings?tab=notifications');
    await field(page, 'email').fill('hier@example.org');

    // Another field: shown in the first tab, and kept by what is saved there.
    await other.getByLabel(/^Wartung/).click();
    await save(other, 'notifications');
    await saved(other);
    await tab(page, 'notifications');
    await expect.poll(() => page.getByLabel(/^Wartung/).getAttribute('aria-checked')).toBe('false');
    expect(await page.getByText(kit('conflict.title')).count()).toBe(0);

    // The same field: nothing is saved before somebody has chosen.
    await tab(other, 'account');
    await field(other, 'email').fill('dort@example.org');
    await save(other);
    await expect
      .poll(async () => (await client.call('GET /api/user/preferences', {})).email)
      .toBe('dort@example.org');
    await page.getByText(kit('conflict.title')).waitFor();
    await page.getByText('dort@example.org', { exact: true }).waitFor();
    await save(page, 'notifications');
    expect((await client.call('GET /api/user/preferences', {})).email).toBe('dort@example.org');
    // The choice leads to the field that was typed in.
    await page.getByRole('button', { name: kit('conflict.mine') }).click();
    await save(page, 'account');
    await saved(page);
    expect(await client.call('GET /api/user/preferences', {})).toMatchObject({
      email: 'hier@example.org',
      notifications: { email: false, system: true, maintenance: false },
    });
    await expect.poll(() => field(other, 'email').inputValue()).toBe('hier@example.org');
  });

  it('saved in another browser are merged field by field when these are saved', async () => {
    const { client } = await newUser(system.url);
    const page = await openAs(client, '/settings');
    await field(page, 'email').fill('hier@example.org');
    await client.call('POST /api/user/preferences', { appearance: { theme: 'light', accentColor: 'blue' } });
    await save(page);
    await saved(page);
    expect(await client.call('GET /api/user/preferences', {})).toMatchObject({
      email: 'hier@example.org',
      appearance: { theme: 'light', accentColor: 'blue' },
    });
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await field(page, 'email').fill('nochmal@example.org');
    await client.call('POST /api/user/preferences', { email: 'dort@example.org' });
    await save(page);
    await page.getByText(kit('conflict.title')).waitFor();
    await page.getByRole('button', { name: kit('conflict.theirs') }).click();
    await expect.poll(() => field(page, 'email').inputValue()).toBe('dort@example.org');
  });

  it('saved in another browser show while they are open, and wait for a choice where something is typed', async () => {
    const { client } = await newUser(system.url);
    const page = await openAs(client, '/settings');
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await field(page, 'email').waitFor();
    await client.call('POST /api/user/preferences', {
      email: 'dort@example.org',
      appearance: { theme: 'light', accentColor: 'blue' },
    });
    await expect.poll(() => field(page, 'email').inputValue()).toBe('dort@example.org');
    await expect.poll(theme).toBe('light');
    expect(await page.getByText(kit('conflict.title')).count()).toBe(0);

    await field(page, 'email').fill('hier@example.org');
    await client.call('POST /api/user/preferences', { email: 'nochmal@example.org' });
    await page.getByText(kit('conflict.title')).waitFor();
    expect(await field(page, 'email').inputValue()).toBe('hier@example.org');
    // What was not typed here has followed: these preferences hold their defaults again.
    await expect.poll(theme).toBe('dark');
  });

  it('of somebody who signs in in another tab replace those that were being edited', async () => {
    const { client } = await newUser(system.url);
    const { user, client: second } = await newUser(system.url);
    await second.call('POST /api/user/preferences', { email: 'zwei@example.org' });
    const page = await openAs(client, '/settings');
    await field(page, 'email').fill('eins@example.org');
    await field(page, 'password.new').fill('geheim-von-eins');
    const credentials = JSON.stringify({ username: user.username, password: testPassword });
    await page.evaluate(`fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(credentials)},
    }).then(() => new BroadcastChannel('talpa-session').postMessage({ change: 'signedIn', userId: ${user.id} }))`);
    await page.getByText(user.username, { exact: true }).first().waitFor();
    await expect.poll(() => field(page, 'email').inputValue()).toBe('zwei@example.org');
    await expect.poll(() => field(page, 'password.new').inputValue()).toBe('');
  });
});
