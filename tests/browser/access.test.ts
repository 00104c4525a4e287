import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { access: say } = wordsIn('de');

async function openAs(client: Client, path: string) {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.locator('[role=dialog]:visible');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  return { page, button, dialog, inDialog };
}

it('a policy is set by rules, shown in all tabs, tested and taken back', async () => {
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const path = `/tunnel-configuration/${proxy.id}?tab=access`;
  const [tab, other] = [await openAs(client, path), await openAs(client, path)];
  const policy = async () =>
    (await client.call('GET /api/tunnel-configs/:id/access', { id: proxy.id })).policy;
  await other.page.getByText(say('text.open')).waitFor();

  await tab.button(say('change')).click();
  await tab.dialog.getByRole('radio', { name: say('kind.rules') }).check();
  await tab.inDialog(say('form.addRule')).click();
  const value = tab.dialog.getByLabel(say('form.value.address'), { exact: true });
  await value.fill('203.0.113.0/99');
  await tab.inDialog(say('form.submit')).click();
  await tab.dialog.getByText('Geben Sie eine IP-Adresse oder ein Netz', { exact: false }).waitFor();
  await value.fill('203.0.113.0/24');
  // The newest rule is the first.
  await tab.inDialog(say('form.allowMe')).click();
  await tab.inDialog(say('form.submit')).click();
  await tab.dialog.waitFor({ state: 'hidden' });
  expect(await policy()).toMatchObject({
    ...{ kind: 'rules', otherwise: 'deny' },
    rules: [
      { action: 'allow', match: { by: 'address', network: '127.0.0.1' }, expiresAt: expect.any(String) },
      { action: 'allow', match: { by: 'address', network: '203.0.113.0/24' }, expiresAt: null },
    ],
  });
  for (const { page } of [tab, other])
    await page
      .getByText(say('match.network', { value: '203.0.113.0/24' }))
      .first()
      .waitFor();

  await tab.button(say('test')).click();
  await tab.dialog.getByLabel(say('test.address'), { exact: true }).fill('203.0.113.9');
  await tab.inDialog(say('test.submit')).click();
  await tab.dialog.getByText(say('reason.rule', { rule: 2 }), { exact: false }).waitFor();
  await tab.dialog.getByLabel(say('test.address'), { exact: true }).fill('198.51.100.1');
  await tab.inDialog(say('test.submit')).click();
  await tab.dialog.getByText(say('reason.no_rule'), { exact: false }).waitFor();
  await tab.page.keyboard.press('Escape');

  await other.button(say('change')).click();
  await other.inDialog(say('form.removeRule', { number: 1 })).click();
  await other.dialog.getByRole('radio', { name: say('kind.open') }).check();
  await other.inDialog(say('form.submit')).click();
  for (const { page } of [tab, other]) await page.getByText(say('text.open')).waitFor();
  expect(await policy()).toEqual({ kind: 'open' });
  // A second opening begins with what is stored.
  await tab.button(say('change')).click();
  expect(await tab.dialog.getByRole('radio', { name: say('kind.open') }).isChecked()).toBe(true);
  expect(await tab.dialog.getByLabel(say('form.value.address')).count()).toBe(0);
});
