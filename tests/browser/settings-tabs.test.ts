import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildPanel } from '../../launcher/build.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { settings, kit, apiKeys } = wordsIn('de');

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
}
const emailIn = (page: Page) => page.getByLabel(settings('email'), { exact: true });

describe('a tab whose code comes later', () => {
  /** The file of the API keys' panel: the one that has its texts. */
  const fileOfPanel = async () => {
    const { user: folder } = await buildPanel(() => {});
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const found = files.find((name) =>
      readFileSync(join(folder, name), 'utf8').includes('scope.proxies:read'),
    );
    expect(found).toBeDefined();
    return `**/${found}`;
  };

  it('opens for the first time without a connection', async () => {
    const { client } = await newUser(system.url);
    const { page } = await browser.open(system.url, { isFirstVisit: true });
    await carrySession(page, client);
    const loaded = page.waitForResponse(await fileOfPanel());
    await page.goto('/settings');
    await (await loaded).finished();
    await page.context().setOffline(true);
    await openTab(page, settings('tab.security'));
    await page.getByRole('heading', { name: apiKeys('keys'), exact: true }).waitFor();
  });

  it('shows inside it that the code does not load, keeps what was typed elsewhere, and tries again', async () => {
    const { client } = await newUser(system.url);
    const { page } = await browser.open(system.url);
    await carrySession(page, client);
    const file = await fileOfPanel();
    await page.route(file, (route) => route.abort());
    await page.goto('/settings');
    await emailIn(page).fill('erika@example.org');
    await openTab(page, settings('tab.security'));
    const retry = page.getByRole('button', { name: kit('error.retry'), exact: true });
    await retry.waitFor();
    await openTab(page, settings('tab.account'));
    expect(await emailIn(page).inputValue()).toBe('erika@example.org');
    await openTab(page, settings('tab.security'));
    await page.unroute(file);
    await retry.click();
    await page.getByRole('heading', { name: apiKeys('keys'), exact: true }).waitFor();
    await openTab(page, settings('tab.account'));
    expect(await emailIn(page).inputValue()).toBe('erika@example.org');
  });
});
