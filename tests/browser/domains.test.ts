import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { domains: say } = wordsIn('de');

async function openAs(client: Client, path: string) {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return { page, button, dialog: page.locator('[role=dialog]:visible') };
}

it('a custom domain is added, shown with its records in all tabs, and removed', async () => {
  const { client } = await newUser(system.url, 'premium');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const path = `/tunnel-configuration/${proxy.id}?tab=domains`;
  const [tab, other] = [await openAs(client, path), await openAs(client, path)];
  await other.page.getByText(say('empty')).waitFor();
  await tab.button(say('add')).click();
  const host = tab.dialog.getByLabel(say('add.host'), { exact: true });
  const submit = tab.dialog.getByRole('button', { name: say('add') });
  await host.fill(`x.${proxy.cfDomain}`);
  await submit.click();
  await tab.dialog.getByText('Geben Sie eine öffentliche Domain', { exact: false }).waitFor();
  await host.fill('Bücher.Example.ORG');
  await submit.click();
  await tab.dialog.waitFor({ state: 'hidden' });
  const [domain] = (await client.call('GET /api/tunnel-configs/:id/domains', { id: proxy.id })).domains;
  expect(domain?.host).toBe('xn--bcher-kva.example.org');
  for (const { page } of [tab, other])
    for (const { name, value } of domain?.records ?? []) {
      await page.getByText(name, { exact: true }).first().waitFor();
      await page.getByText(value, { exact: true }).first().waitFor();
    }
  // The name servers of the test's panel do not respond.
  await tab.page.getByText(say('problem.dns_unavailable')).waitFor();
  await tab.button(say('remove.of', { host: 'xn--bcher-kva.example.org' })).click();
  await tab.dialog.getByRole('button', { name: say('remove.submit') }).click();
  for (const { page } of [tab, other]) await page.getByText(say('empty')).waitFor();
  // The next form begins empty.
  await tab.button(say('add')).click();
  expect(await host.inputValue()).toBe('');
});

it('custom domains are listed, checked and removed one by one without the live stream, too', async () => {
  const { client } = await newUser(system.url, 'premium');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const hosts = ['eins.example.org', 'zwei.example.org'].map(
    (name) => `${proxy.cfDomain.split('.')[0]}-${name}`,
  );
  const { page, button, dialog } = await openAs(client, '/');
  await page.route('**/api/events', (route) => route.abort());
  await page.goto(`/tunnel-configuration/${proxy.id}?tab=domains`);
  for (const host of hosts) {
    await button(say('add')).click();
    await dialog.getByLabel(say('add.host'), { exact: true }).fill(host);
    await dialog.getByRole('button', { name: say('add') }).click();
    const checked = page.waitForResponse(/\/domains\/\d+\/check$/);
    await button(say('check.of', { host })).click();
    expect((await checked).status()).toBe(200);
  }
  const [first = '', second = ''] = hosts;
  // The question names the domain that it is asked for.
  await button(say('remove.of', { host: first })).click();
  await dialog.getByText(first, { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await button(say('remove.of', { host: second })).click();
  await dialog.getByText(second, { exact: false }).waitFor();
  await dialog.getByRole('button', { name: say('remove.submit') }).click();
  await button(say('remove.of', { host: second })).waitFor({ state: 'hidden' });
  await button(say('remove.of', { host: first })).waitFor();
  const { domains } = await client.call('GET /api/tunnel-configs/:id/domains', { id: proxy.id });
  expect(domains.map(({ host }) => host)).toEqual([first]);
});
