import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';

const system = useTalpa({ EDGE_TCP_PORTS: '' });
const browser = useSharedBrowser();
const { gamePorts: say } = wordsIn('de');

it('a game port stays visible and can be removed after the operator has switched game ports off; a proxy without one shows nothing of them', async () => {
  const { client } = await newUser(system.url, 'premium');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const { proxy: other } = await client.call('POST /api/tunnel-configs', proxyInput());
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`
    insert into proxies.game_ports (proxy_id, proxy_uuid, user_id, public_port, target_host, target_port, preset, rules)
    select id, uuid, user_id, 25001, server_ip, 25565, 'minecraft', '{"kind":"open"}'
    from proxies.proxies where id = ${proxy.id}`;
  await sql.end();
  const { page } = await browser.open(system.url);
  await carrySession(page, client);
  const title = page.getByRole('heading', { name: say('title'), exact: true });
  const read = page.waitForResponse(`**/api/tunnel-configs/${other.id}/ports`);
  await page.goto(`/tunnel-configuration/${other.id}?tab=domains`);
  await read;
  await page.getByRole('heading', { name: wordsIn('de').domains('title'), exact: true }).waitFor();
  expect(await title.count()).toBe(0);

  await page.goto(`/tunnel-configuration/${proxy.id}?tab=domains`);
  await title.waitFor();
  const address = `${proxy.cfDomain}:25001`;
  await page.getByText(address, { exact: true }).waitFor();
  await page.getByText(say('state.off'), { exact: true }).waitFor();
  await page.getByText(say('problem.off'), { exact: true }).waitFor();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  expect(await button(say('add')).isDisabled()).toBe(true);
  expect(await button(say('edit.of', { address })).count()).toBe(0);
  await button(say('remove.of', { address })).click();
  await page
    .locator('[role=dialog]:visible')
    .getByRole('button', { name: say('remove.submit'), exact: true })
    .click();
  await page.getByText(say('remove.done'), { exact: true }).waitFor();
  await page.getByText(say('empty.off'), { exact: true }).waitFor();
  expect((await client.call('GET /api/tunnel-configs/:id/ports', { id: proxy.id })).ports).toEqual([]);
});
