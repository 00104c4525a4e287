import { useSharedBrowser } from '@talpa/test-kit/browser';
import { Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { apiKeys: say, kit } = wordsIn('de');

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.locator('[role=dialog]:visible');
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });
const openAs = async (client: Client) => {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto('/settings?tab=security');
  await page.getByRole('button', { name: say('create'), exact: true }).waitFor();
  return page;
};
/** Creates a key in the open dialog, and reads it off the next one. */
async function finish(page: Page): Promise<string> {
  await dialog(page)
    .getByRole('button', { name: say('form.submit') })
    .click();
  await page.getByText(say('secret.once')).waitFor();
  const key = (await dialog(page).locator('code').textContent()) ?? '';
  // Neither Escape nor anything but its button closes it.
  await page.keyboard.press('Escape');
  await press(page, say('secret.saved'));
  await dialog(page).waitFor({ state: 'hidden' });
  return key;
}
const listOf = (client: Client) => client.call('GET /api/user/api-keys', {});
const script = (apiKey: string) => Object.assign(new Client(system.url), { apiKey });

describe('an API key', () => {
  it('is created with what was chosen, works, and is revoked; the next dialog begins empty', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const owner = (await newUser(system.url, 'basic')).client;
    const shared = (await owner.call('POST /api/tunnel-configs', proxyInput())).proxy;
    await makeMember(owner, shared.id, client, 'view');
    const page = await openAs(client);
    await page.getByText(say('keys.empty')).waitFor();
    await press(page, say('create'));
    await dialog(page)
      .getByRole('button', { name: say('form.submit') })
      .click();
    await dialog(page).getByText('Wählen Sie mindestens eine Berechtigung').waitFor();
    await field(page, say('form.name')).fill('Server-Skript');
    for (const scope of ['proxies:read', 'tunnel-token:read'])
      await dialog(page).getByRole('checkbox', { name: scope }).check();
    expect(
      await dialog(page)
        .getByRole('checkbox', { name: /admin:/ })
        .count(),
    ).toBe(0);
    await field(page, say('form.proxies')).click();
    await page.getByTitle(proxy.serverName, { exact: true }).click();
    await page.getByText(say('form.sharedProxies')).waitFor();
    await page.getByTitle(shared.serverName, { exact: true }).click();
    await field(page, say('form.networks')).fill('127.0.0.0/8, ::1');
    const first = await finish(page);
    expect(await listOf(client)).toMatchObject([
      {
        ...{
          name: 'Server-Skript',
          scopes: ['proxies:read', 'tunnel-token:read'],
          proxyIds: [proxy.id, shared.id],
        },
        networks: ['127.0.0.0/8', '::1'],
      },
    ]);
    expect((await script(first).call('GET /api/tunnel-configs', {})).map(({ id }) => id)).toEqual([proxy.id]);
    await page.getByText(`${proxy.serverName}, ${shared.serverName}`).waitFor();

    await press(page, say('create'));
    expect(await field(page, say('form.name')).inputValue()).toBe('');
    expect(await dialog(page).getByRole('checkbox', { checked: true }).count()).toBe(0);
    await field(page, say('form.name')).fill('Zweiter');
    await dialog(page).getByRole('checkbox', { name: 'account:read' }).check();
    const second = await finish(page);
    expect(second).not.toBe(first);
    expect(await listOf(client)).toMatchObject([{}, { name: 'Zweiter', proxyIds: null, networks: [] }]);

    await press(page, say('revoke.of', { name: 'Server-Skript' }));
    await dialog(page)
      .getByRole('button', { name: say('revoke.submit') })
      .click();
    await page.getByText('Server-Skript').first().waitFor();
    await expect.poll(async () => (await listOf(client)).map(({ name }) => name)).toEqual(['Zweiter']);
    expect((await script(first).fail('GET /api/tunnel-configs', {})).error.code).toBe('api_key_invalid');
  });

  it('that is created or revoked in one tab appears and disappears in the other', async () => {
    const { client } = await newUser(system.url);
    const [here, there] = [await openAs(client), await openAs(client)];
    await press(here, say('create'));
    await field(here, say('form.name')).fill('Aus dem anderen Tab');
    await dialog(here).getByRole('checkbox', { name: 'account:read' }).check();
    await finish(here);
    const revoke = say('revoke.of', { name: 'Aus dem anderen Tab' });
    await press(there, revoke);
    await dialog(there)
      .getByRole('button', { name: say('revoke.submit') })
      .click();
    await here.getByRole('button', { name: revoke }).waitFor({ state: 'detached' });
    await here.getByText(say('keys.empty')).waitFor();
  });

  it('that was half entered is not lost without a question', async () => {
    const { client } = await newUser(system.url);
    const page = await openAs(client);
    await press(page, say('create'));
    await field(page, say('form.name')).fill('Halb');
    await page.keyboard.press('Escape');
    await page.getByText(kit('leave.title')).waitFor();
    await press(page, kit('leave.stay'));
    expect(await field(page, say('form.name')).inputValue()).toBe('Halb');
    expect(await listOf(client)).toEqual([]);
  });
});
