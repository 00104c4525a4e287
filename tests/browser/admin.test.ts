import { randomUUID } from 'node:crypto';
import type { SystemState } from '@talpa/contracts';
import { providerFaultTexts } from '@talpa/contracts';
import { useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { inRowMenu } from '@talpa/test-kit/panel/forms';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { loseTunnel, providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pages as adminPages } from '../../frontends/admin/src/pages.ts';

// What a test stops stays stopped.
const system = useTalpa(apart, { patience: null });
const browser = useBrowser();
const { admin: say, auditPage: sayAudit, kit: sayKit, proxy: sayProxy } = wordsIn('de');
let admin: Client;
beforeAll(async () => {
  admin = await system.admin();
});

/** The panel as somebody sees it; it speaks English, which administrators' pages never do. */
async function openAs(client: Client, path: string): Promise<Page> {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.addInitScript(`localStorage.setItem('language', 'en')`);
  await page.goto(path);
  await heading(page).waitFor();
  return page;
}
const arrive = (page: Page, name: string) => heading(page, name).waitFor();
const rowAction = (page: Page, action: string, name: string) =>
  page.getByRole('button', { name: say('action', { action, name }), exact: true });
const reads = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Does something while a part of the system hangs, and lets it go on. */
async function whileHanging(part: string, work: () => Promise<unknown>): Promise<void> {
  const pid = system.pid(part) ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

describe('a mistake in the provider’s settings', () => {
  it('is shown to administrators on every page, with what to fix, and to no one else', async () => {
    const { client } = await newUser(system.url, 'free');
    await providerOf(system.talpa).fault({ match: {}, fault: 'refuse', status: 404, code: 7003 });
    await client.call('POST /api/tunnel-configs', proxyInput());
    const expected = providerFaultTexts.account_unknown.en;
    for (const path of ['/', '/admin/users']) await reads(await openAs(admin, path), expected);
    const page = await openAs(client, '/');
    expect(await page.getByText(expected).count()).toBe(0);
    await providerOf(system.talpa).clearFaults();
  });
});

describe('the audit trail', () => {
  it('says in German who did what to whom, from where, leads there, and is filtered by the address', async () => {
    const { user } = await newUser(system.url);
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Spam' });
    await until('the row', async () =>
      (await admin.call('GET /api/admin/audit', { subject: user.id, action: 'user.suspend' })).at(0),
    );
    const page = await openAs(admin, `/admin/audit?subject=${user.id}`);
    await arrive(page, adminPages.audit.title.de);
    const row = page.getByRole('listitem').filter({ hasText: `hat das Konto „${user.username}“ gesperrt.` });
    await row.getByText('127.0.0.1').waitFor();
    await row.getByRole('button', { expanded: false }).click();
    await row.getByText('Grund: Spam').waitFor();
    await row.locator('dd').getByRole('link', { name: user.username, exact: true }).waitFor();

    await page.getByLabel(sayAudit('filter.action')).click();
    await page.getByTitle(sayAudit('action.user.register')).click();
    await row.waitFor({ state: 'detached' });
    await reads(page, /hat sich registriert\./);
    await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('user.register');
    await page.goBack();
    await row.getByRole('link', { name: `„${user.username}“` }).click();
    await arrive(page, user.username);
    await reads(page, 'Grund: Spam');
  });

  it('of one target is that of all of a kind once a kind is chosen', async () => {
    const page = await openAs(admin, '/admin/audit?targetKind=proxy&targetId=2147483647');
    await reads(page, sayAudit('noneFound'));
    await page.getByLabel(sayAudit('filter.target')).click();
    await page.getByTitle(sayAudit('target.user'), { exact: true }).click();
    await page.getByText(sayAudit('noneFound')).waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('?targetKind=user');
  });

  it('is filtered by days, written in German whatever the panel speaks', async () => {
    const page = await openAs(admin, '/admin/audit');
    const from = page.getByLabel(sayAudit('filter.from'), { exact: true });
    await expect.poll(() => from.getAttribute('placeholder')).toBe('TT.MM.JJJJ');
    await from.fill('24.12.2030');
    await from.press('Enter');
    await reads(page, sayAudit('noneFound'));
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2030-12-24');
    await page.reload();
    await expect.poll(() => from.inputValue()).toBe('24.12.2030');
    await from.click();
    await page.getByText('Dez', { exact: true }).first().waitFor();
  });

  it.each([
    ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ])('shows all of a day on which the reader’s clocks change: %s', async (day, from, to) => {
    const { page } = await browser.open(system.url, { timezoneId: 'Europe/Berlin' });
    await carrySession(page, admin);
    const asked = page.waitForRequest((request) => request.url().includes('/api/admin/audit?'));
    await page.goto(`/admin/audit?from=${day}&to=${day}`);
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([from, to]);
  });

  it('goes on to older rows and back to the newest', async () => {
    const { client, user } = await newUser(system.url);
    for (let at = 0; at < 26; at += 1)
      await client.call('POST /api/user/preferences', { email: `mail${at}@example.org` });
    const rows = () => admin.call('GET /api/admin/audit', { subject: user.id, limit: 100 });
    await until('all rows', async () => (await rows()).length > 26);
    const page = await openAs(admin, `/admin/audit?subject=${user.id}`);
    await page.getByRole('button', { name: sayKit('list.next'), exact: true }).click();
    await reads(page, /hat sich registriert\./);
    await page.getByRole('button', { name: sayKit('list.previous'), exact: true }).click();
    await page.getByText(/hat sich registriert\./).waitFor({ state: 'detached' });
  });

  it('that cannot be loaded says so in German, and comes when it is asked again', async () => {
    const page = await openAs(admin, '/admin/users');
    await whileHanging('stats', async () => {
      await page.locator('a[href="/admin/audit"]').click();
      await reads(page, sayAudit('loadFailed'));
    });
    await page.getByRole('button', { name: sayKit('error.retry') }).click();
    await page
      .getByRole('list', { name: sayAudit('list') })
      .first()
      .waitFor();
  });
});

describe('the list of all proxies', () => {
  it('stays marked in the menu on another user’s proxy and server, and the way back leads there', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const page = await openAs(admin, `/tunnel-configuration/${proxy.id}`);
    await arrive(page, proxy.serverName);
    const marked = page.getByRole('navigation', { name: 'Main menu' }).locator('[aria-current]');
    await expect.poll(() => marked.getAttribute('href')).toBe('/admin/tunnel');
    await page.getByRole('main').getByRole('link', { name: 'All proxies' }).click();
    await arrive(page, adminPages.proxies.title.de);
    await page.goto(`/servers/${proxy.serverId}`);
    await arrive(page, proxy.serverName);
    await expect.poll(() => marked.getAttribute('href')).toBe('/admin/tunnel');
    await page.getByRole('main').getByRole('link', { name: 'All proxies' }).click();
    await arrive(page, adminPages.proxies.title.de);
  });
});

describe('an administrator', () => {
  it('suspends a user with a reason, sees it at their proxies, and lifts it', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const page = await openAs(admin, '/admin/users');
    await rowAction(page, say('users.suspend'), user.username).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(say('suspend.text')).waitFor();
    await dialog.getByRole('button', { name: say('suspend.confirm') }).click();
    await dialog.getByText('Dieses Feld ist erforderlich').waitFor();
    await dialog.getByLabel(sayKit('suspension.reason')).fill('Phishing\ngemeldet');
    await dialog.getByRole('button', { name: say('suspend.confirm') }).click();
    await reads(page, say('suspend.done'));
    await reads(page, say('users.suspended.reason', { reason: 'Phishing gemeldet' }));
    expect((await client.call('GET /api/user', {})).suspension?.reason).toBe('Phishing gemeldet');

    await page.goto('/admin/tunnel');
    const row = page.getByRole('row', { name: proxy.serverName });
    await row.getByText(say('proxies.suspended.user', { reason: 'Phishing gemeldet' })).waitFor();
    const suspension = await inRowMenu(page, proxy.serverName, 'suspend');
    expect(await suspension.getAttribute('aria-disabled')).toBe('true');
    await suspension.getByText(sayProxy('action.ownerSuspended')).waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('link', { name: user.username }).click();
    await arrive(page, user.username);
    await page.getByRole('button', { name: say('users.lift'), exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('lift.confirm'), exact: true })
      .click();
    await reads(page, say('lift.done'));
    await until('the suspension to end', async () => !(await client.call('GET /api/user', {})).suspension);
  });

  it('suspends a proxy on its page and lifts it there, in the panel’s language', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const page = await openAs(admin, `/tunnel-configuration/${proxy.id}`);
    await reads(page, `Owner: ${proxy.ownerName}`);
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Malware');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('alert').getByText('Reason: Malware').waitFor();
    await page.getByRole('button', { name: 'Lift suspension' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Lift suspension' }).click();
    await page.getByRole('alert').getByText('Reason: Malware').waitFor({ state: 'detached' });
    expect((await client.call('GET /api/tunnel-configs', {}))[0]?.suspension).toBe(null);
  });

  it('can neither suspend nor delete themselves', async () => {
    const page = await openAs(admin, '/admin/users');
    await expect.poll(() => rowAction(page, say('users.suspend'), 'admin').isDisabled()).toBe(true);
    await expect.poll(() => rowAction(page, say('delete'), 'admin').isDisabled()).toBe(true);
    // On a phone no pointer rests on a button: the reason stands below it, and describes it.
    await page.setViewportSize({ width: 390, height: 800 });
    const reason = page.getByText(say('users.delete.self'));
    await reason.waitFor();
    const described = await rowAction(page, say('delete'), 'admin').getAttribute('aria-describedby');
    expect(await reason.getAttribute('id')).toBe(described);
  });

  it('who renames a user sees the new name beside their proxies; a plan brings its limit', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const page = await openAs(admin, '/admin/tunnel');
    await page.getByRole('row', { name: proxy.serverName }).getByText(user.username).waitFor();
    await page.locator('a[href="/admin/users"]').click();
    await rowAction(page, say('edit'), user.username).click();
    const dialog = page.getByRole('dialog');
    const username = dialog.getByLabel(say('form.username'));
    await expect.poll(() => username.inputValue()).toBe(user.username);
    await expect.poll(() => dialog.getByLabel(say('form.password'), { exact: true }).inputValue()).toBe('');
    const renamed = `neu-${randomUUID().slice(0, 8)}`;
    await username.fill(renamed);
    await dialog.getByLabel(say('form.tier')).click();
    await page.getByTitle('Premium').click();
    await expect.poll(() => dialog.getByLabel(say('form.limit')).inputValue()).toBe('10');
    await dialog.getByRole('button', { name: say('form.save') }).click();
    await reads(page, 'Benutzer aktualisiert');
    await reads(page, 'Der Benutzer wurde erfolgreich aktualisiert.');
    await page.locator('a[href="/admin/tunnel"]').click();
    await page.getByRole('row', { name: proxy.serverName }).getByText(renamed).waitFor();
    expect(await client.call('GET /api/user', {})).toMatchObject({ username: renamed, proxyLimit: 10 });
  });

  it('reads the server’s word when a change is refused, and keeps what they typed', async () => {
    const [one, other] = [await newUser(system.url), await newUser(system.url)];
    const page = await openAs(admin, '/admin/users');
    await rowAction(page, say('edit'), one.user.username).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say('form.username')).fill(other.user.username);
    await dialog.getByRole('button', { name: say('form.save') }).click();
    // Once at its field, and in a toast.
    const said = 'Der Benutzername ist bereits vergeben.';
    await page
      .getByRole('region', { name: /Notifications/ })
      .getByText(said)
      .waitFor();
    expect(await dialog.getByText(said).count()).toBe(1);
    await expect.poll(() => dialog.getByLabel(say('form.username')).inputValue()).toBe(other.user.username);
  });

  it('reads that users could not be loaded while the service hangs, and tries again', async () => {
    const page = await openAs(admin, '/admin/users');
    await page.getByRole('row', { name: /admin/ }).first().waitFor();
    // The code of the page is cached by now: else auth is asked whether this session may have it.
    await page.goto('/admin/audit');
    await heading(page, 'Protokoll').waitFor();
    await whileHanging('auth', async () => {
      await page.locator('a[href="/admin/users"]').click();
      await reads(page, 'Konnte Benutzerdaten nicht laden');
    });
    await page.getByRole('button', { name: sayKit('error.retry') }).click();
    await page.getByRole('row', { name: /admin/ }).first().waitFor();
  });

  it('signs a user out everywhere, and deletes them from their page', async () => {
    const { client, user } = await newUser(system.url);
    const page = await openAs(admin, `/admin/users/${user.id}`);
    await page.getByRole('button', { name: say('user.sessions') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('sessions.confirm') })
      .click();
    await reads(page, say('sessions.done'));
    expect((await client.fail('GET /api/user', {})).status).toBe(401);
    // Its row appears above the button and moves it down.
    await page.getByLabel(say('user.audit')).getByText('überall abgemeldet').waitFor();
    await page.getByRole('button', { name: say('delete'), exact: true }).click();
    await page.getByRole('button', { name: say('delete.confirm') }).click();
    await reads(page, 'Der Benutzer wurde erfolgreich gelöscht.');
    await until('the list', () => pathOf(page) === '/admin/users');
    expect((await admin.fail('GET /api/admin/users/:id', { id: user.id })).status).toBe(404);
  });

  it('reads each toast aloud in the language it is written in', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const english = wordsIn('en').proxy;
    const page = await openAs(admin, `/admin/users/${user.id}`);
    // What a screen reader gets is gone after a second: it is remembered as it comes.
    await page.evaluate(`window.spoken = []; new MutationObserver(() => {
      for (const one of document.querySelectorAll('body > [lang] > [role=status], [lang] > span[role=status]'))
        window.spoken.push(one.closest('[lang]').lang + ': ' + one.textContent);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });`);
    const spoken = async (text: string) =>
      ((await page.evaluate('window.spoken')) as string[]).find((one) => one.includes(text))?.slice(0, 2);
    const languageOf = (text: string) =>
      page
        .getByRole('region', { name: /Notifications/ })
        .getByRole('listitem')
        .filter({ hasText: text })
        .getAttribute('lang');

    await page.getByRole('button', { name: say('user.sessions') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('sessions.confirm') })
      .click();
    await expect.poll(() => spoken(say('sessions.done'))).toBe('de');
    expect(await languageOf(say('sessions.done'))).toBe('de');

    // A dialog about a proxy speaks as the page it is on: German there, English on the proxy’s own page.
    await (await inRowMenu(page, proxy.serverName, 'suspend')).click();
    await page.getByRole('dialog').getByLabel(sayKit('suspension.reason')).fill('Spam');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: sayProxy('suspend.confirm') })
      .click();
    await expect.poll(() => spoken(sayProxy('suspend.done'))).toBe('de');
    await page.getByRole('link', { name: proxy.serverName, exact: true }).click();
    await page.getByRole('button', { name: english('action.lift'), exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: english('lift.confirm') })
      .click();
    await expect.poll(() => spoken(english('lift.done'))).toBe('en');
    expect(await languageOf(english('lift.done'))).toBe('en');
  });

  it('who deletes what they have just changed sees it no more, in neither list', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const page = await openAs(admin, '/admin/tunnel');
    const dialog = page.getByRole('dialog');
    const gone = (name: string) => expect.poll(() => page.getByRole('row', { name }).count()).toBe(0);

    await rowAction(page, say('edit'), proxy.serverName).click();
    const [changedProxy, changedUser] = [`Neu ${proxy.serverName}`, `neu-${user.username}`];
    await dialog.getByLabel(sayProxy('field.serverName')).fill(changedProxy);
    await dialog.getByRole('button', { name: sayProxy('edit.submit') }).click();
    await rowAction(page, say('delete'), changedProxy).click();
    await dialog.getByRole('button', { name: sayProxy('delete.confirm') }).click();
    await gone(changedProxy);

    await page.locator('a[href="/admin/users"]').click();
    await rowAction(page, say('edit'), user.username).click();
    await dialog.getByLabel(say('form.username')).fill(changedUser);
    await dialog.getByRole('button', { name: say('form.save') }).click();
    await rowAction(page, say('delete'), changedUser).click();
    await dialog.getByRole('button', { name: say('delete.confirm') }).click();
    await reads(page, 'Der Benutzer wurde erfolgreich gelöscht.');
    await gone(changedUser);
  });

  it('who loses the flag on such a page is led to the dashboard; opening one then, there is none', async () => {
    const { client, user } = await newUser(system.url);
    const change = (isAdmin: boolean) =>
      admin.call('PUT /api/admin/users/:id', {
        id: user.id,
        username: user.username,
        isAdmin,
        proxyLimit: 0,
        subscriptionTier: 'none',
      });
    await change(true);
    const page = await openAs(client, '/admin/tunnel');
    await arrive(page, adminPages.proxies.title.de);
    await change(false);
    await until('the dashboard', () => pathOf(page) === '/');
    for (const path of ['/admin/users', '/admin/tunnel', '/admin/audit', `/admin/users/${user.id}`]) {
      await page.goto(path);
      await arrive(page, '404 - Page not found');
    }
    for (const file of ['mf-manifest.json', 'remoteEntry.js'])
      expect((await page.request.get(`/remotes/admin/${file}`)).status()).toBe(404);
  });
});

describe('the dashboard of administrators', () => {
  const card = (page: Page, name: string) => page.getByRole('region', { name });

  it('says what is still to be set up, with the setting and the document, until all of it is done', async () => {
    await newUser(system.url);
    const page = await openAs(admin, '/');
    const setUp = card(page, 'Talpa einrichten');
    await setUp.getByText('1 von 6 erledigt').waitFor();
    const step = (name: string) => setUp.getByRole('listitem').filter({ hasText: name });
    await step('Erster Kunde').getByText('erledigt').waitFor();
    for (const [name, setting] of [
      ['Domain für die Subdomains', 'TUNNEL_DOMAIN'],
      ['HTTPS', 'ACME_EMAIL'],
      ['E-Mail-Versand', 'SMTP_URL'],
      ['Öffentliche Adresse des Panels', 'PUBLIC_URL'],
      ['Erstes Backup', 'npm run talpa -- backup'],
    ] as const) {
      await step(name).getByText(setting, { exact: true }).waitFor();
      await step(name).getByText('docs/install.md').waitFor();
    }
    await page.route('**/api/admin/system', async (route) => {
      const response = await route.fetch();
      const { checks, ...rest } = (await response.json()) as SystemState;
      await route.fulfill({ json: { ...rest, checks: checks.map((one) => ({ ...one, state: 'ok' })) } });
    });
    await page.reload();
    await card(page, 'Letzte Ereignisse').getByRole('listitem').first().waitFor();
    await expect.poll(() => setUp.count()).toBe(0);
  });

  it('shows what is disconnected and what happened beside the four cards, and users none of it', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await loseTunnel(system.talpa, proxy.cfTunnelId);
    const page = await openAs(admin, '/');
    // What can have no connector stands first; others' may stand before the rest: the panel shows five.
    const row = card(page, 'Nicht verbundene Proxys').getByRole('listitem').first();
    await row.locator(`a[href="/tunnel-configuration/${proxy.id}"]`).waitFor();
    await row.getByText('Fehler').waitFor();
    await row.locator('a[href^="/admin/users/"]').waitFor();
    await card(page, 'Fehlgeschlagene Aufträge').getByText('Kein Auftrag ist fehlgeschlagen.').waitFor();
    await card(page, 'Letzte Ereignisse').getByRole('listitem').first().waitFor();
    for (const name of ['My proxies', 'Global proxies', 'Registered users', 'Server ping'])
      await card(page, name).waitFor();

    const asked: string[] = [];
    const other = await openAs(client, '/');
    other.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await other.reload();
    await card(other, 'Server ping').waitFor();
    expect(await card(other, 'Letzte Ereignisse').count()).toBe(0);
    expect(asked.filter((path) => /admin/.test(path))).toEqual([]);
  });

  it('asks nobody to buy from themselves: administrators set their own limit', async () => {
    const page = await openAs(admin, '/');
    const mine = card(page, 'My proxies');
    expect(await mine.getByRole('link', { name: 'Choose a plan' }).count()).toBe(0);
    await mine.getByRole('link', { name: 'Set your own limit' }).click();
    await page.getByRole('dialog', { name: say('edit.title') }).waitFor();
    expect(pathOf(page)).toBe('/admin/users/1');
  });
});

it('the system page says what runs here, and what is wrong', async () => {
  const page = await openAs(admin, '/admin/system');
  const card = (name: string) => page.getByRole('region', { name });
  const installation = card('Diese Installation');
  for (const fact of ['0.1.0', 'tunnel.localhost', 'E-Mail ist nicht eingerichtet', /frei$/, /noch keines/])
    await installation.getByText(fact, { exact: true }).waitFor();
  await installation.getByText('Nach neueren sucht Talpa nicht').waitFor();
  await card('Tunnel-Anbieter').getByText('Derzeit ist keine Störung bekannt.').waitFor();
  const doctor = card('Prüfung');
  const finding = doctor.getByRole('listitem').filter({ hasText: 'SMTP_URL ist nicht gesetzt' });
  for (const said of ['Warnung', 'Richten Sie einen Mailserver ein.', 'Anleitung: docs/install.md#settings'])
    await finding.getByText(said, { exact: true }).waitFor();
  // What is well stands last.
  expect(await doctor.getByRole('listitem').last().textContent()).toContain('in Ordnung');
  await doctor.getByText('Von hier aus nicht geprüft: Einstellungen.').waitFor();
  await doctor.getByText('npm run talpa -- doctor', { exact: true }).waitFor();
  const anew = page.waitForResponse((response) => response.url().endsWith('/doctor?again=true'));
  await doctor.getByRole('button', { name: 'Erneut prüfen' }).click();
  expect((await anew).status()).toBe(200);
  await card('Fehlgeschlagene Aufträge').waitFor();
  await card('Zertifikate').getByText('Talpa bestellt hier keine Zertifikate').waitFor();
});
