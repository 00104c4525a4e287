import type { Page } from 'playwright-core';
import type { Client } from './client.ts';

/** Lets a page's browser have a client's session. */
export async function carrySession(page: Page, client: Client): Promise<void> {
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: client.base }]);
}
