import { randomUUID } from 'node:crypto';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { button, closed, dialogOf, edit, fieldOf, useSharedForms } from '@talpa/test-kit/panel/forms';
import { wordsIn } from '@talpa/test-kit/panel/words';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const { system, open, newProxy, stored } = useSharedForms();
const { user: say, proxy: sayProxy, kit: sayKit, shell: sayShell } = wordsIn('de');

const asked = '**/api/subdomain-availability*';
/** One that no other test takes. */
const newLabel = () => `adr-${randomUUID().slice(0, 8)}`;
const preview = (page: Page) =>
  dialogOf(page)
    .locator('p')
    .filter({ hasText: sayProxy('field.address') });
const previewSays = (page: Page, ...texts: readonly string[]) =>
  expect.poll(() => preview(page).textContent()).toBe([sayProxy('field.address'), ...texts].join('').trim());
const errors = (page: Page) => dialogOf(page).locator('.ant-form-item-explain-error').allTextContents();
const send = (page: Page) => button(dialogOf(page), say('create.submit')).click();
const add = (page: Page) => button(page, say('proxies.add')).click();
const takenText = (label: string) => `Die Subdomain „${label}“ ist bereits vergeben. Wählen Sie eine andere.`;
const hostOf = (label: string) => `${label}.${system.talpa.tunnelDomain}`;

describe('the address in a proxy’s form', () => {
  it('is said to be free or taken while one types, as it is taken and given back', async () => {
    const label = newLabel();
    const { client: owner } = await newUser(system.url, 'basic');
    const page = await open('/tunnel-configuration', { as: owner });
    // In another tab: what somebody else gives back stays theirs for a week.
    const take = async () =>
      (await owner.call('POST /api/tunnel-configs', { ...proxyInput(), customUrl: label })).proxy;
    const retype = async () => {
      await fieldOf(page, 'customUrl').fill(newLabel());
      await expect.poll(() => preview(page).textContent()).not.toContain(label);
      await fieldOf(page, 'customUrl').fill(label);
    };
    await add(page);
    await fieldOf(page, 'customUrl').fill(label);
    await previewSays(page, hostOf(label), ` ${sayProxy('address.free')}`);
    const { id } = await take();
    await retype();
    await previewSays(page, hostOf(label), ` ${sayProxy('address.taken')}`);
    await owner.call('DELETE /api/tunnel-configs/:id', { id });
    await expect
      .poll(async () => {
        await retype();
        return preview(page)
          .getByText(/Verfügbar|vergeben/)
          .textContent();
      })
      .toContain(sayProxy('address.free'));
    // Taken after it was said to be free: the server decides, and the preview learns of it.
    await take();
    await fieldOf(page, 'serverName').fill('Mein Server');
    await send(page);
    await expect.poll(() => errors(page)).toEqual([takenText(label)]);
    await previewSays(page, hostOf(label), ` ${sayProxy('address.taken')}`);
    await fieldOf(page, 'customUrl').fill(`${label}-2`);
    await send(page);
    await page.getByRole('dialog', { name: say('create.title') }).waitFor({ state: 'detached' });
    const made = await owner.call('GET /api/tunnel-configs', {});
    expect(new Set(made.map(({ cfDomain }) => cfDomain))).toEqual(
      new Set([hostOf(label), hostOf(`${label}-2`)]),
    );
  });

  it('that is taken is shown together with every other faulty field, in create and edit', async () => {
    const taken = await newProxy();
    const { client: stranger } = await newUser(system.url, 'basic');
    const { proxy } = await stranger.call('POST /api/tunnel-configs', proxyInput());
    const page = await open('/tunnel-configuration', { as: stranger });
    const label = taken.cfDomain.split('.')[0] ?? '';
    for (const form of ['create', 'edit'] as const) {
      if (form === 'create') await add(page);
      else await edit(page, { of: proxy.serverName });
      await fieldOf(page, 'serverName').fill('');
      await fieldOf(page, 'adminPort').fill('70000');
      await fieldOf(page, 'customUrl').fill(label);
      await button(
        dialogOf(page),
        form === 'create' ? say('create.submit') : sayProxy('edit.submit'),
      ).click();
      await expect
        .poll(() => errors(page))
        .toEqual(['Server-Name ist erforderlich', 'Port muss zwischen 1 und 65535 liegen', takenText(label)]);
      await fieldOf(page, 'customUrl').fill(newLabel());
      await expect.poll(() => errors(page)).toHaveLength(2);
      await page.reload();
      await closed(page);
    }
  });

  it('is not asked about when it is the proxy’s own, and only for what was typed last', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    const held: Route[] = [];
    await page.route(asked, (route) => void held.push(route));
    const cancelled: string[] = [];
    // Not what else the page gives up, its event stream say.
    const isAsked = (url: string) => url.includes('/subdomain-availability');
    page.on('requestfailed', (request) => void (isAsked(request.url()) && cancelled.push(request.url())));
    const askedFor = () => held.map((route) => new URL(route.request().url()).searchParams.get('subdomain'));
    const [first, last] = [newLabel(), newLabel()];
    await edit(page);
    await previewSays(page, proxy.cfDomain);
    await fieldOf(page, 'customUrl').fill(first);
    await expect.poll(askedFor).toEqual([first]);
    await fieldOf(page, 'customUrl').fill(last);
    await expect.poll(askedFor).toEqual([first, last]);
    await expect.poll(() => cancelled).toHaveLength(1);
    await held[1]?.fulfill({ json: { availability: 'taken' } });
    await previewSays(page, hostOf(last), ` ${sayProxy('address.taken')}`);
    // Back to what it was: nothing to ask, nothing to say.
    await fieldOf(page, 'customUrl').fill(proxy.customUrl ?? '');
    await previewSays(page, proxy.cfDomain);
    // Closed while a question is open.
    await fieldOf(page, 'customUrl').fill(first);
    await expect.poll(askedFor).toEqual([first, last, first]);
    await page.keyboard.press('Escape');
    await button(page, sayKit('leave.confirm')).click();
    await closed(page);
    await expect.poll(() => cancelled).toHaveLength(2);
  });

  it.each([
    ['create', 'another user'],
    ['create', 'the same user in another tab'],
    ['edit', 'another user'],
    ['edit', 'the same user in another tab'],
  ])(
    'called free in the %s form and then taken by %s is refused at its field, changing nothing',
    async (form, taker) => {
      const { client } = await newUser(system.url, 'basic');
      const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
      const label = newLabel();
      const page = await open('/tunnel-configuration', { as: client });
      const sent: string[] = [];
      page.on('request', (request) => {
        if (['POST', 'PUT'].includes(request.method())) sent.push(request.method());
      });
      if (form === 'create') await add(page);
      else await edit(page, { of: proxy.serverName });
      await fieldOf(page, 'serverName').fill('Meiner');
      await fieldOf(page, 'customUrl').fill(label);
      await previewSays(page, hostOf(label), ` ${sayProxy('address.free')}`);

      const other = taker === 'another user' ? (await newUser(system.url, 'basic')).client : client;
      await other.call('POST /api/tunnel-configs', { ...proxyInput('Anderer'), customUrl: label });

      const submit = form === 'create' ? say('create.submit') : sayProxy('edit.submit');
      await button(dialogOf(page), submit).click();
      await expect.poll(() => errors(page)).toEqual([takenText(label)]);
      await previewSays(page, hostOf(label), ` ${sayProxy('address.taken')}`);
      expect(await fieldOf(page, 'serverName').inputValue()).toBe('Meiner');
      expect(sent).toEqual([form === 'create' ? 'POST' : 'PUT']);
      const mine = await client.call('GET /api/tunnel-configs', {});
      expect(mine.filter(({ serverName }) => serverName !== 'Anderer')).toEqual([proxy]);
      expect(mine).toHaveLength(taker === 'another user' ? 1 : 2);
    },
  );

  it.each(['slow', 'failing'])('is sent as ever while the response about it is %s', async (response) => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    let questions = 0;
    await page.route(asked, async (route) => {
      questions += 1;
      if (response === 'failing') await route.fulfill({ status: 503, json: { code: 'service_unavailable' } });
    });
    const label = newLabel();
    await edit(page);
    await fieldOf(page, 'customUrl').fill(label);
    await expect.poll(() => questions).toBeGreaterThan(0);
    await previewSays(page, hostOf(label));
    await button(dialogOf(page), sayProxy('edit.submit')).click();
    await closed(page);
    expect((await stored(proxy.id)).cfDomain).toBe(hostOf(label));
  });
});

describe('the address in a list', () => {
  it.each([1280, 1600])(
    'takes two lines at most and hides only the end of a long subdomain (%i px)',
    async (width) => {
      const { client: owner } = await newUser(system.url, 'basic');
      const create = (customUrl: string) =>
        owner.call('POST /api/tunnel-configs', { ...proxyInput(), customUrl });
      const ordinary = (await create(`rp-${randomUUID().slice(0, 12)}`)).proxy.cfDomain;
      const longest = (await create(`${randomUUID()}-${randomUUID()}`.slice(0, 63))).proxy.cfDomain;
      const page = await open('/tunnel-configuration', {
        as: owner,
        device: { viewport: { width, height: 800 } },
      });
      const toggle = page.getByRole('button', { name: sayShell('layout.expand') });
      if ((await toggle.count()) > 0) await toggle.click();
      const link = (host: string) => page.getByRole('table').getByRole('link', { name: host });
      /** How many lines it takes, what of it is cut, and whether it stays in its cell. */
      const look = async (host: string) => {
        const shown = await page.evaluate(`(() => {
          const a = [...document.querySelectorAll('td a')].find((one) => one.textContent === '${host}');
          const [cell, box] = [a.closest('td'), a].map((one) => one.getBoundingClientRect());
          const isCut = (part) => part.scrollWidth > part.clientWidth;
          return {
            lines: Math.round(box.height / parseFloat(getComputedStyle(a).lineHeight)),
            cut: [...a.querySelectorAll('span')].filter(isCut).map((part) => part.textContent),
            isInside: box.right <= cell.right && box.left >= cell.left,
          };
        })()`);
        return shown as { lines: number; cut: string[]; isInside: boolean };
      };
      await link(ordinary).waitFor();
      expect(await look(ordinary)).toEqual({
        lines: expect.toSatisfy((n) => n <= 2),
        cut: [],
        isInside: true,
      });
      const seen = await look(longest);
      // The domain is always there.
      expect(seen).toEqual({ lines: 2, isInside: true, cut: [longest.split('.')[0]] });
      await link(longest).focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await page.getByRole('tooltip').getByText(longest, { exact: true }).waitFor();
    },
  );
});
