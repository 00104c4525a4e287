import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { plainChannel } from '@talpa/test-kit/requests/things';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { channels: say } = wordsIn('de');

describe('channels', () => {
  it('created, renamed, paused or deleted elsewhere show at once in an open tab', async () => {
    const { client } = await newUser(system.url);
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    await page.goto('/settings?tab=notifications');
    await page.getByText(say('channels.empty')).waitFor();

    const { channel } = await client.call('POST /api/user/channels', {
      ...{ kind: 'ntfy', name: 'Handy', topics: ['proxies'] },
      ...{ url: 'https://ntfy.example.com', topic: 'maulwurf' },
    });
    await page.getByText('Handy', { exact: true }).waitFor();

    const { id } = channel;
    await client.call('PUT /api/user/channels/:id', { id, name: 'Diensthandy', isPaused: true });
    await page.getByText('Diensthandy', { exact: true }).waitFor();
    await page.getByText(say('state.paused'), { exact: true }).waitFor();
    expect(await page.getByRole('switch', { name: say('on', { name: 'Diensthandy' }) }).isChecked()).toBe(
      false,
    );

    await client.call('DELETE /api/user/channels/:id', { id });
    await page.getByText(say('channels.empty')).waitFor();
  });

  it('list all that was sent to them, a page at a time', async () => {
    const { client } = await newUser(system.url);
    const { channel } = await client.call('POST /api/user/channels', plainChannel);
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`
      insert into notifications.deliveries (channel_id, notifications, state)
      select ${channel.id}, '[]', 'delivered' from generate_series(1, 30)`;
    await sql.end();
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    await page.goto('/settings?tab=notifications');
    await page.getByRole('button', { name: say('history.of', { name: plainChannel.name }) }).click();
    const sent = page.getByRole('dialog').getByRole('listitem');
    await expect.poll(() => sent.count()).toBe(25);
    const more = page.getByRole('button', { name: say('deliveries.more'), exact: true });
    await more.click();
    await expect.poll(() => sent.count()).toBe(30);
    expect(await more.count()).toBe(0);
  });

  it('of the installation are made on the administrators’ page, and changes elsewhere show at once', async () => {
    const client = await system.admin();
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    await page.goto('/admin/channels');
    const name = `Abrechnung ${randomUUID().slice(0, 8)}`;
    await page.getByRole('button', { name: say('create'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say('name'), { exact: true }).fill(name);
    const url = 'https://discord.com/api/webhooks/1/abc';
    await dialog.getByLabel(say('url.discord'), { exact: true }).fill(url);
    for (const topic of ['proxies', 'account', 'security', 'users'] as const)
      await dialog.getByRole('checkbox', { name: say(`topic.${topic}`), exact: true }).uncheck();
    await dialog.getByRole('button', { name: say('form.create'), exact: true }).click();
    await page.getByText(name, { exact: true }).first().waitFor();
    const mine = (await client.call('GET /api/admin/channels', {})).find((one) => one.name === name);
    expect(mine).toMatchObject({ kind: 'discord', topics: ['announcements'], host: 'discord.com' });
    await client.call('DELETE /api/admin/channels/:id', { id: mine?.id ?? 0 });
    await page.getByRole('button', { name: say('test.of', { name }) }).waitFor({ state: 'detached' });
  });
});
