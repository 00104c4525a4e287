import { randomUUID } from 'node:crypto';
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
import { movedButtonsOn, watchButtons } from '@talpa/test-kit/panel/still-buttons';
import { wordsIn } from '@talpa/test-kit/panel/words';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const { system, admin, open, newProxy } = useSharedForms();
const { user: say, proxy: sayProxy, admin: sayAdmin, kit: sayKit } = wordsIn('de');

describe('a dialog', () => {
  const focusedLabel = (page: Page) => page.evaluate(`document.activeElement.labels?.[0]?.innerText ?? ''`);

  it.each([
    ['mouse', {}],
    ['finger', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } }],
  ] as const)('begins at the first field that can be edited (%s)', async (_with, device) => {
    const proxy = await newProxy();
    const list = await open('/tunnel-configuration', { device });
    await button(list, say('proxies.add')).click();
    await expect.poll(() => focusedLabel(list)).toBe(sayProxy('field.serverName'));
    const page = await open(`/tunnel-configuration/${proxy.id}`, { as: admin(), device });
    await button(page, sayProxy('action.edit')).click();
    await expect.poll(() => focusedLabel(page)).toBe(sayProxy('field.serverName'));
    await page.keyboard.press('Escape');
    await closed(page);
    await button(page, sayProxy('action.suspend')).click();
    await expect.poll(() => focusedLabel(page)).toBe(sayKit('suspension.reason'));
  });

  it('that a double click opens has no text selected by it', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    await button(page, sayProxy('action.edit')).click();
    const text = page.getByRole('dialog').locator('.ant-modal-title');
    const { x, y } = (await text.boundingBox()) ?? { x: 0, y: 0 };
    const selected = () => page.evaluate('getSelection().toString()');
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await selected()).toBe('');
    // What stands in it can be selected all the same.
    await text.dblclick();
    expect(await selected()).not.toBe('');
  });

  it.each([
    [1280, 640],
    [768, 1024],
    [390, 664],
    [640, 400],
    [390, 420],
  ])('keeps title and buttons in sight, and its fields within reach, at %s x %s', async (width, height) => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`);
    await page.setViewportSize({ width, height });
    await edit(page);
    await fieldOf(page, 'customUrl').fill(`s-${randomUUID()}`);
    await dialogOf(page).getByText(sayProxy('edit.moves')).waitFor();
    const isInSight = async (one: Locator) => {
      const box = await one.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    };
    for (const name of ['serverName', 'customUrl'] as const) {
      await fieldOf(page, name).scrollIntoViewIfNeeded();
      expect(await isInSight(fieldOf(page, name))).toBe(true);
      expect(await isInSight(button(dialogOf(page), sayProxy('edit.submit')))).toBe(true);
      expect(await isInSight(dialogOf(page).getByText(sayProxy('edit.title'), { exact: true }))).toBe(true);
    }
  });
});

it('a dialog makes room for a toast: its title stays in sight, and its close button in reach', async () => {
  const proxy = await newProxy();
  const page = await open('/tunnel-configuration', { device: { viewport: { width: 390, height: 844 } } });
  await page.route('**/tunnel-token', (route) => route.abort());
  const name = sayProxy('action', { action: sayProxy('action.install'), name: proxy.serverName });
  await button(page, name).click();
  const edgeOf = async (one: Locator, edge: 'top' | 'bottom') => {
    const { y = 0, height = 0 } = (await one.boundingBox()) ?? {};
    return edge === 'top' ? y : y + height;
  };
  const toast = page.getByRole('listitem').filter({ hasText: sayProxy('install.tokenToast.text') });
  const title = dialogOf(page).getByText(sayProxy('install.title', { name: proxy.serverName }));
  for (const one of [title, button(dialogOf(page), sayKit('close'))])
    await expect
      .poll(async () => (await edgeOf(one, 'top')) - (await edgeOf(toast, 'bottom')))
      .toBeGreaterThan(0);
});

describe('the actions of a row', () => {
  const named = (proxy: { readonly serverName: string }, key: 'edit' | 'delete' | 'more') =>
    sayProxy('action', { action: sayProxy(`action.${key}`), name: proxy.serverName });

  it('are those of the specification; the others are in a menu, by keyboard too, and give the focus back to it', async () => {
    const proxy = await newProxy();
    const page = await open('/tunnel-configuration?sort=-createdAt');
    const menu = button(page, named(proxy, 'more'));
    const inRow = page.getByRole('row', { name: proxy.serverName }).getByRole('button');
    const names = () => inRow.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    await expect
      .poll(names)
      .toEqual(
        (['edit', 'install', 'check', 'delete', 'more'] as const).map((key) =>
          sayProxy('action', { action: sayProxy(`action.${key}`), name: proxy.serverName }),
        ),
      );
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: sayProxy('action.recreate') }).waitFor();
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('[role=menu]') !== null`))
      .toBe(true);
    await page.keyboard.press('Escape');
    const focused = () =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.outerHTML');
    await expect.poll(focused, { message: 'after Escape' }).toBe(named(proxy, 'more'));
    await (await inRowMenu(page, proxy.serverName, 'recreate')).click();
    await cancel(page);
    await closed(page);
    await expect.poll(focused).toBe(named(proxy, 'more'));
  });

  it('show what deletes in red once it is meant', async () => {
    const proxy = await newProxy();
    const page = await open('/tunnel-configuration?sort=-createdAt');
    const colorOf = (key: 'edit' | 'delete') =>
      button(page, named(proxy, key)).evaluate(
        (one) => one.ownerDocument.defaultView?.getComputedStyle(one).color,
      );
    const neutral = await colorOf('edit');
    expect(await colorOf('delete')).toBe(neutral);
    await button(page, named(proxy, 'delete')).hover();
    await expect.poll(() => colorOf('delete')).not.toBe(neutral);
  });
});

describe('a destructive dialog', () => {
  it.each([1280, 390])('never appears with its button under the pointer (%s px)', async (width) => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}?tab=settings`);
    await page.setViewportSize({ width, height: 800 });
    const opener = button(page, sayProxy('action.delete'));
    const confirm = button(dialogOf(page), sayProxy('delete.confirm'));
    const middle = async () => {
      const { x = 0, y = 0, width: w = 0, height: h = 0 } = (await confirm.boundingBox()) ?? {};
      return { x: x + w / 2, y: y + h / 2 };
    };
    await opener.click();
    const { x, y } = await middle();
    await cancel(page);
    await closed(page);
    // Opened again by a press where the confirming button stood.
    await page.evaluate(
      `document.dispatchEvent(new PointerEvent('pointerdown', { clientX: ${x}, clientY: ${y} }))`,
    );
    await opener.dispatchEvent('click');
    await confirm.waitFor();
    const under = () =>
      page.evaluate(`document.elementFromPoint(${x}, ${y})?.closest('button')?.textContent ?? ''`);
    await expect.poll(middle).not.toEqual({ x, y });
    expect(await under()).not.toBe(sayProxy('delete.confirm'));
  });

  it('starts on its safe answer, also above another dialog', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}?tab=settings`);
    const focused = () => page.evaluate('document.activeElement.textContent');
    await button(page, sayProxy('action.delete')).click();
    await expect.poll(focused).toBe(sayKit('cancel'));
    await page.keyboard.press('Enter');
    await closed(page);
    for (const way of ['Escape', 'button'] as const) {
      await edit(page);
      await fieldOf(page, 'serverName').fill('etwas anderes');
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await cancel(page);
      await expect.poll(focused).toBe(sayKit('leave.stay'));
      await page.keyboard.press('Enter');
      expect(await fieldOf(page, 'serverName').inputValue()).toBe('etwas anderes');
      await cancel(page);
      await button(page, sayKit('leave.confirm')).click();
      await closed(page);
    }
  });
});

describe('Escape', () => {
  const question = (page: Page) => page.getByRole('dialog', { name: sayKit('leave.title') });
  const response = (page: Page, name: 'stay' | 'confirm') => button(page, sayKit(`leave.${name}`)).click();

  it('still closes a form that one went back from and then stayed in', async () => {
    const proxy = await newProxy();
    const page = await open(`/tunnel-configuration/${proxy.id}`, { as: admin() });
    await page.locator('nav a[href="/"]').first().click();
    await page.waitForURL('**/');
    await page.evaluate('history.back()');
    await button(page, sayProxy('action.suspend')).click();
    await dialogOf(page).getByLabel(sayKit('suspension.reason'), { exact: true }).fill('Grund');
    // React begins to draw the question again with each key: what it has begun must leave nothing behind.
    await page.evaluate(`(() => {
      const field = document.getElementById('reason');
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
      const type = (left) => {
        set.call(field, 'Grund ' + left);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        if (left > 0) setTimeout(type, 0, left - 1);
      };
      history.forward();
      type(200);
    })()`);
    await response(page, 'stay');
    await expect.poll(() => question(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await response(page, 'confirm');
    await closed(page);
  });

  it('closes what lies on top, one thing at a time', async () => {
    const { client: somebody } = await newUser(system.url, 'basic');
    const { username } = await somebody.call('GET /api/user', {});
    const page = await open(`/admin/users?q=${username}`, { as: admin() });
    await button(page, sayAdmin('action', { action: sayAdmin('edit'), name: username })).click();
    const limit = dialogOf(page).getByLabel(sayAdmin('form.limit'), { exact: true });
    await limit.fill('7');
    const tier = dialogOf(page).getByRole('combobox', { name: sayAdmin('form.tier') });
    const list = page.getByRole('listbox');
    await tier.press('ArrowDown');
    await expect.poll(() => list.count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => tier.getAttribute('aria-expanded')).toBe('false');
    expect(await question(page).count()).toBe(0);
    // While an input method composes a word Escape is its own.
    await limit.focus();
    await page.evaluate(`for (const composing of [{ isComposing: true }, { keyCode: 229 }])
      document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...composing }),
      )`);
    expect(await question(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => question(page).count()).toBe(0);
    expect(await limit.inputValue()).toBe('7');
    await page.keyboard.press('Escape');
    await response(page, 'confirm');
    await closed(page);
  });
});

it.each([1280, 390])(
  'the buttons of a dialog stand still from when they can be pressed (%s px)',
  async (width) => {
    const proxy = await newProxy();
    const device = { viewport: { width, height: 800 }, reducedMotion: 'no-preference' } as const;
    const page = await open('/tunnel-configuration', { device });
    await page.addInitScript(watchButtons);
    const opened = async (path: string, opener: string) => {
      await page.goto(path);
      await button(page, opener).click();
      await button(dialogOf(page), /./).waitFor();
      // Until nothing moves any more.
      await page.evaluate(`Promise.all(document.getAnimations().filter(({ effect }) =>
      effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished.catch(() => {})))`);
      return movedButtonsOn(page);
    };
    const ofProxy = `/tunnel-configuration/${proxy.id}?tab=settings`;
    expect({
      create: await opened('/tunnel-configuration', say('proxies.add')),
      edit: await opened(ofProxy, sayProxy('action.edit')),
      delete: await opened(ofProxy, sayProxy('action.delete')),
    }).toEqual({ create: [], edit: [], delete: [] });
  },
);
