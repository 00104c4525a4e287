import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.ts';
import { type Client, newUser, proxyInput } from '../kit/client.ts';
import { wordsIn } from '../kit/panel/words.ts';
import { useTalpa } from '../kit/system.ts';

const system = useTalpa();
const browser = useBrowser();
const { user: say, proxy: sayProxy, kit: sayKit, settings: saySettings } = wordsIn('de');

let client: Client;
beforeAll(async () => {
  ({ client } = await newUser(system.url, 'enterprise'));
});

async function open(path: string, as = client): Promise<Page> {
  const { page } = await browser.open(system.url, { reducedMotion: 'reduce' });
  const [name = '', value = ''] = as.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}
const newProxy = async () => (await client.call('POST /api/tunnel-configs', proxyInput())).proxy;
type Proxy = Awaited<ReturnType<typeof newProxy>>;
const stored = (id: number) => client.call('GET /api/tunnel-configs/:id', { id });
const rename = ({ id, serverIP, adminPort, customUrl }: Proxy, serverName: string) =>
  client.call('PUT /api/tunnel-configs/:id', { id, serverName, serverIP, adminPort, customUrl });

const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true }).first();
const dialogOf = (page: Page) => page.getByRole('dialog').last();
const fieldOf = (page: Page, name: 'serverName' | 'adminPort') =>
  dialogOf(page).getByLabel(sayProxy(`field.${name}`), { exact: true });
const closed = (page: Page) => expect.poll(() => page.getByRole('dialog').count()).toBe(0);
async function edit(page: Page, name: string) {
  await button(page, say('proxies.action', { action: say('proxies.edit'), name })).click();
  await fieldOf(page, 'serverName').waitFor();
}
const cancel = (page: Page) => button(dialogOf(page), sayKit('cancel')).click();

describe('leaving a form', () => {
  it.each(['the edit form of a proxy', 'the new password'])(
    'asks however soon one goes back after typing: %s',
    async (form) => {
      const proxy = await newProxy();
      const page = await open('/');
      const isDialog = form === 'the edit form of a proxy';
      const entry = page.getByRole('link', { name: isDialog ? 'Proxys' : 'Einstellungen', exact: true });
      await entry.first().click();
      const field = isDialog
        ? fieldOf(page, 'serverName')
        : page.getByLabel(saySettings('password.new'), { exact: true });
      if (isDialog) await edit(page, proxy.serverName);
      await field.waitFor();
      // In one task: nothing of what was typed has been drawn when the page is left.
      await page.evaluate(`(() => {
        const input = document.getElementById('${isDialog ? 'serverName' : 'newPassword'}');
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
        set.call(input, 'eben getippt');
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        document.querySelector('nav a[href="/"]').click();
      })()`);
      await button(page, sayKit('leave.stay')).click();
      expect(await field.inputValue()).toBe('eben getippt');
      expect(new URL(page.url()).pathname).not.toBe('/');
    },
  );
});
