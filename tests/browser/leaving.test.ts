import { newUser, proxyInput } from '@talpa/test-kit/client';
import { button, cancel, closed, dialogOf, edit, fieldOf, useSharedForms } from '@talpa/test-kit/panel/forms';
import { wordsIn } from '@talpa/test-kit/panel/words';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const { system, open, newProxy, stored, rename } = useSharedForms();
const { user: sayUser, proxy: sayProxy, kit: sayKit, settings: saySettings } = wordsIn('de');

describe('a form whose record was changed elsewhere', () => {
  const focused = (page: Page) =>
    page.evaluate(`document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText`);

  it('says that the choice comes first when it is saved, and then leads back to a field', async () => {
    const proxy = await newProxy();
    const page = await open('/tunnel-configuration');
    const conflict = async (port: string, name: string) => {
      await edit(page, { of: (await stored(proxy.id)).serverName });
      await fieldOf(page, 'adminPort').fill(port);
      await rename(proxy, name);
      await dialogOf(page).getByText(sayKit('conflict.title')).waitFor();
    };
    const first = dialogOf(page)
      .getByRole('alert')
      .filter({ hasText: sayKit('conflict.first') });
    await conflict('6001', `${proxy.serverName} A`);
    expect(await first.count()).toBe(0);
    await button(dialogOf(page), sayProxy('edit.submit')).click();
    await first.waitFor();
    await expect.poll(() => focused(page)).toBe(sayKit('conflict.theirs'));
    await button(dialogOf(page), sayKit('conflict.mine')).click();
    await expect.poll(() => focused(page)).toBe(sayProxy('field.adminPort'));
    expect(await first.count()).toBe(0);
    await cancel(page);
    await button(page, sayKit('leave.confirm')).click();
    await closed(page);

    await conflict('6002', `${proxy.serverName} B`);
    await button(dialogOf(page), sayKit('conflict.theirs')).click();
    await expect.poll(() => focused(page)).toBe(sayProxy('field.serverName'));
    await cancel(page);
    await closed(page);
  });

  it('leads back to the field of the settings, whichever tab it is on', async () => {
    const { client: somebody } = await newUser(system.url);
    const page = await open('/settings', { as: somebody });
    const email = page.getByLabel(saySettings('email'), { exact: true });
    await email.fill('hier@example.org');
    await somebody.call('POST /api/user/preferences', { email: 'dort@example.org' });
    await page.getByText(sayKit('conflict.title')).waitFor();
    await page.getByRole('tab', { name: saySettings('tab.notifications') }).click();
    await page
      .getByRole('tabpanel', { name: saySettings('tab.notifications') })
      .getByRole('button', { name: saySettings('save') })
      .click();
    await page
      .getByRole('alert')
      .filter({ hasText: sayKit('conflict.first') })
      .waitFor();
    await button(page, sayKit('conflict.mine')).click();
    await expect.poll(() => focused(page)).toBe(saySettings('email'));
    expect(await email.inputValue()).toBe('hier@example.org');
  });
});

describe('a form that cannot be sent meanwhile', () => {
  it.each(['create', 'edit'] as const)('of %s says so while its owner is suspended', async (form) => {
    const { client: somebody, user } = await newUser(system.url, 'basic');
    const { proxy } = await somebody.call('POST /api/tunnel-configs', proxyInput());
    const page = await open('/tunnel-configuration', { as: somebody });
    if (form === 'edit') await edit(page, { of: proxy.serverName });
    else await button(page, sayUser('proxies.add')).click();
    await fieldOf(page, 'serverName').fill('Bleibt stehen');
    const admin = await system.admin();
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Phishing' });
    const said = dialogOf(page)
      .getByRole('alert')
      .filter({ hasText: sayProxy('stopped.text', { reason: 'Phishing' }) });
    await said.waitFor();
    const send = button(dialogOf(page), form === 'edit' ? sayProxy('edit.submit') : sayUser('create.submit'));
    expect(await send.isDisabled()).toBe(true);
    await admin.call('DELETE /api/admin/users/:id/suspension', { id: user.id });
    await said.waitFor({ state: 'detached' });
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(await fieldOf(page, 'serverName').inputValue()).toBe('Bleibt stehen');
  });

  it('says so while its proxy is suspended', async () => {
    const proxy = await newProxy();
    const page = await open('/tunnel-configuration');
    await edit(page, { of: proxy.serverName });
    const admin = await system.admin();
    await admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id: proxy.id, reason: 'Spam' });
    await dialogOf(page).getByText(sayProxy('stopped.proxy'), { exact: true }).waitFor();
    expect(await button(dialogOf(page), sayProxy('edit.submit')).isDisabled()).toBe(true);
  });
});

describe('leaving a form', () => {
  it.each(['the edit form of a proxy', 'the new password'])(
    'asks however soon the user goes back after typing: %s',
    async (form) => {
      const proxy = await newProxy();
      const page = await open('/');
      const isDialog = form === 'the edit form of a proxy';
      const entry = page.getByRole('link', { name: isDialog ? 'Proxys' : 'Einstellungen', exact: true });
      await entry.first().click();
      const field = isDialog
        ? fieldOf(page, 'serverName')
        : page.getByLabel(saySettings('password.new'), { exact: true });
      if (isDialog) await edit(page, { of: proxy.serverName });
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
