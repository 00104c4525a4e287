import type { ProxyConfig, ProxyEntry } from '@talpa/contracts';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { useSharedBrowser } from '../browser.ts';
import { type Client, newUser, proxyInput } from '../client.ts';
import { carrySession } from '../signed-in.ts';
import { useSharedTalpa } from '../system.ts';
import { heading } from './heading.ts';
import { wordsIn } from './words.ts';

const { proxy: sayProxy, kit: sayKit } = wordsIn('de');

interface Opening {
  /** The user with room for many proxies when left out. */
  readonly as?: Client;
  readonly device?: BrowserContextOptions;
  /** Whether the page is notified of changes made elsewhere; true when left out. */
  readonly isLive?: boolean;
}

/** A panel with a user who has room for many proxies, an administrator, and pages that one of them has open. */
export function useSharedForms() {
  const system = useSharedTalpa();
  const browser = useSharedBrowser();
  let user: Client;
  let admin: Client;
  beforeAll(async () => {
    user = (await newUser(system.url, 'enterprise')).client;
    admin = await system.admin();
  });
  return {
    system,
    user: () => user,
    admin: () => admin,
    open: async (path: string, { as = user, device = {}, isLive = true }: Opening = {}): Promise<Page> => {
      const { page } = await browser.open(system.url, device);
      await carrySession(page, as);
      if (!isLive) await page.route('**/api/events', (route) => route.abort());
      await page.goto(path);
      await heading(page).waitFor();
      return page;
    },
    newProxy: async () => {
      const input = { ...proxyInput(), serverIP: '10.0.0.7' };
      return (await user.call('POST /api/tunnel-configs', input)).proxy;
    },
    stored: (id: number) => user.call('GET /api/tunnel-configs/:id', { id }),
    /** Changes its name elsewhere. */
    rename: ({ id, serverIP, adminPort, customUrl }: ProxyConfig, serverName: string) =>
      user.call('PUT /api/tunnel-configs/:id', { id, serverName, serverIP, adminPort, customUrl }),
  };
}

export const button = (at: Page | Locator, name: string | RegExp) =>
  at.getByRole('button', { name, exact: true }).first();
/** Opens the menu of a proxy's row, and gives one of its actions. */
export async function inRowMenu(page: Page, proxyName: string, action: 'recreate' | 'suspend' | 'lift') {
  await button(page, sayProxy('action', { action: sayProxy('action.more'), name: proxyName })).click();
  return page.getByRole('menuitem', { name: sayProxy(`action.${action}`) });
}
/** The upper one of two. */
export const dialogOf = (page: Page) => page.getByRole('dialog').last();
/** A field of a proxy's form. */
export const fieldOf = (page: Page, name: ProxyEntry) =>
  dialogOf(page).getByLabel(sayProxy(`field.${name}`), { exact: true });
/** Until no dialog is open. */
export const closed = (page: Page) => expect.poll(() => page.getByRole('dialog').count()).toBe(0);
export const cancel = (page: Page) => button(dialogOf(page), sayKit('cancel')).click();
/** Opens the form of a proxy by its row's button, or by the one on its own page. */
export async function edit(page: Page, { of }: { readonly of?: string } = {}): Promise<void> {
  const action = sayProxy('action.edit');
  await button(page, of === undefined ? action : sayProxy('action', { action, name: of })).click();
  await fieldOf(page, 'serverName').waitFor();
}
