import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { useBrowser } from '@talpa/test-kit/browser';
import { Client, testPassword } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { testSettings, useSharedTalpa } from '@talpa/test-kit/system';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useBrowser([]);
const { shell } = wordsIn('de');
const network = '127.0.0.0/24';
/** A challenge for which 273 181 numbers are tried: others are solved sooner or later, as luck has it. */
const challenge = '18.registration-proof-008';
let sql: Sql;
beforeAll(async () => {
  sql = openDatabase(system.talpa.stores.adminUrl, 1);
});
afterEach(async () => {
  await sql`delete from auth.registrations where network = ${network}`;
  await sql`delete from auth.registration_challenges where challenge = ${challenge}`;
});
afterAll(() => sql.end());

it('a browser registers although many come from its network: it computes by itself, and says so', async () => {
  const many = Number(testSettings.REGISTRATION_PROOF_AFTER);
  await sql`insert into auth.registrations (network) select ${network} from generate_series(1, ${many})`;
  const username = `n${randomUUID().slice(0, 12)}`;
  const refused = await new Client(system.url).fail('POST /api/register', {
    username,
    password: testPassword,
  });
  expect(refused.error).toMatchObject({
    code: 'registration_proof_required',
    challenge: expect.stringMatching(/^18\./),
  });
  await sql`
    insert into auth.registration_challenges (challenge, network, expires_at)
    values (${challenge}, ${network}, now() + interval '10 minutes')`;
  const { page } = await browser.open(system.url);
  await page.route('**/api/register', async (route) => {
    const response = await route.fetch();
    const json = response.status() === 403 ? { ...(await response.json()), challenge } : undefined;
    await route.fulfill({ response, ...(json ? { json } : {}) });
  });
  await page.goto('/auth?tab=register');
  await page.getByRole('tab', { name: shell('auth.register'), exact: true }).click();
  const field = (label: string) => page.getByRole('tabpanel').getByLabel(label, { exact: true });
  await field(shell('auth.username')).fill(username);
  await field(shell('auth.password')).fill(testPassword);
  await field(shell('auth.confirmPassword')).fill(testPassword);
  await page.keyboard.press('Enter');
  const status = page.getByRole('status').filter({ hasText: shell('auth.proof') });
  await status.waitFor();
  expect(await page.getByRole('tabpanel').getByRole('alert').count()).toBe(0);
  await page.getByRole('heading', { name: username }).waitFor();
});
