import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';
import { wallText } from '../../packages/contracts/src/wall-texts.ts';

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
  await tab.dialog.getByRole('radio', { name: say('preset.custom') }).check();
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
  await other.dialog.getByRole('radio', { name: say('preset.public') }).check();
  await other.inDialog(say('form.submit')).click();
  for (const { page } of [tab, other]) await page.getByText(say('text.open')).waitFor();
  expect(await policy()).toEqual({ kind: 'open' });
  // A second opening begins with what is stored.
  await tab.button(say('change')).click();
  expect(await tab.dialog.getByRole('radio', { name: say('preset.public') }).isChecked()).toBe(true);
  expect(await tab.dialog.getByLabel(say('form.value.address')).count()).toBe(0);
});

it('a preset says whom it lets in, shows what visitors see, and is chosen when it is opened again', async () => {
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const { button, dialog, inDialog } = await openAs(client, `/tunnel-configuration/${proxy.id}?tab=access`);
  const preset = (name: 'public' | 'pin' | 'members' | 'address') =>
    dialog.getByRole('radio', { name: say(`preset.${name}`) });
  const seen = dialog.getByRole('figure');
  const save = async () => {
    await inDialog(say('form.submit')).click();
    await dialog.waitFor({ state: 'hidden' });
    await button(say('change')).click();
    return (await client.call('GET /api/tunnel-configs/:id/access', { id: proxy.id })).policy;
  };
  await button(say('change')).click();
  expect(await preset('public').isChecked()).toBe(true);
  await seen.getByText(say('preview.panel.text')).waitFor();

  await preset('pin').check();
  await seen.getByText(wallText('text', 'de', { host: proxy.cfDomain })).waitFor();
  await inDialog(say('form.submit')).click();
  await dialog.locator('.ant-form-item-explain-error').waitFor();
  await dialog.getByRole('textbox', { name: say('form.pin'), exact: true }).fill('493817');
  expect(await save()).toMatchObject({ kind: 'wall', methods: ['pin'], rules: [] });
  expect(await preset('pin').isChecked()).toBe(true);

  await preset('members').check();
  await seen.getByText(wallText('member', 'de'), { exact: true }).waitFor();
  expect(await save()).toMatchObject({ kind: 'wall', methods: ['member'], rules: [] });
  expect(await preset('members').isChecked()).toBe(true);

  await preset('address').check();
  await seen.getByText(say('preview.others')).waitFor();
  const mine = { action: 'allow', match: { by: 'address', network: '127.0.0.1' }, expiresAt: null };
  expect(await save()).toEqual({ kind: 'rules', otherwise: 'deny', rules: [mine] });
  expect(await preset('address').isChecked()).toBe(true);
});
