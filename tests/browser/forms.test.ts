import { randomUUID } from 'node:crypto';
import type { ProxyConfig, ProxyEntry } from '@talpa/contracts';
import { newUser } from '@talpa/test-kit/client';
import {
  button,
  cancel,
  closed,
  dialogOf,
  edit,
  fieldOf,
  inRowMenu,
  useSharedForms,
} from '@talpa/test-kit/panel/forms';
import { wordsIn } from '@talpa/test-kit/panel/words';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { typedEntries } from './walk/records.ts';

const { system, user, admin, open, newProxy, stored, rename } = useSharedForms();
const { user: say, proxy: sayProxy, admin: sayAdmin, kit: sayKit } = wordsIn('de');

const values = (page: Page) => Promise.all(typedEntries.map((name) => fieldOf(page, name).inputValue()));
const valuesOf = (proxy: ProxyConfig) => typedEntries.map((name) => String(proxy[name] ?? ''));
const save = (page: Page) => button(dialogOf(page), sayProxy('edit.submit')).click();
const type = (page: Page, field: ProxyEntry, text: string) => fieldOf(page, field).fill(text);

const limitOf = (page: Page) => dialogOf(page).getByLabel(sayAdmin('form.limit'), { exact: true });

describe('an edit form', () => {
  it.each([
    ['of a user', '/tunnel-configuration', user],
    ['of an administrator', '/admin/tunnel?sort=-createdAt', admin],
  ] as const)('%s holds the record it was opened for, whichever was open before', async (_who, path, as) => {
    const [one, other] = [await newProxy(), await newProxy()];
    const page = await open(path, { as: as() });
    for (const proxy of [one, other, one]) {
      await edit(page, { of: proxy.serverName });
      expect(await values(page)).toEqual(valuesOf(proxy));
      // Nothing was typed: closing does not ask.
      await cancel(page);
      await closed(page);
    }
    await edit(page, { of: other.serverName });
    await type(page, 'adminPort', '30120');
    await save(page);
    await closed(page);
    expect(await stored(other.id)).toMatchObject({ serverName: other.serverName, adminPort: 30_120 });
    expect(await stored(one.id)).toMatchObject({ serverName: one.serverName, adminPort: one.adminPort });
  });

  it('holds what was saved before, on the list and on the proxy’s own page', async () => {
    const proxy = await newProxy();
    const renamed = `${proxy.serverName} neu`;
    const list = await open('/tunnel-configuration');
    await edit(list, { of: proxy.serverName });
    await type(list, 'serverName', renamed);
    await save(list);
    await closed(list);
    await edit(list, { of: renamed });
    expect(await values(list)).toEqual(valuesOf({ ...proxy, serverName: renamed }));

    const page = await open(`/tunnel-configuration/${proxy.id}`);
    for (const port of ['4001', '4002']) {
      await edit(page);
      await type(page, 'adminPort', port);
      await save(page);
      await closed(page);
    }
    await edit(page);
    expect(await values(page)).toEqual(valuesOf({ ...proxy, serverName: renamed, adminPort: 4002 }));
    expect(await stored(proxy.id)).toMatchObject({ serverName: renamed, adminPort: 4002 });
  });

  it('of a user’s account holds the account it was opened for', async () => {
    const made = [await newUser(system.url, 'basic'), await newUser(system.url)];
    const users = await Promise.all(made.map((one) => one.client.call('GET /api/user', {})));
    const page = await open('/admin/users?sort=-createdAt', { as: admin() });
    for (const user of [...users, ...users]) {
      await button(page, sayAdmin('action', { action: sayAdmin('edit'), name: user.username })).click();
      const username = dialogOf(page).getByLabel(sayAdmin('form.username'), { exact: true });
      await username.waitFor();
      expect(await username.inputValue()).toBe(user.username);
      expect(await limitOf(page).inputValue()).toBe(String(user.proxyLimit));
      await cancel(page);
      await closed(page);
    }
  });

  it('that nobody has typed in follows a change made elsewhere, and says so', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    await edit(page);
    await rename(proxy, `${proxy.serverName} 2`);
    await dialogOf(page).getByText(sayKit('conflict.followed')).waitFor();
    expect(await values(page)).toEqual(valuesOf({ ...proxy, serverName: `${proxy.serverName} 2` }));
    await cancel(page);
    await closed(page);
  });

  it('sent twice in one tick, and again while that is under way, is sent once; refused, it may be sent again', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    const sent: string[] = [];
    const hold = Promise.withResolvers<void>();
    await page.route('**/api/tunnel-configs/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      sent.push(route.request().postData() ?? '');
      if (sent.length === 1) {
        await hold.promise;
        return route.fulfill({ status: 503, json: { code: 'service_unavailable', message: 'Später' } });
      }
      return route.continue();
    });
    const sendTwice = () =>
      dialogOf(page).evaluate((dialog) => {
        const form = dialog.querySelector('form');
        form?.requestSubmit();
        form?.requestSubmit();
      });
    await edit(page);
    await type(page, 'adminPort', '5010');
    await sendTwice();
    await expect.poll(() => sent.length).toBe(1);
    // Still once, while the first is under way.
    await sendTwice();
    hold.resolve();
    await expect.poll(() => button(dialogOf(page), sayProxy('edit.submit')).isEnabled()).toBe(true);
    expect(sent).toHaveLength(1);
    await sendTwice();
    await closed(page);
    expect(sent).toHaveLength(2);
    expect(await stored(proxy.id)).toMatchObject({ adminPort: 5_010 });
  });

  it('is not the only one: a confirmation pressed twice in one tick counts once', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}?tab=settings`);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent += 1;
    });
    await button(page, sayProxy('action.delete')).click();
    await button(dialogOf(page), sayProxy('delete.confirm')).evaluate((confirm: { click(): void }) => {
      confirm.click();
      confirm.click();
    });
    await closed(page);
    await page.getByText(sayProxy('delete.done'), { exact: true }).waitFor();
    expect(sent).toBe(1);
  });

  it('says that its record was deleted elsewhere, and saves nothing any more', async () => {
    const proxy = await newProxy();
    const page = await open('/tunnel-configuration');
    await edit(page, { of: proxy.serverName });
    await type(page, 'adminPort', '5005');
    await user().call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    await dialogOf(page).getByText(sayKit('gone.title')).waitFor();
    expect(await button(dialogOf(page), sayProxy('edit.submit')).isDisabled()).toBe(true);
    // The field that had the focus is disabled now.
    await expect.poll(() => dialogOf(page).locator(':focus').count()).toBe(1);
    // What was typed is lost already: closing does not ask.
    await cancel(page);
    await closed(page);
  });

  it('asks nothing any more about what was deleted elsewhere', async () => {
    const proxy = await newProxy();
    const page = await open('/tunnel-configuration');
    const name = sayProxy('action', { action: sayProxy('action.delete'), name: proxy.serverName });
    await button(page, name).click();
    await button(dialogOf(page), sayProxy('delete.confirm')).waitFor();
    await user().call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    await closed(page);
    await page.getByText(sayKit('gone.title'), { exact: true }).waitFor();

    const { client: somebody } = await newUser(system.url);
    const { id, username } = await somebody.call('GET /api/user', {});
    const users = await open('/admin/users?sort=-createdAt', { as: admin() });
    await button(users, sayAdmin('action', { action: sayAdmin('delete'), name: username })).click();
    await button(dialogOf(users), sayAdmin('delete.confirm')).waitFor();
    await admin().call('DELETE /api/admin/users/:id', { id });
    await closed(users);
    await users.getByText(sayKit('gone.title'), { exact: true }).waitFor();

    const blocked = await newProxy();
    await admin().call('POST /api/admin/tunnel-configs/:id/suspension', { id: blocked.id, reason: 'Grund' });
    const all = await open('/admin/tunnel?sort=-createdAt', { as: admin() });
    await (await inRowMenu(all, blocked.serverName, 'lift')).click();
    await button(dialogOf(all), sayProxy('lift.confirm')).waitFor();
    await user().call('DELETE /api/tunnel-configs/:id', { id: blocked.id });
    await closed(all);
    await all.getByText(sayKit('gone.title'), { exact: true }).waitFor();
  });

  it('does not ask to lift a suspension that another administrator has lifted', async () => {
    const proxy = await newProxy();
    await admin().call('POST /api/admin/tunnel-configs/:id/suspension', { id: proxy.id, reason: 'Grund' });
    const all = await open('/admin/tunnel?sort=-createdAt', { as: admin() });
    await (await inRowMenu(all, proxy.serverName, 'lift')).click();
    await button(dialogOf(all), sayProxy('lift.confirm')).waitFor();
    await admin().call('DELETE /api/admin/tunnel-configs/:id/suspension', { id: proxy.id });
    await closed(all);
    await all.getByText(sayProxy('lift.alreadyDone'), { exact: true }).waitFor();

    const { client: somebody } = await newUser(system.url);
    const { id, username } = await somebody.call('GET /api/user', {});
    await admin().call('POST /api/admin/users/:id/suspension', { id, reason: 'Grund' });
    const users = await open('/admin/users?sort=-createdAt', { as: admin() });
    await button(users, sayAdmin('action', { action: sayAdmin('users.lift'), name: username })).click();
    await button(dialogOf(users), sayAdmin('lift.confirm')).waitFor();
    await admin().call('DELETE /api/admin/users/:id/suspension', { id });
    await closed(users);
    await users.getByText(sayAdmin('lift.alreadyDone'), { exact: true }).waitFor();
  });

  it.each([true, false])(
    'lets the user choose when the record has changed elsewhere (notified: %s)',
    async (isLive) => {
      const proxy = await newProxy();
      const page = await open('/tunnel-configuration', { isLive });
      await edit(page, { of: proxy.serverName });
      await type(page, 'adminPort', '5001');
      await rename(proxy, `${proxy.serverName} A`);
      // A page that is not notified learns of it by saving, which changes nothing then.
      if (!isLive) await save(page);
      await dialogOf(page).getByText(sayKit('conflict.title')).waitFor();
      await save(page);
      const mine = button(dialogOf(page), sayKit('conflict.mine'));
      await mine.waitFor();
      expect(await stored(proxy.id)).toMatchObject({ adminPort: proxy.adminPort });
      await mine.click();
      expect(await values(page)).toEqual(
        valuesOf({ ...proxy, serverName: `${proxy.serverName} A`, adminPort: 5001 }),
      );
      await save(page);
      await closed(page);
      expect(await stored(proxy.id)).toMatchObject({ serverName: `${proxy.serverName} A`, adminPort: 5001 });

      await edit(page, { of: `${proxy.serverName} A` });
      await type(page, 'adminPort', '5002');
      await rename({ ...proxy, adminPort: 5001 }, `${proxy.serverName} B`);
      if (!isLive) await save(page);
      await button(dialogOf(page), sayKit('conflict.theirs')).click();
      expect(await values(page)).toEqual(
        valuesOf({ ...proxy, serverName: `${proxy.serverName} B`, adminPort: 5001 }),
      );
      await cancel(page);
      await closed(page);
    },
  );
});

describe('what a form says of faulty fields', () => {
  it('covers all of them at once, and goes when a field is corrected', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    await edit(page);
    await type(page, 'serverName', '');
    await type(page, 'serverIP', 'http://10.0.0.1/');
    await type(page, 'adminPort', '70000');
    await type(page, 'customUrl', 'www');
    await save(page);
    const errors = dialogOf(page).locator('.ant-form-item-explain-error');
    await expect
      .poll(() => errors.allTextContents())
      .toEqual([
        'Server-Name ist erforderlich',
        'Geben Sie eine IP-Adresse oder einen Hostnamen ohne http://, Port und Pfad ein',
        'Port muss zwischen 1 und 65535 liegen',
        expect.stringContaining('reserviert'),
      ]);
    await type(page, 'serverName', 'Server');
    await type(page, 'serverIP', '10.0.0.1');
    await type(page, 'adminPort', '7000');
    await type(page, 'customUrl', `s-${randomUUID()}`);
    await expect.poll(() => errors.count()).toBe(0);
    await save(page);
    await closed(page);
  });

  it('names a taken subdomain once, at its field, until the name that leads to it is corrected', async () => {
    const proxy = await newProxy();
    const { client: stranger } = await newUser(system.url, 'basic');
    const page = await open('/tunnel-configuration', { as: stranger });
    await button(page, say('proxies.add')).click();
    await type(page, 'serverName', proxy.serverName);
    await button(dialogOf(page), say('create.submit')).click();
    const taken = page.getByText(/ist bereits vergeben/);
    await taken.waitFor();
    expect(await taken.count()).toBe(1);
    await type(page, 'serverName', `${proxy.serverName}-anders`);
    await expect.poll(() => taken.count()).toBe(0);
  });

  it('shows the address that results, and on a move the old and the new one', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    const domain = proxy.cfDomain.slice(proxy.cfDomain.indexOf('.'));
    await edit(page);
    const address = dialogOf(page)
      .locator('p')
      .filter({ hasText: sayProxy('field.address') });
    await expect.poll(() => address.textContent()).toContain(proxy.cfDomain);
    const long = `${randomUUID()}-${randomUUID()}`;
    await type(page, 'customUrl', `-${long}-`);
    const result = `${long.slice(0, 63)}${domain}`;
    await expect.poll(() => address.textContent()).toContain(result);
    const warning = dialogOf(page)
      .getByRole('alert')
      .filter({ hasText: sayProxy('edit.moves') });
    await expect.poll(() => warning.textContent()).toContain(proxy.cfDomain);
    await expect.poll(() => warning.textContent()).toContain(result);
    await save(page);
    await closed(page);
    await expect.poll(async () => (await stored(proxy.id)).cfDomain).toBe(result);
  });

  it('refuses limits below 0 and fractions instead of changing them, and an empty password as missing', async () => {
    const page = await open('/admin/users', { as: admin() });
    await button(page, sayAdmin('users.create')).click();
    const limit = limitOf(page);
    const errors = dialogOf(page).locator('.ant-form-item-explain-error');
    for (const [typed, error] of [
      ['-3', 'Proxy-Limit muss mindestens 0 sein'],
      ['1.5', 'Bitte geben Sie eine ganze Zahl ein'],
    ] as const) {
      await limit.fill(typed);
      await button(dialogOf(page), sayAdmin('form.create')).click();
      await expect
        .poll(() => errors.allTextContents())
        .toEqual([expect.any(String), 'Dieses Feld ist erforderlich', error]);
      expect(await limit.inputValue()).toBe(typed);
    }
  });
});
