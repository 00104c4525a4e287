import { readFile } from 'node:fs/promises';
import { exportPlace } from '@talpa/contracts';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pages } from '../../frontends/user/src/pages.ts';
import { fillText } from '../../packages/panel-kit/core/texts/fill-text.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { shell, user: say, proxy: sayProxy, settings } = wordsIn('de');

/** Two people with a proxy each, and the first one's open form in a tab of a browser. */
async function twoUsers() {
  const [first, second] = await Promise.all([newUser(system.url, 'basic'), newUser(system.url, 'basic')]);
  const made = await Promise.all(
    [first, second].map(
      async ({ client }) => (await client.call('POST /api/tunnel-configs', proxyInput())).proxy,
    ),
  );
  const page = await openAs(first.client);
  await page
    .getByText(made[0]?.serverName ?? '')
    .first()
    .waitFor();
  await page.getByRole('button', { name: say('proxies.add') }).click();
  await field(page).fill('geheim vom Ersten');
  return { page, first, second, names: made.map(({ serverName }) => serverName) };
}
async function openAs(client: Client): Promise<Page> {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto('/tunnel-configuration');
  return page;
}
const field = (page: Page) =>
  page.getByRole('dialog').getByLabel(sayProxy('field.serverName'), { exact: true });
const notice = (page: Page, name: string) =>
  page.getByRole('alert').filter({ hasText: shell('account.changed', { name }) });
const close = (page: Page) => page.getByRole('button', { name: shell('account.changed.close') }).click();

describe('another account that signs in in another tab', () => {
  it('is named in this one, which keeps nothing of the account before', async () => {
    const { page, second, names } = await twoUsers();
    const other = await page.context().newPage();
    await other.goto('/');
    await other.getByRole('button', { name: shell('layout.logout') }).click();
    await other.getByLabel(shell('auth.username'), { exact: true }).fill(second.user.username);
    await other.getByLabel(shell('auth.password'), { exact: true }).fill(testPassword);
    await other.getByRole('button', { name: shell('auth.login'), exact: true }).click();
    const shown = notice(page, second.user.username);
    await shown.getByText(shell('account.changed.lost')).waitFor();
    await heading(other).waitFor();
    // Who has just signed in there knows.
    expect(await notice(other, second.user.username).count()).toBe(0);
    await page
      .getByText(names[1] ?? '')
      .first()
      .waitFor();
    expect(await page.getByText(names[0] ?? '').count()).toBe(0);
  });

  it.each(['was open', 'had lost its session'])(
    'never shows what was fetched before in a tab that %s',
    async (tab) => {
      const { page, first, second, names } = await twoUsers();
      // Nothing makes the page fetch again.
      await page.route('**/api/events', (route) => route.abort());
      await page.goto('/');
      const link = (name = '') => page.getByRole('link', { name, exact: true });
      await link(names[0]).waitFor();
      if (tab === 'had lost its session') {
        await first.client.call('POST /api/logout', {});
        // The page may notice before it is pressed.
        await page
          .getByRole('button', { name: say('ping.refresh') })
          .or(page.getByText('Ihre Sitzung'))
          .click();
        await page.waitForURL('**/auth');
      }
      await carrySession(page, second.client);
      await page.evaluate(
        `new BroadcastChannel('talpa-session').postMessage({ change: 'signedIn', userId: ${second.user.id} })`,
      );
      await page
        .getByRole('heading', { name: fillText(pages.dashboard.heading.de, { name: second.user.username }) })
        .waitFor();
      await link(names[1]).waitFor();
      expect(await link(names[0]).count()).toBe(0);
    },
  );

  it.each(['is notified', 'only finds out later'])('replaces an open page whose tab %s', async (how) => {
    const { page, first, second, names } = await twoUsers();
    const body = JSON.stringify({ username: second.user.username, password: testPassword });
    await page.evaluate(`fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(body)},
    })`);
    if (how === 'is notified')
      await page.evaluate(
        `new BroadcastChannel('talpa-session').postMessage({ change: 'signedIn', userId: ${second.user.id} })`,
      );
    else await first.client.call('POST /api/user/subscription', { planId: 'premium' });
    await notice(page, second.user.username).waitFor();
    await page
      .getByText(names[1] ?? '')
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByText(names[0] ?? '').count()).toBe(0);
    await close(page);
    await expect.poll(() => notice(page, second.user.username).count()).toBe(0);
  });
});

it('a sign-out that fails leaves no tab in doubt: all of them say when the session is ended elsewhere', async () => {
  const { client, user } = await newUser(system.url);
  const page = await openAs(client);
  const other = await page.context().newPage();
  await other.goto('/');
  for (const one of [page, other]) await heading(one).waitFor();
  await page.route('**/api/logout', (route) => route.abort());
  await page.getByRole('button', { name: shell('layout.logout') }).click();
  await page.getByText(shell('layout.logout.failed'), { exact: true }).first().waitFor();
  const elsewhere = new Client(system.url);
  await elsewhere.call('POST /api/login', { username: user.username, password: testPassword });
  await elsewhere.call('DELETE /api/user/sessions', {});
  for (const one of [page, other]) await one.getByText(shell('interrupted.ended')).waitFor();
});

it('the export of one’s data holds whatever comes in a further part', async () => {
  const { client } = await newUser(system.url);
  const page = await openAs(client);
  await page.goto('/settings');
  const lists = Object.keys(exportPlace.shape);
  await page.route('**/api/user/export**', async (route) => {
    const part = await (await route.fetch({ url: `${system.url}/api/user/export` })).json();
    const isSecond = new URL(route.request().url()).searchParams.has('cursor');
    const second = Object.fromEntries(lists.map((name) => [name, ['second']]));
    await route.fulfill({ json: isSecond ? { ...part, ...second } : { ...part, next: 'more' } });
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: settings('export.submit') }).click(),
  ]);
  const whole = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(lists.map((name) => [name, whole[name].at(-1)])).toEqual(lists.map((name) => [name, 'second']));
});
