import { type WallMethod, wallText } from '@talpa/contracts';
import { issueText } from '@talpa/contracts/issues';
import { useBrowser } from '@talpa/test-kit/browser';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { wallPageOn } from '@talpa/test-kit/panel/wall-page';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { servedText, useServedProxies } from '@talpa/test-kit/served-proxies';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';

const mailServer = await startMailServer();
const system = useTalpa({ SMTP_URL: mailServer.url, MAIL_FROM: 'talpa@example.org' });
const browser = useBrowser();
const { access: say, kit: sayKit } = wordsIn('de');
const newServed = useServedProxies(system);
afterAll(() => mailServer.stop());

/** A proxy with a connector, its address, and what sets its wall. */
async function newMailing() {
  const { client, proxy, url } = await newServed();
  const policy = (methods: WallMethod[], emails: string[], days = 7) =>
    client.call('PUT /api/tunnel-configs/:id/access', {
      id: proxy.id,
      policy: { kind: 'wall', methods, require: 'any', rules: [], days, emails },
      ...(methods.includes('pin') ? { pin: '493817' } : {}),
    });
  return { client, id: proxy.id, policy, url };
}

/** The codes that an address has got, once there are so many. */
const codesOf = (address: string, count = 1) =>
  until(`${count} emails to ${address}`, () => {
    const codes = mailServer.received
      .filter(({ recipient }) => recipient === address)
      .map(({ text }) => /^\d{6}$/m.exec(text ?? '')?.[0] ?? '');
    return codes.length >= count && codes;
  });

/** A visitor's hands at the wall. */
function atWall(page: Page, language: 'de' | 'en' = 'de') {
  const words = (key: Parameters<typeof wallText>[0]) => wallText(key, language);
  const heading = (key: 'title' | 'codeTitle') =>
    page.getByRole('heading', { name: words(key), exact: true }).waitFor();
  return {
    isAsked: () => heading('title'),
    askFor: async (email: string) => {
      await page.getByLabel(words('email'), { exact: true }).fill(email);
      await page.getByRole('button', { name: words('sendCode'), exact: true }).click();
      await heading('codeTitle');
    },
    enter: async (code: string) => {
      await page.getByLabel(words('code'), { exact: true }).fill(code);
      await page.getByRole('button', { name: words('submit'), exact: true }).click();
    },
    askAgain: async () => {
      await page.getByRole('link', { name: words('anotherCode'), exact: true }).click();
      await heading('title');
    },
    isWrong: () => page.getByRole('alert').getByText(words('wrong_code')).waitFor(),
    isIn: () => page.getByText(servedText).waitFor(),
  };
}

it('who is listed in the panel gets a code by email and comes to the page they wanted, without a script, until they are removed', async () => {
  const { client, id, url } = await newMailing();
  const { page: panel } = await browser.open(system.url);
  await carrySession(panel, client);
  await panel.goto(`/tunnel-configuration/${id}?tab=access`);
  const dialog = panel.locator('[role=dialog]:visible');
  const field = dialog.getByLabel(say('form.emails'), { exact: true });
  const change = () => panel.getByRole('button', { name: say('change'), exact: true }).click();
  const save = () => dialog.getByRole('button', { name: say('form.submit'), exact: true }).click();
  await change();
  // Without PUBLIC_URL nobody signs in at Talpa.
  const members = dialog.getByRole('radio', { name: say('preset.members') });
  expect(await members.isDisabled()).toBe(true);
  await dialog
    .locator('label')
    .filter({ hasText: say('preset.members') })
    .getByText(say('form.noSignIn'))
    .waitFor();
  await dialog.getByRole('radio', { name: say('preset.custom') }).check();
  await dialog.getByRole('radio', { name: say('kind.wall') }).check();
  const member = dialog.getByRole('checkbox', { name: say('method.member') });
  expect([await member.isDisabled(), await member.isChecked()]).toEqual([true, false]);
  await dialog.getByText(say('form.noOwnAccount'), { exact: false }).waitFor();
  expect(await dialog.textContent()).not.toMatch(/PUBLIC_URL|immer mit Ihrem Konto/);
  await dialog.getByRole('checkbox', { name: say('method.email') }).check();
  await save();
  await dialog.getByText(issueText('wallEmails', 'de')).waitFor();
  await field.fill('Mara@Example.com\nben@');
  await save();
  await dialog.getByText(say('form.emails.wrong', { text: 'ben@' })).waitFor();
  await field.fill('Mara@Example.com\nben@example.com');
  await save();
  await dialog.waitFor({ state: 'hidden' });

  const visitors = [await browser.open(system.url), await browser.open(system.url)];
  const [mara, eve] = visitors.map(({ page }) => ({ page, wall: atWall(page) }));
  if (!mara || !eve) throw new Error('there are two');
  for (const { page } of visitors) {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(`${url}/players?page=2`);
  }
  // Not listed: the same page, and no email.
  await eve.wall.askFor('eve@example.com');
  await mara.wall.askFor('mara@example.com');
  expect(await eve.page.locator('main').innerHTML()).toBe(await mara.page.locator('main').innerHTML());
  const [code = ''] = await codesOf('mara@example.com');
  await eve.wall.enter(code);
  await eve.wall.isWrong();
  await mara.wall.enter(code);
  await mara.wall.isIn();
  await expect.poll(() => mara.page.url()).toBe(`${url}/players?page=2`);
  // Another one for a browser of hers, after the first was lost.
  await eve.wall.askAgain();
  await eve.wall.askFor('ben@example.com');
  const [second = ''] = await codesOf('ben@example.com');
  await eve.wall.enter(second);
  await eve.wall.isIn();
  expect(new Set(mailServer.received.map(({ recipient }) => recipient))).toEqual(
    new Set(['mara@example.com', 'ben@example.com']),
  );

  await panel.getByText('mara@example.com').first().waitFor();
  await panel.getByRole('button', { name: /^Besuch von ben@example.com seit .* beenden$/ }).waitFor();
  // The second opening begins with what is stored; somebody else changes it meanwhile.
  await change();
  expect(await field.inputValue()).toBe('mara@example.com\nben@example.com');
  await field.fill('ben@example.com');
  await client.call('PUT /api/tunnel-configs/:id/access', {
    id,
    policy: {
      ...{ kind: 'wall', methods: ['email'], require: 'any', rules: [], days: 7 },
      emails: ['mara@example.com', 'ben@example.com', 'zoe@example.com'],
    },
  });
  await dialog.getByText(sayKit('conflict.title')).waitFor();
  await dialog.getByText('zoe@example.com', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: sayKit('conflict.mine'), exact: true }).click();
  await save();
  await dialog.waitFor({ state: 'hidden' });
  await until('Mara to be outside', async () => (await mara.page.goto(url))?.status() === 401);
  await mara.wall.isAsked();
  const { policy } = await client.call('GET /api/tunnel-configs/:id/access', { id });
  expect(policy).toMatchObject({ methods: ['email'], emails: ['ben@example.com'] });
});

it.each([
  { language: 'de', theme: 'dark', width: 390 },
  { language: 'en', theme: 'light', width: 390 },
  { language: 'en', theme: 'dark', width: 1280 },
  { language: 'de', theme: 'light', width: 320 },
] as const)(
  'both steps of a code are accessible, legible and used by keyboard alone: $language, $theme, $width px',
  async ({ language, theme, width }) => {
    const { url, policy } = await newMailing();
    await policy(['email', 'pin'], ['mara@example.com']);
    const { page } = await browser.open(system.url, {
      ...{ locale: language, colorScheme: theme, viewport: { width, height: 800 } },
    });
    const wall = atWall(page, language);
    const { focused, isGood, tabTo } = wallPageOn(page, { language, width });
    await page.goto(`${url}/players`);
    await wall.isAsked();
    await isGood();
    expect(await focused()).toBe('pin');
    await tabTo('submit', 'email');
    await page.keyboard.type('mara@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: wallText('codeTitle', language), exact: true }).waitFor();
    await isGood();
    expect(await focused()).toBe('code');
    await page.keyboard.type('12345');
    await page.keyboard.press('Enter');
    await wall.isWrong();
    await isGood();
    expect(await focused()).toBe('code');
    await tabTo('submit', 'again');
    await page.keyboard.press('Enter');
    await wall.isAsked();
    // By email alone.
    await policy(['email'], ['mara@example.com']);
    await until('the changed wall', async () => {
      await page.reload();
      return (await page.locator('#pin').count()) === 0;
    });
    await isGood();
    expect(await focused()).toBe('email');
  },
);
