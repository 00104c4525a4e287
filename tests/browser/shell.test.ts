import { type OpenOptions, useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useTalpa({
  IMPRINT_URL: 'https://example.org/imprint',
  SUPPORT_URL: 'https://example.org/support',
  SHOW_TOTALS: 'false',
});
const browser = useBrowser();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

async function open(client: Client | null, path: string, options: OpenOptions = {}) {
  const { page, complaints } = await browser.open(system.url, options);
  if (client) await carrySession(page, client);
  await page.goto(path);
  await heading(page).waitFor();
  return { page, complaints };
}
const user = async () => (await newUser(system.url, 'basic')).client;
const focused = (page: Page) => page.evaluate('document.activeElement?.textContent') as Promise<string>;
const menu = (page: Page) => page.getByRole('navigation', { name: 'Hauptmenü' });

describe('the sidebar', () => {
  it('is collapsed at first; the user’s choice is kept and sent to the other tabs', async () => {
    const { page } = await open(await user(), '/');
    const other = await page.context().newPage();
    await other.goto('/settings');
    const widths = () =>
      Promise.all([page, other].map(async (tab) => (await menu(tab).boundingBox())?.width));
    await menu(other).waitFor();
    await expect.poll(widths).toEqual([64, 64]);
    await page.getByRole('button', { name: 'Menü ausklappen' }).click();
    await until('both to be wide', async () => (await widths()).every((width) => width === 256));
    await expect.poll(() => page.evaluate("localStorage.getItem('sidebar-state')")).toBe('expanded');
    await page.reload();
    await menu(page).waitFor();
    await expect.poll(widths).toEqual([256, 256]);
    await other.getByRole('button', { name: 'Menü einklappen' }).click();
    await until('both to be narrow', async () => (await widths()).every((width) => width === 64));
  });

  it('collapsed names its entries visibly and to screen readers, and marks the current page', async () => {
    const { page } = await open(await user(), '/settings');
    const entry = menu(page).getByRole('link', { name: 'Einstellungen' });
    await expect.poll(() => entry.getAttribute('aria-current')).toBe('page');
    await expect.poll(() => menu(page).locator('[aria-current]').count()).toBe(1);
    await menu(page).getByRole('link', { name: 'Proxys', exact: true }).focus();
    await page.getByRole('tooltip', { name: 'Proxys' }).waitFor();
    await entry.hover();
    await page.getByRole('tooltip', { name: 'Einstellungen' }).waitFor();
    await page.mouse.down();
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  });

  it('collapsed shows a name the moment an icon is pointed at, and no two icons are alike', async () => {
    const { page } = await open(await system.admin(), '/settings');
    const named = menu(page).locator('a, button');
    await named.first().waitFor();
    const icons = await named.locator('svg').all();
    const drawings = await Promise.all(icons.map((icon) => icon.innerHTML()));
    expect(new Set(drawings).size).toBe(await named.count());
    // A clock that stands still: what waits or is drawn in does not come.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const one of await named.all()) {
      await one.hover();
      const name = (await one.getAttribute('aria-label')) ?? '';
      const said = name.replace('Sprache wechseln: ', '');
      expect(await page.getByRole('tooltip', { name: said, exact: true }).isVisible()).toBe(true);
    }
  });

  it('groups what administrators do under names, in German whatever the language', async () => {
    const { page } = await open(await system.admin(), '/settings');
    await page.evaluate(
      "localStorage.setItem('language', 'en'); localStorage.setItem('sidebar-state', 'expanded')",
    );
    await page.reload();
    const shown = page.getByRole('navigation', { name: 'Main menu' });
    const linksOf = (group: string) =>
      shown.getByRole('list', { name: group }).getByRole('link').allTextContents();
    await shown.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await linksOf('Kunden')).toEqual(['Benutzer', 'Einladungen', 'Proxy-Verwaltung']);
    expect(await linksOf('Betrieb')).toEqual(['System', 'Protokoll']);
    expect(await linksOf('Kommunikation')).toEqual(['Ankündigungen', 'E-Mails', 'Kanäle']);
    await shown.getByText('Betrieb', { exact: true }).waitFor();
  });

  it('expanded says who is signed in on which plan, and leads from there to the subscription', async () => {
    const client = await user();
    const { username } = await client.call('GET /api/user', {});
    const { page } = await open(client, '/settings');
    await page.getByRole('button', { name: 'Menü ausklappen' }).click();
    const account = menu(page).getByRole('link', { name: `${username} Basic` });
    await account.getByText(username, { exact: true }).waitFor();
    await account.getByText('Basic', { exact: true }).click();
    await heading(page, 'Abonnement').waitFor();
    await expect.poll(() => account.getAttribute('aria-current')).toBe('page');
  });

  it('is an overlay on a phone that keeps the focus until Escape, a tap beside it or a link closes it', async () => {
    const { page } = await open(await user(), '/', phone);
    const button = page.getByRole('button', { name: 'Menü öffnen' });
    const overlay = page.getByRole('dialog', { name: 'Hauptmenü' });
    const isInside = () =>
      page.evaluate("document.querySelector('dialog')?.contains(document.activeElement)");
    const isBack = () =>
      page.evaluate("document.activeElement?.getAttribute('aria-label') === 'Menü öffnen'");
    await button.press('Enter');
    await overlay.waitFor();
    for (let press = 0; press < 9; press += 1) {
      await page.keyboard.press('Tab');
      const where = await page.evaluate('document.activeElement?.tagName');
      // Between the last and the first the browser's own controls have their turn.
      if (where !== 'BODY') await expect.poll(isInside).toBe(true);
    }
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    await expect.poll(isBack).toBe(true);

    await button.click();
    await page.touchscreen.tap(30, 400);
    await overlay.waitFor({ state: 'detached' });
    await expect.poll(isBack).toBe(true);

    await button.click();
    await overlay.getByRole('link', { name: 'Einstellungen' }).click();
    await overlay.waitFor({ state: 'detached' });
    await heading(page, 'Einstellungen').waitFor();
    await expect.poll(() => focused(page)).toBe('Einstellungen');
  });
});

it('what the operator keeps to themselves is neither shown nor told to users', async () => {
  const client = await user();
  const asked: string[] = [];
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  await page.getByRole('region', { name: 'Server-Ping' }).waitFor();
  expect(await page.getByRole('main').getByRole('region').count()).toBe(2);
  expect(asked).not.toContain('/api/system/stats');
  expect((await client.fail('GET /api/system/stats', {})).status).toBe(403);
});

describe('the language', () => {
  it('chosen in one tab is spoken by the others, which keep what is typed', async () => {
    const { page } = await open(await user(), '/settings');
    const other = await page.context().newPage();
    await other.goto('/');
    await page.getByLabel('E-Mail-Adresse', { exact: true }).fill('name@example.org');
    await other.getByRole('button', { name: 'Sprache wechseln: English' }).click();
    await heading(page, 'Settings').waitFor();
    expect(await page.getByLabel('Email address', { exact: true }).inputValue()).toBe('name@example.org');
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });
});

describe('a page one comes to', () => {
  it('has its title, gets the focus at its heading, and back and forward lead to the former page', async () => {
    const { page, complaints } = await open(await user(), '/', { viewport: { width: 390, height: 400 } });
    await page.evaluate("localStorage.setItem('language', 'de')");
    const openMenu = async (link: string) => {
      await page.getByRole('button', { name: 'Menü öffnen' }).click();
      await page.getByRole('dialog').getByRole('link', { name: link }).click();
    };
    await until('the title', async () => (await page.title()) === 'Übersicht · Talpa');
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.getByText('Meine Proxys').scrollIntoViewIfNeeded();
    await page.evaluate('window.scrollTo(0, 300)');
    await openMenu('Einstellungen');
    await heading(page, 'Einstellungen').waitFor();
    await expect.poll(() => page.title()).toBe('Einstellungen · Talpa');
    await until('the top', () => page.evaluate('window.scrollY === 0'));

    await page.goBack();
    await until('the place', () => page.evaluate('window.scrollY === 300'));
    await expect.poll(() => focused(page)).toContain('Willkommen');
    await page.goForward();
    await heading(page, 'Einstellungen').waitFor();
    await expect.poll(() => focused(page)).toBe('Einstellungen');
    expect(complaints).toEqual([]);
  });

  it('lets the keyboard skip the menu', async () => {
    const { page, complaints } = await open(await user(), '/settings');
    // The heading is there before what it stands above.
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('content');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    expect(complaints).toEqual([]);
  });
});

describe('the first paint', () => {
  it.each([
    { stored: {}, theme: 'rgb(13, 13, 17)', scheme: 'dark', language: 'de' },
    {
      stored: { language: 'en', appearance: 'light blue' },
      theme: 'rgb(246, 246, 249)',
      scheme: 'light',
      language: 'en',
    },
  ])('already has the theme and language of the last visit: $scheme, $language', async (one) => {
    const { page } = await browser.open(system.url);
    await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(one.stored)})`);
    const look = () =>
      page.evaluate(`(({ lang }, { backgroundColor, colorScheme }, meta) =>
        [backgroundColor, colorScheme, lang, meta.content])
        (document.documentElement, getComputedStyle(document.documentElement),
          document.querySelector('meta[name="theme-color"]'))`);
    // Nothing but the page itself has come yet.
    await page.route('**/*.js', () => {});
    await page.goto('/', { waitUntil: 'commit' });
    await page.locator('.start img').waitFor();
    const first = await look();
    expect(first).toEqual([
      one.theme,
      one.scheme,
      one.language,
      one.scheme === 'dark' ? '#0d0d11' : '#f6f6f9',
    ]);
    await page.unroute('**/*.js');
    await page.goto('/auth');
    await heading(page).waitFor();
    await expect.poll(look).toEqual(first);
  });
});

describe('what is printed', () => {
  it('is the page alone, dark on white, and no secret', async () => {
    const client = await user();
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { page } = await open(client, '/tunnel-configuration');
    await page.getByRole('button', { name: `Installieren: ${proxy.serverName}` }).click();
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    // In the script, too, which shows itself when it is asked for.
    await page.getByText('Schritt für Schritt installieren').click();
    await page.getByLabel('Befehle für Ihren Server', { exact: true }).getByText('Was macht das?').click();
    const secrets = page.locator('.secret', { hasText: token.slice(0, 15) });
    await secrets.first().waitFor();
    expect(await secrets.count()).toBeGreaterThan(1);
    await page.emulateMedia({ media: 'print' });
    const shown = await secrets.evaluateAll((all) =>
      all.filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.outerHTML),
    );
    expect(shown).toEqual([]);
    await expect.poll(() => menu(page).isVisible()).toBe(false);
    await expect.poll(() => page.locator('footer').first().isVisible()).toBe(false);
    await expect
      .poll(() => page.evaluate("getComputedStyle(document.querySelector('h1')).color"))
      .toBe('rgb(0, 0, 0)');
  });
});

describe('what moves', () => {
  /** What the style sheets set going where something comes, opens or runs for ever: its animation and transition. */
  async function movements(reducedMotion: 'reduce' | 'no-preference') {
    const { page } = await browser.open(system.url, { reducedMotion, ...phone });
    await carrySession(page, await user());
    const moves: Record<string, unknown> = {};
    const look = async (name: string, element: Locator) => {
      await element.waitFor({ state: 'attached' });
      moves[name] = await element.evaluate((one) => {
        const style = one.ownerDocument.defaultView.getComputedStyle(one);
        return style.animationName !== 'none' || Number.parseFloat(style.transitionDuration) > 0;
      });
    };
    await page.goto('/settings');
    // The page's code brings a heading of its own.
    await page.getByRole('tab', { name: 'Darstellung' }).click();
    await look('a heading', heading(page, 'Einstellungen'));
    await page.getByRole('tab', { name: 'Darstellung', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await look('a toast', page.getByRole('region', { name: /Meldungen/ }).getByRole('listitem'));
    await page.getByRole('button', { name: 'Menü öffnen' }).click();
    await look('the menu', page.getByRole('dialog', { name: 'Hauptmenü' }));
    await page.goto('/maulwurf');
    await look('the light in the tunnel', page.locator('[class*="mascot"][class*="light"]').first());
    return moves;
  }

  it('stands still for a person who asked for less movement', async () => {
    const still = {
      'a heading': false,
      'a toast': false,
      'the menu': false,
      'the light in the tunnel': false,
    };
    expect(await movements('reduce')).toEqual(still);
    expect(await movements('no-preference')).toEqual({
      ...Object.fromEntries(Object.keys(still).map((name) => [name, true])),
      'a heading': false,
    });
  });
});

describe('the mascot’s page', () => {
  it('is there for everyone, in both languages, and makes no request of its own', async () => {
    const { page, complaints } = await browser.open(system.url);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto('/maulwurf');
    await heading(page, 'Maulwurf').waitFor();
    await expect.poll(() => page.title()).toBe('Maulwurf · Talpa');
    await page.getByRole('img', { name: 'Wach und am Graben' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await heading(page, 'Mole').waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('en');
    await expect.poll(() => page.title()).toBe('Mole · Talpa');
    const contact = page.getByRole('link', { name: 'Message on Discord' });
    await expect.poll(() => contact.getAttribute('href')).toMatch(/^https:\/\//);
    expect(calls.filter((path) => /^\/api\/(?!user$)/.test(path))).toEqual([]);
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });
});

describe('the footer', () => {
  it('has the version and the links that are set, on the sign-in page too', async () => {
    const signedOut = await open(null, '/auth');
    const signedIn = await open(await user(), '/');
    for (const { page } of [signedOut, signedIn]) {
      const footer = page.getByRole('contentinfo').or(page.locator('footer')).last();
      await footer.getByText(/^Talpa \d+\.\d+\.\d+$/).waitFor();
      const links = await footer
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => (one as { href?: string }).href));
      expect(links).toEqual(['https://example.org/imprint', 'https://example.org/support']);
    }
  });
});

describe('an address without a page', () => {
  it('keeps the menu for who is signed in', async () => {
    const { page } = await open(await user(), '/gibt-es-nicht');
    await heading(page, '404 - Seite nicht gefunden').waitFor();
    await menu(page).getByRole('link', { name: 'Einstellungen' }).click();
    await heading(page, 'Einstellungen').waitFor();
  });
});

describe('the administrators’ part', () => {
  it('is never asked for by others; its addresses show them that there is nothing', async () => {
    const { page } = await browser.open(system.url);
    await carrySession(page, await user());
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/remotes/admin') && asked.push(request.url()));
    for (const path of ['/admin/users', '/admin/tunnel']) {
      await page.goto(path);
      await heading(page, '404 - Seite nicht gefunden').waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page.getByRole('link', { name: 'Zur Startseite' }).click();
    await page.getByText('Meine Proxys').waitFor();
    expect(asked).toEqual([]);
  });

  it('is German in every language, its entries in the menu too', async () => {
    const { page } = await browser.open(system.url);
    await page.addInitScript("localStorage.setItem('language', 'en')");
    await carrySession(page, await system.admin());
    await page.goto('/admin/users');
    await heading(page, 'Benutzerverwaltung').waitFor();
    const entry = page.getByRole('navigation', { name: 'Main menu' }).locator('a[href="/admin/audit"]');
    await expect.poll(() => entry.getAttribute('aria-label')).toBe('Protokoll');
    expect(await entry.evaluate((link) => link.closest('[lang]')?.getAttribute('lang'))).toBe('de');
  });
});

describe('a lost network', () => {
  it('is shown until it is back', async () => {
    const { page } = await open(await user(), '/settings');
    await page.context().setOffline(true);
    await page.getByText('Keine Internetverbindung').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Keine Internetverbindung').waitFor({ state: 'detached' });
  });
});

describe('a toast', () => {
  it('is alone, is reached by F8, stays while it has the focus, and else goes after 5 s', async () => {
    const { page } = await browser.open(system.url);
    await carrySession(page, await user());
    await page.clock.install();
    await page.goto('/settings');
    await page.getByRole('tab', { name: 'Darstellung' }).click();
    await page.getByRole('tab', { name: 'Darstellung', selected: true }).waitFor();
    const toasts = page.getByRole('region', { name: /Meldungen/ }).getByRole('listitem');
    const save = async () => {
      await page.getByRole('button', { name: 'Speichern' }).click();
      const newOne = toasts.and(page.locator(':not([data-seen])')).filter({ hasText: 'Gespeichert' });
      await newOne.evaluate((toast) => toast.setAttribute('data-seen', ''));
    };
    await save();
    await save();
    await expect.poll(() => toasts.count()).toBe(1);
    await expect.poll(async () => (await toasts.boundingBox())?.width).toBeLessThanOrEqual(420);
    await page.keyboard.press('F8');
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.activeElement).outlineStyle'))
      .toBe('solid');
    await page.clock.runFor(20_000);
    await expect.poll(() => toasts.count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await until('it to go', async () => (await toasts.count()) === 0);
    await expect.poll(() => focused(page)).toBe('Speichern');

    await save();
    await page.clock.runFor(2_000);
    expect(await toasts.count()).toBe(1);
    await page.clock.runFor(3_000);
    await until('it to go', async () => (await toasts.count()) === 0);
  });
});

it.each(['stays', 'goes elsewhere'] as const)(
  'a page that could not be loaded without a connection loads once it is back, if the user %s',
  async (what) => {
    const { page } = await open(await user(), '/', { isFirstVisit: true });
    const dashboard = heading(page, /^Willkommen/);
    await dashboard.waitFor();
    const visit = (path: string) => menu(page).locator(`a[href="${path}"]`).click();
    await page.context().setOffline(true);
    await visit('/settings');
    await page.getByText('Dieser Bereich konnte nicht geladen werden').waitFor();
    if (what === 'goes elsewhere') {
      await visit('/');
      await dashboard.waitFor();
    }
    await page.context().setOffline(false);
    if (what === 'goes elsewhere') await visit('/settings');
    await heading(page, 'Einstellungen').waitFor();
  },
);

/** Links that are not part of a sentence, and how far a finger that misses their middle still hits them. */
const smallLinks = `[...document.querySelectorAll('main a:not(.ant-btn)')]
  .filter((one) => one.checkVisibility())
  .filter((one) => ![...one.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .flatMap((one) => {
    one.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + Math.min(width / 2, 30), top + height / 2];
    const before = [-21, 0, 21].map((by) => document.elementFromPoint(x, y + by)).find((at) => !one.contains(at));
    if (height >= 44 && !before) return [];
    return [Math.round(height) + ' px, ' + (before?.outerHTML.slice(0, 80) ?? '') + ': ' + one.outerHTML.slice(0, 120)];
  })`;

it('on a touch screen every button, field and link of its own is at least 44 px high', async () => {
  const client = await user();
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const { page } = await open(client, '/', phone);
  const small = () =>
    page.evaluate(`[...document.querySelectorAll('header button, main button, main input:not([type=checkbox]):not([type=radio])')]
      .filter((one) => one.checkVisibility() && !one.matches('[role=switch]'))
      .map((one) => one.closest('.ant-input-affix-wrapper, .ant-select, label') ?? one)
      .filter((one) => one.getBoundingClientRect().height < 44)
      .map((one) => one.outerHTML.slice(0, 120))`);
  const own = ['/', '/tunnel-configuration', '/subscription', '/settings', '/settings?tab=security'];
  const ofProxy = `/tunnel-configuration/${proxy.id}`;
  const tabs = ['access', 'domains', 'members', 'requests', 'history', 'settings'];
  const administrators = [
    ofProxy,
    ...tabs.map((tab) => `${ofProxy}?tab=${tab}`),
    '/admin/users',
    '/admin/tunnel',
  ];
  for (const path of [...own, ...administrators, `/admin/users/${proxy.userId}`]) {
    if (path === administrators[0]) await carrySession(page, await system.admin());
    await page.goto(path);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expect.poll(small, { message: path }).toEqual([]);
    await expect.poll(() => page.evaluate(smallLinks), { message: path }).toEqual([]);
  }
});

describe('a small window', () => {
  it('of a low laptop has the whole registration form in it, beside which nothing jumps', async () => {
    const { page } = await open(null, '/auth', { viewport: { width: 1280, height: 720 } });
    const hero = page.getByRole('complementary').getByRole('listitem').first();
    const register = page.getByRole('tab', { name: 'Registrieren' });
    await register.waitFor();
    const before = await hero.boundingBox();
    expect(before).not.toBeNull();
    await register.click();
    const submit = page.getByRole('tabpanel').getByRole('button', { name: 'Registrieren' });
    const invitation = page.getByRole('button', { name: 'Einladungscode eingeben' });
    for (const button of [submit, invitation])
      await expect
        .poll(async () => {
          const box = await button.boundingBox();
          return box ? box.y + box.height : Number.POSITIVE_INFINITY;
        })
        .toBeLessThanOrEqual(720);
    expect(await hero.boundingBox()).toEqual(before);
  });

  it('of a tablet has the button that measures again beside its title', async () => {
    const { page } = await open(await user(), '/', { viewport: { width: 768, height: 1024 } });
    const measure = page.getByRole('button', { name: 'Ping erneut messen' });
    await measure.waitFor();
    const title = await page.getByRole('heading', { name: 'Server-Ping' }).boundingBox();
    const again = await measure.boundingBox();
    const middle = (again?.y ?? 0) + (again?.height ?? 0) / 2;
    expect(middle).toBeGreaterThan(title?.y ?? Number.POSITIVE_INFINITY);
    expect(middle).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  });
});

it('what failed in one form of the sign-in page is not said above the other', async () => {
  const { page } = await open(null, '/auth');
  await page.getByLabel('Benutzername').fill('niemand');
  await page.getByLabel('Passwort', { exact: true }).fill('falsch-falsch');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  const failed = page.getByText('Anmeldung fehlgeschlagen', { exact: true });
  await failed.waitFor();
  await page.getByRole('tab', { name: 'Registrieren' }).click();
  await failed.waitFor({ state: 'detached' });
});
