import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { ask } from '@talpa/test-kit/raw-http';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { requests: say, kit: sayKit } = wordsIn('de');

async function openAs(client: Client, path: string) {
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  await page.goto(path);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return { page, button, dialog: page.locator('[role=dialog]:visible') };
}

it('a request appears without a reload, says why it was refused and leads to the rule, and goes with the log', async () => {
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  await client.call('PUT /api/tunnel-configs/:id/access', {
    id: proxy.id,
    policy: {
      ...{ kind: 'rules', otherwise: 'allow' },
      rules: [{ action: 'deny', match: { by: 'path', path: '/admin' }, expiresAt: null }],
    },
  });
  const path = `/tunnel-configuration/${proxy.id}?tab=requests`;
  const [tab, other] = [await openAs(client, path), await openAs(client, path)];
  for (const { page } of [tab, other]) await page.getByText(say('empty'), { exact: true }).waitFor();
  const port = system.talpa.edge?.visitorPort ?? 0;
  await ask({ port, host: proxy.cfDomain, path: '/admin' });
  await ask({ port, host: proxy.cfDomain, path: '/=cmd?token=secret' });
  for (const { page } of [tab, other]) await page.getByText('/=cmd', { exact: true }).waitFor();
  expect(await tab.page.content()).not.toContain('secret');

  // Two hours later it is no request of the last hour.
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`update stats.requests set at = at - interval '2 hours' where path = '/=cmd'`;
  const filtered = await openAs(client, `${path}&since=hour`);
  await filtered.page.getByLabel(say('filter.since'), { exact: true }).click();
  expect(await filtered.page.getByText('/=cmd').count()).toBe(0);
  await filtered.page.getByTitle(say('filter.since.day'), { exact: true }).click();
  await filtered.page.getByText('/=cmd', { exact: true }).waitFor();

  await tab.button(say('details.of', { request: 'GET /=cmd' })).click();
  await tab.dialog.getByText(say('why.no_connector')).waitFor();
  await tab.page.keyboard.press('Escape');
  await tab.dialog.waitFor({ state: 'hidden' });
  await tab.button(say('details.of', { request: 'GET /admin' })).click();
  await tab.dialog.getByText(say('details.rule', { rule: 1 })).waitFor();
  await tab.dialog.getByRole('link', { name: say('details.toRule'), exact: true }).click();
  await tab.page.locator('li:focus', { hasText: '/admin' }).waitFor();
  await tab.page.goBack();
  // More than fit on a page: all of them are downloaded, also from the second one.
  await sql`
    insert into stats.requests (proxy_id, request_id, at, method, path, status, duration, bytes_in, bytes_out, network, agent)
    select proxy_id, gen_random_uuid(), at - interval '1 hour', method, '/older', 200, 1, 0, 0, network, agent
    from stats.requests, generate_series(1, 60) where path = '/=cmd'`;
  await sql.end();
  await tab.page.reload();
  await tab.button(sayKit('list.next')).click();
  await until('the second page', async () => tab.page.url().includes('cursor='));
  const download = tab.page.waitForEvent('download');
  await tab.button(say('csv')).click();
  const stream = await (await download).createReadStream();
  const csv = (await stream.toArray()).join('');
  expect(csv).toMatch(/^at,method,path,.*\r\n.*,GET,\/admin,403,.*\r\n.*,GET,\/=cmd,503,/);
  expect(csv.match(/\/older/g)).toHaveLength(60);

  await tab.button(say('change')).click();
  await tab.dialog.getByRole('radio', { name: say('mode.off') }).check();
  await tab.dialog.getByText(say('change.loss', { count: '2' })).waitFor();
  await tab.dialog.getByRole('button', { name: say('change.submit'), exact: true }).click();
  for (const { page } of [tab, other]) {
    await page.getByText(say('text.off'), { exact: true }).waitFor();
    await until('the entry to be gone', async () => (await page.getByText('/=cmd').count()) === 0);
  }
});
