import { heading } from '@talpa/test-kit/panel/heading';
import { until } from '@talpa/test-kit/wait';
import { runErrand } from './errand-hands.ts';
import { fieldOf } from './field.ts';
import { type FormName, forms, isSamePage, type Place } from './forms.ts';
import { asksBefore, isSaved, placeOf, plain, shownIn, typedText, valuesAt } from './model.ts';
import type { Step } from './step.ts';
import { asking, frameWords, openTab, pageWords } from './tab.ts';
import { changeElsewhere, learnNew, nameOf, tabNow, type World } from './world.ts';

const height = { 1280: 800, 768: 900, 390: 844 } as const;

/** The address of a page. */
export function pathOf({ ids }: World, { name, at = 0, tab }: Place): string {
  const paths: Readonly<Record<Place['name'], string>> = {
    home: '/',
    proxies: '/tunnel-configuration',
    proxy: `/tunnel-configuration/${ids.proxy[at]}`,
    proxyDomains: `/tunnel-configuration/${ids.proxy[at]}?tab=domains`,
    server: `/servers/${ids.server[at]}`,
    settings: tab && tab !== 'account' ? `/settings?tab=${tab}` : '/settings',
    plans: '/subscription',
    users: '/admin/users',
    user: `/admin/users/${ids.user[at]}`,
    allProxies: '/admin/tunnel',
    invitations: '/admin/invitations',
  };
  return paths[name];
}

/** Does a step in the browser, before the model knows of it. */
export async function perform(world: World, step: Step): Promise<void> {
  const { tab, now } = tabNow(world);
  const { page, dialog } = tab;
  const words = pageWords(world.model);
  const { form } = now;
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  switch (step.do) {
    case 'go':
      await follow(world, pathOf(world, step.to));
      return answerQuestion(world, frameWords(world.model), 'leave', step.stay);
    case 'back':
    case 'forward': {
      const to = now.history[now.now + (step.do === 'back' ? -1 : 1)];
      await (step.do === 'back' ? page.goBack() : page.goForward());
      if (to && !isSamePage(placeOf(now), to))
        await answerQuestion(world, frameWords(world.model), 'leave', step.stay);
      return;
    }
    case 'reload':
      await page.reload();
      return void (await heading(page).first().waitFor());
    case 'tab': {
      if (world.tabs.length === 1) world.tabs.push(await openTab(world.context, world.base));
      return await world.tabs[1 - world.model.active]?.page.bringToFront();
    }
    case 'open':
      await (await openerOf(world, step.form, step.at)).click();
      return await dialog.waitFor();
    case 'type': {
      if (!form) return;
      const scope = form.name === 'settings' ? page.getByRole('main') : dialog;
      const text = typedText(world.model, step.field, step.text);
      return await fieldOf(page, scope, words, form.name, step.field).write(text);
    }
    case 'cancel':
      if (form?.name === 'settings')
        return await page
          .getByRole('button', { name: words.settings('discard'), exact: true })
          .filter({ visible: true })
          .click();
      if (step.by === 'Escape' || !form || forms[form.name].call === null)
        await page.keyboard.press('Escape');
      else await dialog.getByRole('button', { name: words.kit('cancel'), exact: true }).click();
      return answerQuestion(world, words, 'cancel', step.stay);
    case 'save':
      return await save(world);
    case 'decide':
      return await press(words.kit(`conflict.${step.take}`));
    case 'settingsTab':
      return await page.getByRole('tab', { name: words.settings(`tab.${step.tab}`), exact: true }).click();
    case 'next':
      await dialog.getByRole('checkbox', { name: words.payment('terms') }).check();
      // A plan for 0,00 € has no payment step.
      return await dialog
        .getByRole('button', { name: words.payment('next'), exact: true })
        .or(dialog.getByRole('button', { name: words.payment('review'), exact: true }))
        .click();
    case 'language': {
      const name = frameWords(world.model).kit('language.switch', {
        name: world.model.language === 'de' ? 'English' : 'Deutsch',
      });
      const isNarrow = await openMenu(world, page.getByRole('button', { name, exact: true }));
      if (isNarrow) await page.keyboard.press('Escape');
      return;
    }
    case 'errand':
      return await runErrand(world, step);
    case 'bell':
      return await lookAtBell(world, step.mark);
    case 'resize':
      return await page.setViewportSize({ width: step.width, height: height[step.width] });
    case 'elsewhere':
      return await changeElsewhere(
        world,
        step.record,
        step.field,
        typedText(world.model, step.field, step.text),
      );
    case 'offline':
    case 'online':
      return await world.context.setOffline(step.do === 'offline');
  }
}

/** Opens the newest notifications, which are the API's, and closes them by Escape. */
async function lookAtBell(world: World, mark: boolean): Promise<void> {
  const { page } = tabNow(world).tab;
  const { shell, notifications: say } = frameWords(world.model);
  await page.getByRole('button', { name: new RegExp(`^${shell('bell')}`) }).click();
  const opened = page.getByRole('dialog', { name: shell('bell'), exact: true });
  const items = opened.getByRole('listitem');
  await items
    .first()
    .or(opened.getByText(say('empty'), { exact: true }))
    .waitFor();
  await until('the newest notifications', async () => {
    const newest = await world.me.call('GET /api/user/notifications', { limit: 10 });
    return (await items.count()) === newest.length;
  });
  const all = opened.getByRole('button', { name: say('markAll') });
  if (mark && (await all.isEnabled())) {
    await all.click();
    await until('all are read', () => all.isDisabled());
  }
  await page.keyboard.press('Escape');
  await opened.waitFor({ state: 'detached' });
}

/** Clicks something of the menu, which narrow screens hide. @returns whether it had to be opened */
async function openMenu(
  world: World,
  wanted: ReturnType<World['tabs'][number]['page']['getByRole']>,
): Promise<boolean> {
  const { tab, now } = tabNow(world);
  const isNarrow = now.width < 768;
  if (isNarrow)
    await tab.page.getByRole('button', { name: frameWords(world.model).shell('layout.open') }).click();
  await wanted.filter({ visible: true }).first().click();
  return isNarrow;
}

/** Follows a link: on the page, or in the menu. */
async function follow(world: World, path: string): Promise<void> {
  const { page } = tabNow(world).tab;
  const onPage = page.getByRole('main').locator(`a[href="${path}"]`).filter({ visible: true });
  const isRecord = /\d(\?tab=domains)?$/.test(path) || path === '/subscription';
  if (isRecord) await onPage.first().click();
  else await openMenu(world, page.getByRole('navigation').locator(`a[href="${path}"]`));
}

/** Answers whether what was typed may be lost, where that must be asked. */
async function answerQuestion(
  world: World,
  words: ReturnType<typeof pageWords>,
  by: 'cancel' | 'leave',
  stay = false,
): Promise<void> {
  const { tab, now } = tabNow(world);
  if (!asksBefore(now.form)) return;
  // Closing a payment asks in its own words; leaving the page asks as for every form.
  const isPayment = now.form?.name === 'payment' && by === 'cancel';
  const question = tab.dialogs.last();
  const { leave, stay: remain } = asking(words, question);
  const drop = isPayment
    ? question.getByRole('button', { name: words.payment('cancel.confirm'), exact: true })
    : leave;
  const keep = isPayment
    ? question.getByRole('button', { name: words.payment('cancel.stay'), exact: true })
    : remain;
  await (stay ? keep : drop).click();
  await (stay ? keep : drop).waitFor({ state: 'hidden' });
}

/** What opens a form; the menu that it is in is opened. */
async function openerOf(world: World, form: FormName, at: number) {
  const { tab, now } = tabNow(world);
  const { user, admin, proxy, domains } = pageWords(world.model);
  const main = tab.page.getByRole('main');
  const button = (name: string) =>
    main.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  const place = placeOf(now);
  const onRow = (action: string) =>
    button(
      admin('action', {
        action,
        name: nameOf(world, { of: form === 'editUser' || form === 'suspendUser' ? 'user' : 'proxy', at }),
      }),
    );
  const onProxy = (key: 'edit' | 'suspend' | 'more') => {
    if (place.name === 'proxy') return button(proxy(`action.${key}`));
    return button(
      proxy('action', { action: proxy(`action.${key}`), name: nameOf(world, { of: 'proxy', at }) }),
    );
  };
  switch (form) {
    case 'createProxy':
      return button(user('proxies.add'));
    case 'createInvitation':
      return button(admin('invitations.create'));
    case 'addDomain':
      return button(domains('add'));
    case 'createUser':
      return button(admin('users.create'));
    case 'editProxy':
      return onProxy('edit');
    case 'suspendProxy':
      if (place.name === 'proxy') return onProxy('suspend');
      await onProxy('more').click();
      return tab.page.getByRole('menuitem', { name: proxy('action.suspend') });
    case 'pauseProxy':
      await onProxy('more').click();
      return tab.page.getByRole('menuitem', { name: proxy('action.pause') });
    case 'editUser':
      return place.name === 'user' ? button(admin('edit')) : onRow(admin('edit'));
    case 'suspendUser':
      if (place.name !== 'user') return onRow(admin('users.suspend'));
      return button(
        admin(valuesAt(world.model.seen, { of: 'user', at }).reason ? 'user.changeReason' : 'users.suspend'),
      );
    default: {
      const plans = main.getByRole('button', {
        name: new RegExp(`^(${user('plan.select')}|${user('plan.upgrade')}|${user('plan.downgrade')}): `),
      });
      return plans.nth(at % 3);
    }
  }
}

/** What a form is sent with. */
async function save(world: World): Promise<void> {
  const { tab, now } = tabNow(world);
  const { form } = now;
  if (!form) return;
  const { proxy, user, admin, settings, domains } = pageWords(world.model);
  // Another administrator may have suspended it while the form is open: the button shows the present state.
  const of = forms[form.name].of;
  const isNew = !of || !valuesAt(world.model.seen, { of, at: form.at }).reason;
  const names: Readonly<Partial<Record<FormName, string>>> = {
    createProxy: user('create.submit'),
    editProxy: proxy('edit.submit'),
    suspendProxy: proxy(isNew ? 'suspend.confirm' : 'suspend.change'),
    pauseProxy: proxy('pause.confirm'),
    addDomain: domains('add'),
    createUser: admin('form.create'),
    editUser: admin('form.save'),
    createInvitation: admin('form.create'),
    suspendUser: admin(isNew ? 'suspend.confirm' : 'suspend.change'),
    settings: settings('save'),
  };
  const scope = form.name === 'settings' ? tab.page.getByRole('main') : tab.dialog;
  const before = tab.calls.length;
  await scope
    .getByRole('button', { name: names[form.name] ?? '', exact: true })
    .filter({ visible: true })
    .last()
    .click();
  if (!isSaved(world.model, form)) return;
  await until('the call that saves', () => tab.calls.length > before);
  if (form.name === 'createProxy') {
    await learnNew(world, 'proxy');
    // Until then the dialog on the screen is still the form, which cannot be closed while it is sent.
    const title = proxy('install.title', { name: plain(shownIn(form).serverName) });
    await tab.page.getByRole('dialog', { name: title }).waitFor();
  }
  if (form.name === 'createInvitation')
    await tab.page.getByRole('dialog', { name: admin('invitation.made') }).waitFor();
  if (form.name === 'createUser') await learnNew(world, 'user');
}
