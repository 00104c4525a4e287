import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.ts';
import { newUser } from '../kit/client.ts';
import { useTalpa } from '../kit/system.ts';

const system = useTalpa();
const browser = useBrowser();

/** A user on the page of the plans, whose payments go well (`random` below 0.9) or not. */
async function onPlans(random: number, plan?: 'basic') {
  const { client } = await newUser(system.url, plan);
  const { page, complaints } = await browser.open(system.url);
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);
  await page.addInitScript(`Math.random = () => ${random}`);
  await page.goto('/subscription');
  const dialog = page.getByRole('dialog', { name: /bestellen/ });
  const press = (button: string) => dialog.getByRole('button', { name: button, exact: true }).click();
  const tier = async () => (await client.call('GET /api/user/subscription', {})).tier;
  return { page, complaints, dialog, press, tier };
}

const choose = (page: Page, plan: string) =>
  page.getByRole('button', { name: `Plan wählen: ${plan}` }).click();

describe('the payment dialog', () => {
  it('goes on only when the terms are accepted and the card is complete, and then changes the plan once', async () => {
    const { page, complaints, dialog, press, tier } = await onPlans(0.5);
    await choose(page, 'Premium');
    await press('Weiter zur Zahlung');
    await dialog.getByText('Sie müssen den Bedingungen zustimmen, um fortzufahren.').waitFor();
    await dialog.getByRole('checkbox').check();
    await press('Weiter zur Zahlung');

    await press('Bestellung prüfen');
    const fault = dialog.getByText('Bitte geben Sie den Namen des Karteninhabers ein');
    await fault.waitFor();
    await expect.poll(() => dialog.getByText(/^Bitte geben Sie /).count()).toBe(4);
    await dialog.getByLabel('Name des Karteninhabers').fill('Erika Muster');
    await fault.waitFor({ state: 'detached' });
    await dialog.getByLabel('Kartennummer').fill('4111x1111 11111111 99');
    await dialog.getByLabel('Gültig bis').pressSequentially('1230');
    await dialog.getByLabel('Prüfnummer (CVC)').fill('123');
    await expect.poll(() => dialog.getByLabel('Kartennummer').inputValue()).toBe('4111 1111 1111 1111');
    await expect.poll(() => dialog.getByLabel('Gültig bis').inputValue()).toBe('12/30');
    await press('Bestellung prüfen');
    await dialog.getByText('Kreditkarte mit den Endziffern 1111').waitFor();
    const changes: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && changes.push(request.url()));
    await press('Bestätigen und bezahlen');
    await dialog.getByText('Ihre Zahlung wird verarbeitet').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText('Zahlung erfolgreich').waitFor();
    await page.getByText('Ihr neuer Plan ist „Premium“.', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(tier).toBe('premium');
    expect(changes).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('that fails says why it may have, keeps what was entered, and changes nothing', async () => {
    const { page, dialog, press, tier } = await onPlans(0.95);
    await choose(page, 'Basic');
    await dialog.getByRole('checkbox').check();
    await press('Weiter zur Zahlung');
    await dialog.getByRole('tab', { name: 'PayPal' }).click();
    await press('Weiter mit PayPal');
    await press('Bestätigen und bezahlen');
    for (const text of [
      'Bei der Verarbeitung Ihrer Zahlung ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.',
      'Das Konto ist nicht ausreichend gedeckt.',
      'Die Karte wurde abgelehnt.',
      'Beim Zahlungsanbieter ist ein technisches Problem aufgetreten.',
    ])
      await dialog.getByText(text, { exact: true }).waitFor();
    await press('Erneut versuchen');
    await expect
      .poll(() => dialog.getByRole('tab', { name: 'PayPal' }).getAttribute('aria-selected'))
      .toBe('true');
    await expect.poll(tier).toBe(null);
  });

  it('by transfer after receipt begins no plan and says so; leaving a started payment asks first', async () => {
    const { page, dialog, press, tier } = await onPlans(0.5, 'basic');
    await choose(page, 'Enterprise');
    await dialog.getByText('nicht anrechenbar').waitFor();
    await dialog.getByRole('checkbox').check();
    await press('Weiter zur Zahlung');
    await dialog.getByRole('tab', { name: 'Überweisung' }).click();
    await dialog.getByText(/^\d{4}-\d{6}$/).waitFor();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Zahlung abbrechen?' });
    await question.getByRole('button', { name: 'Abbrechen', exact: true }).click();
    await dialog.getByRole('radio', { name: /Erst nach Zahlungseingang/ }).check();
    await press('Bestellung prüfen');
    await press('Bestätigen und bezahlen');
    await dialog.getByText(/Ihre Bestellung ist eingegangen/).waitFor();
    await dialog.getByRole('button', { name: 'Schließen' }).last().click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(tier).toBe('basic');

    await choose(page, 'Premium');
    await dialog.getByRole('checkbox').check();
    await press('Weiter zur Zahlung');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Zahlung abbrechen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await choose(page, 'Premium');
    await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(false);
  });
});
