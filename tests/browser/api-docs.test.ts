import { useBrowser } from '@talpa/test-kit/browser';
import { signedSession, useGateways } from '@talpa/test-kit/gateway';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it } from 'vitest';

const test = useStores();
const gateways = useGateways(() => test.stores);
// Swagger UI reads the whole document before it shows a line: seconds of one core.
const browser = useBrowser([]);

it('lets one try the API, with nothing from elsewhere and nothing its policy forbids', async () => {
  const app = await gateways.start();
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  const actor = { userId: 7, isAdmin: false, sessionId: '00000000-0000-4000-8000-000000000007' };
  const login = await gateways.play('auth.login', () => ({
    body: '{"username":"mole"}',
    headers: { 'Effect-Session': signedSession(actor) },
  }));

  const { page, complaints } = await browser.open(base);
  await page.goto('/api/docs');
  await page.locator('#operations-tag-login').click();
  const operation = page.locator('.opblock', { has: page.locator('[data-path="/api/login"]') });
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.locator('textarea').fill('{"username":"mole","password":"digging"}');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table', { hasText: '"username": "mole"' }).waitFor();

  expect(login[0]?.input).toEqual({ username: 'mole', password: 'digging' });
  expect((await page.context().cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }))).toEqual([
    { name: 'talpa_session', httpOnly: true },
    { name: 'talpa_device', httpOnly: true },
  ]);
  expect(complaints).toEqual([]);
});
