import { randomUUID } from 'node:crypto';
import { wallText } from '@talpa/contracts';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser } from '@talpa/test-kit/client';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import { wallPageOn } from '@talpa/test-kit/panel/wall-page';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { servedText, useServedProxies } from '@talpa/test-kit/served-proxies';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { user: say, access: sayOfAccess, proxy: sayOfProxy } = wordsIn('de');
const newServed = useServedProxies(system);

let shared: ReturnType<typeof newWalled> | undefined;
/** One for those who only look at it. */
const sharedWall = () => (shared ??= newWalled(['member', 'pin']));

/** A proxy with a connector and a wall, and its address. */
async function newWalled(methods: readonly ('member' | 'pin')[]) {
  const { client, user, proxy, url } = await newServed();
  await client.call('PUT /api/tunnel-configs/:id/access', {
    id: proxy.id,
    policy: { kind: 'wall', methods: [...methods], require: 'any', rules: [], days: 7, emails: [] },
    ...(methods.includes('pin') ? { pin: '493817' } : {}),
  });
  return { client, user, proxy, url };
}

async function openAs(client: Client | null) {
  const { page } = await browser.open(system.url);
  if (client) await carrySession(page, client);
  const isIn = () => page.getByText(servedText).waitFor();
  const atWall = () => page.getByRole('heading', { name: wallText('title', 'de'), exact: true }).waitFor();
  const signIn = () => page.getByRole('link', { name: wallText('member', 'de'), exact: true }).click();
  /** After they have signed in the panel asks whether it shall carry that to the proxy. */
  const goOn = () => page.getByRole('button', { name: say('visit.continue'), exact: true }).click();
  return { page, isIn, atWall, signIn, goOn };
}

it('the owner and members pass by signing in and come to the page they wanted, others do not; signing out ends it', async () => {
  const { client, proxy, url } = await newWalled(['member']);
  const [{ client: member, user: person }, { client: stranger }] = [
    await newUser(system.url, 'free'),
    await newUser(system.url, 'free'),
  ];
  const { member: invited } = await client.call('POST /api/tunnel-configs/:id/members', {
    ...{ id: proxy.id, username: person.username, role: 'view' },
  });
  const [invitation] = await member.call('GET /api/proxy-invitations', {});
  await member.call('POST /api/proxy-invitations/:id/acceptance', { id: invitation?.id ?? 0 });

  const [owners, members, strangers] = [await openAs(client), await openAs(member), await openAs(stranger)];
  for (const one of [owners, members]) {
    await one.page.goto(`${url}/players?page=2`);
    await one.atWall();
    await one.signIn();
    await one.page.getByText(say(one === owners ? 'visit.as.owner' : 'visit.as.member')).waitFor();
    await one.goOn();
    await one.isIn();
    await expect.poll(() => one.page.url()).toBe(`${url}/players?page=2`);
  }
  await strangers.page.goto(url);
  await strangers.signIn();
  await strangers.page.getByText(say('visit.failed')).waitFor();
  await strangers.page.goto(url);
  await strangers.atWall();

  await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', {
    id: proxy.id,
    memberId: invited.id,
  });
  await until('the member to be outside', async () => (await members.page.goto(url))?.status() === 401);
  expect((await owners.page.goto(url))?.status()).toBe(200);
  await client.call('POST /api/logout', {});
  await until('the owner to be outside', async () => (await owners.page.goto(url))?.status() === 401);
});

it('a PIN opens the proxy without a script; the owner ends the visit in the panel; their suspension closes the proxy', async () => {
  const { client, user, proxy, url } = await newWalled(['pin']);
  const owner = await openAs(client);
  await owner.page.goto(`/tunnel-configuration/${proxy.id}?tab=access`);
  await owner.page.getByText(sayOfAccess('visits.empty')).waitFor();
  const visitor = await openAs(null);
  await visitor.page.route('**/*.js', (route) => route.abort());
  await visitor.page.goto(`${url}/players`);
  await visitor.atWall();
  const field = visitor.page.getByLabel(wallText('pin', 'de'), { exact: true });
  const submit = visitor.page.getByRole('button', { name: wallText('submit', 'de'), exact: true });
  expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
  await field.fill('111111');
  await submit.click();
  await visitor.page.getByRole('alert').getByText(wallText('wrong_pin', 'de')).waitFor();
  await field.fill('493817');
  await submit.click();
  await visitor.isIn();
  await expect.poll(() => visitor.page.url()).toBe(`${url}/players`);
  // The open list has learned of it: sooner than it would look by itself.
  const end = owner.page.getByRole('button', { name: /^Besuch von PIN seit .* beenden$/ });
  await end.waitFor({ timeout: 10_000 });
  await end.click();
  await owner.page.getByText(sayOfAccess('visits.empty')).waitFor();
  await until('the visitor to be outside', async () => (await visitor.page.goto(url))?.status() === 401);
  const root = await system.admin();
  await root.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: `Spam ${randomUUID()}` });
  await until('visitors to be refused', async () => (await visitor.page.goto(url))?.status() === 403);
});

it('a proxy that is created protected has the wall from its first visit; where nobody can sign in, that is not offered', async () => {
  const { client } = await newUser(system.url, 'basic');
  const { page, atWall } = await openAs(client);
  const dialog = page.locator('[role=dialog]:visible');
  const choice = (name: 'open' | 'protected') => dialog.getByRole('radio', { name: say(`create.${name}`) });
  const add = async () => {
    await page
      .getByRole('button', { name: say('proxies.add') })
      .first()
      .click();
    await dialog.getByRole('button', { name: say('create.submit'), exact: true }).waitFor();
  };
  await page.goto('/tunnel-configuration');
  await add();
  await choice('protected').check();
  await dialog.getByLabel(sayOfProxy('field.serverName')).fill('Geschützt');
  await dialog.getByRole('button', { name: say('create.submit'), exact: true }).click();
  await page.getByRole('dialog', { name: sayOfProxy('install.title', { name: 'Geschützt' }) }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await add();
  expect(await choice('open').isChecked()).toBe(true);
  const [proxy] = await client.call('GET /api/tunnel-configs', {});
  await page.goto(`http://${proxy?.cfDomain}:${system.talpa.edge?.visitorPort}/players`);
  await atWall();

  await changeConfig(page, { protectedProxies: false });
  await page.goto('/tunnel-configuration');
  await add();
  for (const name of ['open', 'protected'] as const) expect(await choice(name).count()).toBe(0);
});

it.each([
  { language: 'de', theme: 'dark', width: 390 },
  { language: 'en', theme: 'light', width: 390 },
  { language: 'en', theme: 'dark', width: 1280 },
  { language: 'de', theme: 'light', width: 320 },
] as const)(
  'the wall is accessible, legible and used by keyboard alone: $language, $theme, $width px',
  async (look) => {
    const { language, theme, width } = look;
    const { url } = await sharedWall();
    const { page } = await browser.open(system.url, {
      ...{ locale: language, colorScheme: theme, viewport: { width, height: 800 } },
    });
    const { focused, isGood, tabTo } = wallPageOn(page, { language, width });
    await page.goto(`${url}/players`);
    await page.getByRole('heading', { name: wallText('title', language), exact: true }).waitFor();
    await isGood();
    expect(await focused()).toBe('pin');
    await tabTo('submit', 'member');
    for (let back = 0; back < 2; back += 1) await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(wallText('wrong_pin', language)).waitFor();
    await isGood();
    expect(await focused()).toBe('pin');
  },
);
