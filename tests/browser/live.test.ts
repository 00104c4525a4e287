import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.ts';
import { type Client, newUser, proxyInput } from '../kit/client.ts';
import { useTalpa } from '../kit/system.ts';
import { until } from '../kit/wait.ts';

const system = useTalpa();
const browser = useBrowser();

/** A browser in which a client's session is signed in, with a tab on a page. */
async function openAs(client: Client, path: string): Promise<Page> {
  const { page } = await browser.open(system.url);
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);
  await page.goto(path);
  return page;
}
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

describe('a change made elsewhere', () => {
  it('shows in every tab of its user without a reload, and in nobody else’s; signing out ends all tabs', async () => {
    const [{ client }, { client: other }] = await Promise.all([
      newUser(system.url, 'basic'),
      newUser(system.url, 'basic'),
    ]);
    const first = await openAs(client, '/tunnel-configuration');
    const streams: string[] = [];
    const note = (page: Page) =>
      page.on('request', (request) => {
        if (request.url().endsWith('/api/events')) streams.push(request.url());
      });
    const second = await first.context().newPage();
    note(second);
    await second.goto('/tunnel-configuration');
    const others = await openAs(other, '/tunnel-configuration');
    for (const page of [first, second, others]) await page.getByText('Noch kein Proxy').waitFor();

    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    for (const page of [first, second])
      await row(page, proxy.serverName).getByText('Nicht verbunden').waitFor();
    expect(streams).toEqual([]);
    await expect.poll(() => row(others, proxy.serverName).count()).toBe(0);

    // The tab that held the stream goes: another takes over.
    await first.close();
    await until('the other tab holds the stream', () => streams.length > 0);
    const third = await second.context().newPage();
    await third.goto('/tunnel-configuration');
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    for (const page of [second, third]) await page.getByText('Noch kein Proxy').waitFor();

    await third.getByRole('button', { name: 'Abmelden' }).click();
    for (const page of [second, third]) await page.waitForURL('**/auth');
    await others.getByText('Noch kein Proxy').waitFor();
  });

  it('of a plan and of the administrator’s flag shows at once', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const page = await openAs(client, '/');
    await page.getByText('angelegt, 1 von 1 verfügbar').waitFor();
    const admin = await system.admin();
    await admin.call('PUT /api/admin/users/:id', {
      id: user.id,
      username: user.username,
      isAdmin: true,
      proxyLimit: 17,
      subscriptionTier: 'premium',
    });
    await page.getByText('angelegt, 17 von 17 verfügbar').waitFor();
    await page.getByRole('link', { name: 'Benutzer', exact: true }).waitFor();
  });
});
