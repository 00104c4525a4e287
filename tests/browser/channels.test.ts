import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
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
});
