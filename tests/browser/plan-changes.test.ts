import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';

const support = 'https://support.talpa.example/';
const system = useTalpa({ PLAN_CHANGES: 'administrators', SUPPORT_URL: support });
const browser = useSharedBrowser();
const { user: say } = wordsIn('de');

it('where administrators change plans users are told whom to ask, and offered no plan', async () => {
  const { client } = await newUser(system.url);
  const { page, complaints } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto('/');
  await page.getByText(say('proxies.empty.ask'), { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: say('dashboard.start') }).count()).toBe(0);
  await page.getByRole('link', { name: say('plan.show') }).click();
  await page.getByText(say('plan.closed.text'), { exact: true }).waitFor();
  const link = page.getByRole('link', { name: say('plan.closed.support') });
  expect(await link.getAttribute('href')).toBe(support);
  expect(
    await page
      .getByRole('list', { name: say('plan.all') })
      .getByRole('button')
      .count(),
  ).toBe(0);
  const refused = await client.fail('POST /api/user/subscription', { planId: 'enterprise' });
  expect(refused).toMatchObject({ status: 403, error: { code: 'plan_changes_closed' } });
  expect(complaints).toEqual([]);
});
