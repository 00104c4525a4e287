import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();

const { user: say, payment: sayPayment } = wordsIn('de');
const phone = { width: 390, height: 844 };
const touch = { viewport: phone, hasTouch: true };
type PlanId = 'free' | 'basic' | 'premium' | 'enterprise';

/** A user on the page of the plans, whose payments go well (`random` below 0.9) or not. */
async function onPlans(
  options: { random?: number; plan?: PlanId; viewport?: typeof phone; hasTouch?: boolean } = {},
  script = '',
) {
  const { random = 0.5, plan, ...window } = options;
  const { client, user } = await newUser(system.url, plan);
  const { page, complaints } = await browser.open(system.url, window);
  await carrySession(page, client);
  await page.addInitScript(`Math.random = () => ${random}; ${script}`);
  // The orders that were sent, by their ids.
  const changes: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/subscription'))
      changes.push(request.headers()['idempotency-key']);
  });
  await page.goto('/subscription');
  const dialog = page.getByRole('dialog', { name: /^Plan „.+“ bestellen$/ });
  return {
    page,
    complaints,
    client,
    user,
    dialog,
    changes,
    press: (button: string) => dialog.getByRole('button', { name: button, exact: true }).last().click(),
    placeOrder: () => dialog.getByRole('button', { name: /^Zahlungspflichtig bestellen/ }).click(),
    toPayment: async () => {
      await dialog.getByRole('checkbox').check();
      await dialog.getByRole('button', { name: 'Weiter zur Zahlung' }).click();
    },
    tier: async () => (await client.call('GET /api/user/subscription', {})).tier,
  };
}

/** From `holdTimers()` on, timers of 300 ms and more wait until `fireTimers()` fires them all at once. */
const timers = `
  const held = new Map();
  const { setTimeout: set, clearTimeout: clear } = window;
  let isHolding = false;
  window.setTimeout = (work, ms, ...more) => {
    if (!isHolding || !(ms >= 300)) return set(work, ms, ...more);
    const id = -1 - held.size;
    held.set(id, work);
    return id;
  };
  window.clearTimeout = (id) => held.delete(id) || clear(id);
  window.holdTimers = () => { isHolding = true; };
  window.fireTimers = () => { for (const work of held.values()) work(); held.clear(); };`;

const choose = (page: Page, plan: string) =>
  page.getByRole('button', { name: new RegExp(`^(Plan wählen|Upgrade|Downgrade): ${plan}$`) }).click();

/** Where the focus is: in the dialog, nowhere, or on a part of the page, named by what it says. */
const focusOn = (page: Page) =>
  page.evaluate(`(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return 'nowhere';
    return at.closest('[role=dialog]')?.checkVisibility() ? 'dialog' : at.innerText;
  })()`) as Promise<string>;
/** The step that has the focus, as a screen reader names it; its numbers are followed by no-break spaces. */
const focusedStep = (page: Page) =>
  page.evaluate(`document.activeElement?.getAttribute('aria-label')?.replaceAll('\u00a0', ' ')`) as Promise<
    string | undefined
  >;

describe('the payment dialog', () => {
  it('goes on only when the terms are accepted and the card is complete, and then changes the plan once', async () => {
    const { page, complaints, dialog, press, placeOrder, changes, tier } = await onPlans();
    await choose(page, 'Premium');
    await press('Weiter zur Zahlung');
    await dialog.getByText('Sie müssen den Bedingungen zustimmen, um fortzufahren.').waitFor();
    await dialog.getByRole('checkbox').check();
    await press('Weiter zur Zahlung');
    await expect.poll(() => focusedStep(page)).toBe('Schritt 2 von 3: Zahlung');

    await press('Bestellung prüfen');
    const fault = dialog.getByText('Bitte geben Sie den Namen des Karteninhabers ein');
    await fault.waitFor();
    await expect.poll(() => dialog.locator('.ant-form-item-explain-error').count()).toBe(4);
    await dialog.getByLabel('Name des Karteninhabers').fill('Erika Muster');
    await fault.waitFor({ state: 'detached' });
    await dialog.getByLabel('Kartennummer').fill('4111x1111 11111111 99');
    await dialog.getByLabel('Gültig bis').pressSequentially('1230');
    await dialog.getByLabel('Prüfnummer (CVC)').fill('123');
    await expect.poll(() => dialog.getByLabel('Kartennummer').inputValue()).toBe('4111 1111 1111 1111');
    await expect.poll(() => dialog.getByLabel('Gültig bis').inputValue()).toBe('12/30');
    await press('Bestellung prüfen');
    await dialog.getByText('Kreditkarte mit den Endziffern 1111').waitFor();
    await expect.poll(() => focusedStep(page)).toBe('Schritt 3 von 3: Bestätigung');
    await placeOrder();
    await expect.poll(() => focusedStep(page)).toBe('Ihre Zahlung wird verarbeitet …');
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedStep(page)).toBe('Zahlung erfolgreich');
    expect(await tier()).toBe('premium');
    await dialog.getByText(/^Ihr neuer Plan „Premium“ ist freigeschaltet. Er gilt bis zum /).waitFor();
    await page.getByText('Ihr neuer Plan ist „Premium“.', { exact: true }).waitFor();
    await press('Schließen');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => focusOn(page)).toContain('Ihr Plan');
    expect(changes).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('changes the plan once however often it is closed in the moment of success', async () => {
    const { page, dialog, placeOrder, toPayment, press, changes, tier } = await onPlans();
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await placeOrder();
    await dialog.getByText('Zahlung erfolgreich').waitFor();
    await page.evaluate(`[...document.querySelectorAll('[role=dialog] button')].forEach((button) => {
      button.click();
      button.click();
    })`);
    await page.getByText('Ihr neuer Plan ist „Basic“.', { exact: true }).waitFor();
    await expect.poll(tier).toBe('basic');
    expect(changes).toHaveLength(1);
  });

  it('says before a smaller plan is ordered what stays, what cannot be created, and what is lost', async () => {
    const { page, client, dialog, press, toPayment } = await onPlans({ plan: 'premium' });
    for (let count = 0; count < 4; count += 1) await client.call('POST /api/tunnel-configs', proxyInput());
    await page.reload();
    await page.getByRole('button', { name: 'Upgrade: Enterprise' }).waitFor();
    await page.getByRole('button', { name: 'Downgrade: Basic' }).click();
    for (const text of [
      sayPayment('consequence.keep_other', { count: 4 }),
      sayPayment('consequence.create_other', { count: 2 }),
      sayPayment('consequence.fewer'),
      sayPayment('consequence.log_other', { count: 7 }),
    ])
      await dialog.getByText(text, { exact: true }).waitFor();
    await dialog.getByText(/^Ihr Plan „Premium“ endet sofort/).waitFor();
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    // Once more, in short, where it is confirmed.
    const short = dialog.getByText(sayPayment('consequence.short.keep'));
    await short.filter({ hasText: sayPayment('consequence.create_other', { count: 2 }) }).waitFor();
    await dialog.getByRole('button', { name: 'Schließen' }).click();
    await page.getByRole('button', { name: sayPayment('cancel.confirm') }).click();
    await dialog.waitFor({ state: 'hidden' });
    await choose(page, 'Enterprise');
    await dialog.getByRole('checkbox').waitFor();
    expect(await dialog.getByText(/laufen weiter/).count()).toBe(0);
  });

  it('leads from the success to a new proxy', async () => {
    const { page, press } = await onPlans();
    await choose(page, 'Starter');
    await page.getByRole('dialog').getByRole('checkbox').check();
    await press('Bestellung prüfen');
    await press('Kostenlos bestellen');
    await press('Proxy anlegen');
    await page.getByRole('dialog', { name: 'Neuen Proxy anlegen' }).waitFor();
  });

  it('shows no success before the server has given the plan, and keeps it when the page is closed then', async () => {
    const { page, dialog, press, placeOrder, toPayment, tier } = await onPlans();
    const orders: Route[] = [];
    await page.route('**/api/user/subscription', (route) =>
      route.request().method() === 'POST' ? void orders.push(route) : route.fallback(),
    );
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await placeOrder();
    await expect.poll(() => orders.length).toBe(1);
    expect(await tier()).toBe(null);
    expect(await focusedStep(page)).toBe('Ihre Zahlung wird verarbeitet …');
    await orders[0]?.continue();
    await dialog.getByText('Zahlung erfolgreich').waitFor();
    await page.close();
    expect(await tier()).toBe('basic');
  });

  it('whose order the server did not receive says so, and sends the same order again', async () => {
    const { page, dialog, press, placeOrder, toPayment, changes, tier } = await onPlans();
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await page.route('**/api/user/subscription', (route) => route.abort(), { times: 1 });
    await placeOrder();
    await dialog.getByText(sayPayment('error.server'), { exact: true }).waitFor();
    expect(await tier()).toBe(null);
    await press('Erneut versuchen');
    await press('Weiter mit PayPal');
    await placeOrder();
    await dialog.getByText('Zahlung erfolgreich').waitFor();
    expect(changes).toHaveLength(2);
    expect(new Set(changes).size).toBe(1);
  });

  it('whose response is lost says that the plan has changed as soon as the page sees it', async () => {
    const { page, dialog, press, placeOrder, toPayment } = await onPlans();
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/api/user/subscription', (route) =>
      route.request().method() === 'POST' ? lose(route) : route.fallback(),
    );
    await placeOrder();
    await page.getByText('Ihr neuer Plan ist „Basic“.', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('changes the plan that was paid for when the page is left in the moment of success', async () => {
    const { page, dialog, placeOrder, toPayment, press, tier } = await onPlans();
    await page.goto('/settings');
    await page.goto('/subscription');
    await page.getByRole('link', { name: 'Übersicht' }).click();
    await heading(page, /^Willkommen/).waitFor();
    await page.goBack();
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await placeOrder();
    await dialog.getByText('Zahlung erfolgreich').waitFor();
    await page.goForward();
    await page.getByText('Ihr neuer Plan ist „Basic“.', { exact: true }).waitFor();
    await expect.poll(tier).toBe('basic');
  });

  it('takes a double click for one click, which leads one step on and never places an order', async () => {
    const { page, dialog, toPayment } = await onPlans();
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await dialog.getByRole('button', { name: 'Weiter mit PayPal' }).dblclick();
    const order = dialog.getByRole('button', { name: /^Zahlungspflichtig bestellen · 2,99\s€$/ });
    await order.waitFor();
    // A third click, by itself, is one that counts.
    await order.click();
    await dialog.getByText('Ihre Zahlung wird verarbeitet').waitFor();
  });

  it('that fails says why it may have, keeps the chosen way to pay, and changes nothing', async () => {
    const { page, dialog, press, placeOrder, toPayment, tier } = await onPlans({ random: 0.95 });
    await choose(page, 'Basic');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await placeOrder();
    for (const text of [
      'Bei der Verarbeitung Ihrer Zahlung ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.',
      'Das Konto ist nicht ausreichend gedeckt.',
      'Die Karte wurde abgelehnt.',
      'Beim Zahlungsanbieter ist ein technisches Problem aufgetreten.',
    ])
      await dialog.getByText(text, { exact: true }).waitFor();
    await expect.poll(() => focusedStep(page)).toBe('Zahlung fehlgeschlagen');
    await press('Erneut versuchen');
    await expect
      .poll(() => dialog.getByRole('tab', { name: 'PayPal' }).getAttribute('aria-selected'))
      .toBe('true');
    await expect.poll(() => focusOn(page)).toBe('dialog');
    await expect.poll(tier).toBe(null);
  });

  it('by transfer after receipt begins no plan, and keeps the reference in sight until it is closed', async () => {
    const { page, dialog, press, placeOrder, toPayment, changes, tier } = await onPlans({
      plan: 'basic',
      ...touch,
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    const heights: number[] = [];
    const heightNow = () =>
      dialog
        .locator('.ant-modal-container')
        .evaluate((one) => (one as unknown as { offsetHeight: number }).offsetHeight);
    const measure = async () => heights.push(await heightNow());
    await choose(page, 'Enterprise');
    await dialog.getByText(/^Ihr Guthaben von 9,99\s€ wird nicht angerechnet/).waitFor();
    await measure();
    await toPayment();
    await measure();
    await press('Bestellung prüfen');
    await dialog.getByText('Bitte geben Sie 3 oder 4 Ziffern ein').waitFor();
    await measure();
    await dialog.getByRole('tab', { name: 'Überweisung' }).click();
    const reference = await dialog.getByText(/^\d{4}-\d{6}$/).textContent();
    await dialog.getByRole('radio', { name: /^Nach Zahlungseingang/ }).check();
    await press('Bestellung prüfen');
    const order = dialog.getByRole('button', { name: /^Zahlungspflichtig bestellen 9,99\s€$/ });
    await order.waitFor();
    await measure();
    const { y = 0, height = 0 } = (await order.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(phone.height);
    await placeOrder();
    await dialog.getByText('Ihre Zahlung wird verarbeitet').waitFor();
    await measure();
    await page.clock.runFor(3_000);
    await dialog.getByText('Bestellung eingegangen', { exact: true }).waitFor();
    const toast = page.getByRole('region', { name: /^Meldungen/ }).getByText('Bestellung eingegangen');
    await toast.waitFor();
    await page.clock.runFor(60_000);
    // A toast never covers a dialog: while it is there, the dialog has less room on a phone.
    await toast.waitFor({ state: 'hidden' });
    // The dialog learns of the room that the toast has left with the next frame.
    await expect.poll(heightNow).toBe(heights[0]);
    await dialog.getByText(reference ?? '', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Verwendungszweck: Kopieren' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(reference);
    expect(new Set(heights).size, heights.join()).toBe(1);
    await press('Schließen');
    await page.clock.runFor(1_000);
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => focusOn(page)).toBe('Upgrade');
    expect(changes).toEqual([]);
    await expect.poll(tier).toBe('basic');
  });

  it('of a free plan asks for no card and goes from the terms to the confirmation', async () => {
    const { page, dialog, press, tier } = await onPlans({ random: 0.95 });
    await choose(page, 'Starter');
    await dialog.getByRole('checkbox').check();
    await press('Bestellung prüfen');
    await expect.poll(() => focusedStep(page)).toBe('Schritt 2 von 2: Bestätigung');
    await expect.poll(() => dialog.getByRole('tab').count()).toBe(0);
    await press('Kostenlos bestellen');
    await dialog.getByText('Bestellung eingegangen', { exact: true }).waitFor();
    await expect.poll(tier).toBe('free');
  });

  it('asks before it is left, gives the focus back, and begins anew when it is opened again', async () => {
    const { page, dialog, toPayment } = await onPlans();
    const question = page.getByRole('dialog', { name: 'Zahlung abbrechen?' });
    await choose(page, 'Premium');
    await toPayment();
    await dialog.getByLabel('Kartennummer').fill('4111');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Zahlung fortsetzen' }).click();
    await question.waitFor({ state: 'hidden' });
    await expect.poll(() => focusOn(page)).toBe('dialog');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Zahlung abbrechen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => focusOn(page)).toBe('Plan wählen');
    // At once, before it has forgotten by itself.
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(false);
    await toPayment();
    await expect.poll(() => dialog.getByLabel('Kartennummer').inputValue()).toBe('');
  });

  it('begins anew when it is opened at the very moment in which the last order is forgotten', async () => {
    const { page, dialog, toPayment } = await onPlans({}, timers);
    await choose(page, 'Premium');
    await toPayment();
    await dialog.getByLabel('Kartennummer').fill('4111');
    await page.keyboard.press('Escape');
    await page.evaluate('holdTimers()');
    await page.getByRole('button', { name: 'Zahlung abbrechen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    // In one task: React draws both changes together.
    await page.evaluate(`fireTimers(); document.querySelector('[aria-label="Plan wählen: Basic"]').click()`);
    await dialog.getByRole('checkbox').waitFor();
    await toPayment();
    await expect.poll(() => dialog.getByLabel('Kartennummer').inputValue()).toBe('');
  });

  it('lets a card be corrected in the middle: the caret stays, and Backspace passes over a separator', async () => {
    const { page, dialog, toPayment } = await onPlans();
    await choose(page, 'Premium');
    await toPayment();
    const edit = async (label: string, text: string, keys: readonly string[]) => {
      const field = dialog.getByLabel(label);
      await field.fill(text);
      for (const key of keys) await field.press(key);
      const caret = await field.evaluate(
        (input) => (input as unknown as { selectionStart: number }).selectionStart,
      );
      return [await field.inputValue(), caret];
    };
    const home = ['Home', 'ArrowRight', 'ArrowRight'];
    const five = [...home, 'ArrowRight', 'ArrowRight', 'ArrowRight'];
    expect(await edit('Kartennummer', '4111 2222 3333', [...home, '9', '8'])).toEqual([
      '4198 1122 2233 33',
      4,
    ]);
    expect(await edit('Kartennummer', '4111 2222 3333', [...five, 'Backspace'])).toEqual([
      '4112 2223 333',
      3,
    ]);
    expect(await edit('Kartennummer', '4111 2222', [...home, 'Delete'])).toEqual(['4112 222', 2]);
    expect(await edit('Gültig bis', '12/30', ['End', 'ArrowLeft', 'ArrowLeft', 'Backspace'])).toEqual([
      '13/0',
      1,
    ]);
    expect(await edit('Gültig bis', '12/3', [...home, 'Delete'])).toEqual(['12', 2]);
  });
});

describe('an order that cannot be taken', () => {
  it('stops, and says so, when its person is suspended meanwhile; it goes on when that is lifted', async () => {
    const { page, dialog, press, placeOrder, toPayment, user, changes } = await onPlans({ plan: 'free' });
    const admin = await system.admin();
    await choose(page, 'Premium');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Phishing' });
    const said = dialog.getByRole('alert').filter({ hasText: sayPayment('suspended.text') });
    await said.waitFor();
    const order = dialog.getByRole('button', { name: new RegExp(`^${sayPayment('pay')}`) });
    await expect.poll(() => order.isDisabled()).toBe(true);
    for (const plan of ['Basic', 'Premium', 'Enterprise'])
      await expect
        .poll(() => page.getByRole('button', { name: `Upgrade: ${plan}`, includeHidden: true }).isDisabled())
        .toBe(true);
    await admin.call('DELETE /api/admin/users/:id/suspension', { id: user.id });
    await said.waitFor({ state: 'detached' });
    expect(changes).toEqual([]);
    await placeOrder();
    await dialog.getByText('Ihre Zahlung wird verarbeitet').waitFor();
    await expect.poll(() => changes.length).toBe(1);
  });

  it('for a plan that another tab has taken shows a plain toast, before or after the payment', async () => {
    const { page, client, dialog, press, placeOrder, toPayment, changes } = await onPlans();
    const toConfirmation = async (plan: string) => {
      await choose(page, plan);
      await toPayment();
      await dialog.getByRole('tab', { name: 'PayPal' }).click();
      await press('Weiter mit PayPal');
    };
    const plain = page.getByText('Sie haben dieses Abonnement bereits abgeschlossen', { exact: true });
    await toConfirmation('Premium');
    await client.call('POST /api/user/subscription', { planId: 'premium' });
    // While it stands there: nothing is pressed.
    await plain.waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => focusOn(page)).toContain('Ihr Plan');
    expect(changes).toEqual([]);

    await page.getByRole('button', { name: 'Schließen' }).click();
    await plain.waitFor({ state: 'detached' });
    await toConfirmation('Basic');
    await placeOrder();
    await dialog.getByText('Ihre Zahlung wird verarbeitet').waitFor();
    await client.call('POST /api/user/subscription', { planId: 'basic' });
    await plain.waitFor();
    await expect.poll(() => page.getByText('Zahlung fehlgeschlagen').count()).toBe(0);
    expect(changes).toHaveLength(1);
  });

  it('at the price of a plan that was replaced meanwhile closes and says so, before or after the payment', async () => {
    const { page, client, dialog, press, placeOrder, toPayment, changes } = await onPlans({ plan: 'basic' });
    const outdated = page.getByText(say('plan.outdated.text'), { exact: true });
    await choose(page, 'Enterprise');
    await toPayment();
    await client.call('POST /api/user/subscription', { planId: 'premium' });
    await outdated.waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(changes).toEqual([]);

    await page.getByRole('button', { name: 'Schließen' }).click();
    await outdated.waitFor({ state: 'detached' });
    await choose(page, 'Enterprise');
    await toPayment();
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await placeOrder();
    await dialog.getByText('Ihre Zahlung wird verarbeitet').waitFor();
    await client.call('POST /api/user/subscription', { planId: 'basic' });
    await outdated.waitFor();
    expect(changes).toHaveLength(1);
    expect(await client.call('GET /api/user/subscription', {})).toMatchObject({ tier: 'basic' });
  });
});
