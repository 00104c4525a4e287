import { readFileSync } from 'node:fs';
import { useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { startOurs } from '@talpa/test-kit/connector/connectors';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { endPlan } from '@talpa/test-kit/plans';
import { carrySession } from '@talpa/test-kit/signed-in';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// What a test stops stays stopped.
const system = useTalpa(apart, { patience: null });
const browser = useBrowser();
const { user: say, members: sayMembers } = wordsIn('de');
const day = 86_400_000;

async function open(client: Client, path: string, random = 0.5) {
  const { page, complaints } = await browser.open(system.url);
  await carrySession(page, client);
  await page.addInitScript(`Math.random = () => ${random}`);
  await page.goto(path);
  await heading(page).waitFor();
  return { page, complaints };
}
/** Once started, the wish for less motion changes all the time: what React draws at leisure is begun anew. */
const everChanging = `{
  const listeners = new Set();
  let isReduced = false;
  const { matchMedia } = window;
  window.matchMedia = (query) => {
    const list = matchMedia(query);
    if (!query.includes('reduced-motion')) return list;
    Object.defineProperty(list, 'matches', { get: () => isReduced });
    list.addEventListener = (_type, listener) => listeners.add(listener);
    return list;
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    isReduced = !isReduced;
    for (const listener of listeners) listener();
  };
  window.startChanging = () => {
    const end = performance.now() + 2000;
    const each = setInterval(() => (performance.now() < end ? port2.postMessage(0) : clearInterval(each)), 1);
  };
}`;
const card = (page: Page, name: string) => page.getByRole('region', { name });

describe('the dashboard', () => {
  it('gives somebody new the free plan and the command for their server in one click', async () => {
    const { client } = await newUser(system.url);
    const { page, complaints } = await open(client, '/');
    const orders: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/subscription'))
        orders.push(request.headers()['idempotency-key']);
    });
    await page.getByRole('button', { name: say('dashboard.start') }).click();
    await page.getByRole('dialog', { name: 'Server verbinden' }).locator('pre.secret').waitFor();
    const free = { tier: 'free', expiry: null, proxyLimit: 1, expiredTier: null };
    expect(await client.call('GET /api/user/subscription', {})).toEqual(free);
    expect(orders).toEqual([expect.any(String)]);
    expect(complaints).toEqual([]);
  });

  it('takes no plan away that another tab has taken, and goes on', async () => {
    const { client } = await newUser(system.url);
    const { page } = await open(client, '/');
    await page.route('**/api/user/subscription', async (route) => {
      if (route.request().method() === 'POST')
        await client.call('POST /api/user/subscription', { planId: 'premium' });
      await route.continue();
    });
    await page.getByRole('button', { name: say('dashboard.start') }).click();
    await page.getByRole('dialog', { name: 'Server verbinden' }).waitFor();
    expect(await client.call('GET /api/user/subscription', {})).toMatchObject({ tier: 'premium' });
  });

  it('leads somebody new to the first proxy in one click, or to a plan', async () => {
    const { page: planless } = await open((await newUser(system.url)).client, '/');
    await expect
      .poll(() => card(planless, 'Meine Proxys').getByRole('button', { name: 'Proxy anlegen' }).isDisabled())
      .toBe(true);
    // One way to the plans; an empty bar would look like a divider.
    await expect.poll(() => planless.getByRole('main').locator('a[href="/subscription"]').count()).toBe(1);
    await expect.poll(() => card(planless, 'Meine Proxys').getByRole('progressbar').count()).toBe(0);
    await planless.getByRole('link', { name: 'Plan wählen' }).click();
    await heading(planless, 'Abonnement').waitFor();

    const { page, complaints } = await open((await newUser(system.url, 'free')).client, '/');
    await page.getByRole('button', { name: 'Ersten Proxy anlegen' }).click();
    await page.getByRole('dialog', { name: 'Neuen Proxy anlegen' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/tunnel-configuration');
    await expect.poll(() => page.evaluate("sessionStorage.getItem('open-add-proxy')")).toBe(null);
    expect(complaints).toEqual([]);
  });

  it('opens the add dialog however often React begins to draw the proxy page', async () => {
    const { client } = await newUser(system.url, 'free');
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    await page.addInitScript(everChanging);
    await page.goto('/');
    await page.getByRole('button', { name: 'Ersten Proxy anlegen' }).waitFor();
    await page.evaluate('startChanging()');
    await page.getByRole('button', { name: 'Ersten Proxy anlegen' }).click();
    await page.getByRole('dialog', { name: 'Neuen Proxy anlegen' }).waitFor();
  });

  it('says that a plan is needed only when that is known, and leads to the plans', async () => {
    const { client } = await newUser(system.url);
    const { page } = await open(client, '/');
    const asked = '**/api/user/subscription/can-create-proxy';
    const needed = page.getByText(say('proxies.empty.plan'));
    const choose = page.getByRole('link', { name: say('plan.choose'), exact: true });
    for (const [path, title] of [
      ['/', say('dashboard.first')],
      ['/tunnel-configuration', say('proxies.empty')],
    ] as const) {
      await page.route(asked, (route) => route.abort());
      await page.goto(path);
      await page.getByText(title, { exact: true }).waitFor();
      expect(await needed.count()).toBe(0);
      await page.unroute(asked);
      await page.goto(path);
      await needed.waitFor();
      expect(await choose.getAttribute('href')).toBe('/subscription');
    }
  });

  it('shows how one’s proxies are, and says where a larger plan is once the limit is reached', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { page } = await open(client, '/');
    const mine = card(page, 'Meine Proxys');
    await mine.getByText('Ein Proxy braucht Ihre Aufmerksamkeit.').waitFor();
    await mine.getByText(say('attention.never')).waitFor();
    await mine.getByText('Noch nicht installiert').waitFor();
    await mine.getByText('1 von 1 belegt').waitFor();
    await mine.getByText('0 verfügbar').waitFor();
    await expect
      .poll(() => mine.getByRole('link', { name: 'Jetzt upgraden' }).getAttribute('href'))
      .toBe('/subscription');
    await mine.getByRole('button', { name: 'Proxy anlegen' }).hover({ force: true });
    await page.getByRole('tooltip', { name: /Ihr Plan erlaubt einen Proxy/ }).waitFor();
    await mine.getByRole('button', { name: `Installieren: ${proxy.serverName}` }).click();
    await page.getByRole('dialog', { name: `Installation: ${proxy.serverName}` }).waitFor();
    await page.keyboard.press('Escape');
    await mine.getByRole('link', { name: proxy.serverName, exact: true }).click();
    await heading(page, proxy.serverName).waitFor();
  });

  it('says that a connection was lost, and since when, in the words of the list and of the status', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { edge } = system.talpa;
    if (!edge) throw new Error('there is no edge');
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const ca = readFileSync(edge.authorityFile, 'utf8');
    const connector = await startOurs({ port: edge.connectorPort, ca, token, originPort: 9 });
    const { page } = await open(client, '/');
    const mine = card(page, 'Meine Proxys');
    await mine.getByText('Alle Connectoren sind verbunden.').waitFor();
    await connector.kill();
    const lost = /^Getrennt seit 1\sMinute$/;
    await mine.getByText(lost).waitFor();
    await mine.getByText(say('attention.lost')).waitFor();
    await mine.getByRole('button', { name: `Tunnel-Status prüfen: ${proxy.serverName}` }).click();
    await page.getByRole('dialog').getByText(lost).waitFor();
    await page.goto('/tunnel-configuration');
    await page.getByRole('row').getByText(lost).waitFor();
  });

  it('shows a member what is shared with them and what they are invited to, and greets nobody who has a proxy', async () => {
    const { client: owner } = await newUser(system.url, 'premium');
    const { client, user } = await newUser(system.url);
    const shared = (await owner.call('POST /api/tunnel-configs', proxyInput())).proxy;
    const offered = (await owner.call('POST /api/tunnel-configs', proxyInput())).proxy;
    for (const { id } of [shared, offered])
      await owner.call('POST /api/tunnel-configs/:id/members', { id, role: 'view', username: user.username });
    const invitations = await client.call('GET /api/proxy-invitations', {});
    const first = invitations.find(({ proxyName }) => proxyName === shared.serverName);
    await client.call('POST /api/proxy-invitations/:id/acceptance', { id: first?.id ?? 0 });
    const { page, complaints } = await open(client, '/');
    await card(page, sayMembers('shared.title')).getByRole('link', { name: shared.serverName }).waitFor();
    const invited = card(page, sayMembers('invitations.title'));
    await invited.getByText(offered.serverName).waitFor();
    await page.getByText(say('dashboard.noneOwn'), { exact: true }).waitFor();
    expect(await page.getByText(say('dashboard.first'), { exact: true }).count()).toBe(0);
    await invited
      .getByRole('button', { name: sayMembers('invitations.accept.of', { proxy: offered.serverName }) })
      .click();
    await invited.waitFor({ state: 'detached' });
    await card(page, sayMembers('shared.title')).getByRole('link', { name: offered.serverName }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the user’s own proxies before the system’s figures, on a phone within the first screen', async () => {
    const { client } = await newUser(system.url, 'premium');
    await Promise.all(Array.from({ length: 6 }, () => client.call('POST /api/tunnel-configs', proxyInput())));
    const { page } = await open(client, '/');
    await page.setViewportSize({ width: 390, height: 844 });
    const mine = card(page, 'Meine Proxys');
    const rows = mine.getByRole('listitem');
    await until('five of them to show', async () => (await rows.count()) === 5);
    const top = async (name: string) => (await card(page, name).boundingBox())?.y ?? 0;
    const second = await rows.nth(1).boundingBox();
    expect((second?.y ?? 844) + (second?.height ?? 0)).toBeLessThanOrEqual(844);
    for (const name of ['Proxys im System', 'Registrierte Benutzer', 'Server-Ping'])
      expect(await top(name)).toBeGreaterThan(await top('Meine Proxys'));
    await mine.getByText('6 von 10 belegt').waitFor();
    await mine.getByText('4 verfügbar').waitFor();
    await mine.getByRole('link', { name: 'Alle 6 verwalten' }).waitFor();
  });

  it('measures the ping at once, every 15 s, on request and when back online; a lost connection is shown', async () => {
    const { client } = await newUser(system.url);
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    const pings: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/api/user?nocache=') && pings.push(request.url()),
    );
    await page.clock.install();
    await page.goto('/');
    const ping = card(page, 'Server-Ping');
    await ping.getByText(/^\d+\sms$/).waitFor();
    expect(pings).toHaveLength(1);
    await page.clock.runFor(15_000);
    await until('the second', () => pings.length === 2);
    await ping.getByText(/^\d+\sms$/).waitFor();
    const again = ping.getByRole('button', { name: 'Ping erneut messen' });
    // Held until it has been seen that one cannot ask twice.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/user?nocache=*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await again.click();
    await until('the button to wait', () => again.isDisabled());
    held.resolve();
    await until('the button to be free', () => again.isEnabled());
    await page.unroute('**/api/user?nocache=*');
    expect(pings).toHaveLength(3);

    await page.context().setOffline(true);
    await again.click();
    await ping.getByText('Verbindungsfehler').waitFor();
    await ping.getByText('Bitte überprüfen Sie Ihre Internetverbindung.').waitFor();
    await page.context().setOffline(false);
    await ping.getByText(/^\d+\sms$/).waitFor();
  });
});

describe('a plan that ends', () => {
  it('is warned of, for the day once closed, and renewed by a month from its end', async () => {
    const { client } = await newUser(system.url, 'basic');
    const end = new Date(Date.now() + 3 * day);
    await endPlan(system.talpa, client, end);
    const { page } = await open(client, '/');
    const warning = page.getByText(/Ihr Plan „Basic“ endet in 3\sTagen/);
    await warning.waitFor();
    await page.getByRole('button', { name: 'Hinweis schließen' }).click();
    await warning.waitFor({ state: 'detached' });
    await page.reload();
    await card(page, 'Meine Proxys').waitFor();
    await expect.poll(() => warning.count()).toBe(0);

    await page.goto('/subscription');
    await warning.waitFor();
    await page.getByRole('button', { name: 'Plan verlängern' }).click();
    const dialog = page.getByRole('dialog', { name: 'Plan „Basic“ verlängern' });
    await expect.poll(() => dialog.getByText('Guthaben').count()).toBe(0);
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Weiter zur Zahlung' }).click();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await dialog.getByRole('button', { name: 'Weiter mit PayPal' }).click();
    await dialog.getByRole('button', { name: 'Zahlungspflichtig bestellen' }).click();
    await page.getByText('Ihr Plan „Basic“ gilt einen Monat länger.', { exact: true }).waitFor();
    await warning.waitFor({ state: 'detached' });
    const renewed = await client.call('GET /api/user/subscription', {});
    expect(renewed).toMatchObject({ tier: 'basic', proxyLimit: 3 });
    const days = (new Date(renewed.expiry ?? 0).getTime() - end.getTime()) / day;
    expect(days).toBeGreaterThanOrEqual(28);
    expect(days).toBeLessThanOrEqual(31);
    const { status } = await client.fail('POST /api/user/subscription', { planId: 'basic' });
    expect(status).toBe(409);
  });

  it('and has ended is shown once, with what becomes of the proxies, and can be taken again', async () => {
    const { client } = await newUser(system.url, 'basic');
    await client.call('POST /api/tunnel-configs', proxyInput());
    await client.call('POST /api/tunnel-configs', proxyInput());
    await endPlan(system.talpa, client, new Date(Date.now() - day));
    const { page } = await open(client, '/');
    const notice = page.getByText('Ihr Plan „Basic“ ist abgelaufen');
    await notice.waitFor();
    await page.getByRole('button', { name: 'Hinweis schließen' }).click();
    await page.reload();
    await card(page, 'Meine Proxys').waitFor();
    await expect.poll(() => notice.count()).toBe(0);

    await page.goto('/subscription');
    await notice.waitFor();
    await page.getByText(/Sie haben 2\sProxys, Ihr Plan erlaubt 1\. Alle laufen weiter/).waitFor();
    await page.getByRole('button', { name: 'Plan erneuern' }).click();
    await page.getByRole('dialog', { name: 'Plan „Basic“ verlängern' }).waitFor();
  });
});

describe('figures that are not known', () => {
  it('are zeros that say so', async () => {
    const { client } = await newUser(system.url);
    const pid = system.pid('stats') ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      // Cached responses are valid for a while.
      const isUnknown = async () => (await client.try('GET /api/system/stats', {})).status >= 500;
      await until('nobody to know the figures', isUnknown);
      const { page } = await open(client, '/');
      for (const name of ['Proxys im System', 'Registrierte Benutzer']) {
        await card(page, name).getByText('nicht aktuell').waitFor();
        await card(page, name).getByText('0', { exact: true }).waitFor();
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
