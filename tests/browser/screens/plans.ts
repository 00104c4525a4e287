import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { until } from '@talpa/test-kit/wait';
import type { Route } from 'playwright-core';

const path = '/subscription';

async function choose(stage: Stage, plan = 'Enterprise') {
  const { user } = stage.words;
  const choice = user(plan === 'Enterprise' ? 'plan.upgrade' : 'plan.downgrade');
  await stage.press(`${choice}: ${plan}`);
  await stage.dialog.waitFor();
}
/** The button that places the order; it also names the amount. */
const payButton = (stage: Stage) => stage.dialog.getByRole('button', { name: stage.words.payment('pay') });
async function toPayment(stage: Stage) {
  await choose(stage);
  await stage.dialog.getByRole('checkbox').check();
  await stage.pressInDialog(stage.words.payment('next'));
  await stage.dialog.getByRole('tab').first().waitFor();
}
async function payBy(stage: Stage, method: 'credit' | 'paypal' | 'bank') {
  await toPayment(stage);
  await stage.dialog.getByRole('tab', { name: stage.words.payment(`method.${method}`) }).click();
}
async function toConfirmation(stage: Stage) {
  await payBy(stage, 'credit');
  const { payment } = stage.words;
  await stage.fill(payment('card.number'), '4111 1111 1111 1111');
  await stage.fill(payment('card.name'), 'Lukas Lehmann');
  await stage.fill(payment('card.expiry'), '12/30');
  await stage.fill(payment('card.cvc'), '123');
  await stage.pressInDialog(payment('review'));
  await payButton(stage).waitFor();
}
async function pay(stage: Stage) {
  await toConfirmation(stage);
  await payButton(stage).click();
  await stage.page.getByText(stage.words.payment('processing')).waitFor();
}

/** Plans, and paying for one. */
export const planScreens: readonly Screen[] = [
  { name: 'subscription', as: 'host', path },
  { name: 'subscription-none', as: 'newcomer', path },
  { name: 'subscription-suspended', as: 'suspended', path },
  { name: 'subscription-ending', as: 'ending', path },
  { name: 'subscription-expired', as: 'expired', path },
  { name: 'subscription-loading', as: 'host', path, held: /\/api\/user\/subscription$/, isWaiting: true },
  {
    name: 'subscription-failed',
    as: 'host',
    path,
    lost: /\/api\/user\/subscription$/,
    expected: /ERR_FAILED/,
  },

  {
    name: 'payment-renewal',
    as: 'ending',
    path,
    act: async (stage) => {
      await stage.press(stage.words.user('plan.renew.ending'));
      await stage.dialog.waitFor();
    },
  },
  { name: 'payment-details', as: 'host', path, isDialog: true, act: (stage) => choose(stage) },
  { name: 'payment-smaller', as: 'host', path, act: (stage) => choose(stage, 'Starter') },
  {
    name: 'payment-terms',
    as: 'host',
    path,
    act: async (stage) => {
      await choose(stage);
      await stage.pressInDialog(stage.words.payment('next'));
      await stage.page.getByText(stage.words.payment('mustAgree')).waitFor();
    },
  },
  ...(['credit', 'paypal', 'bank'] as const).map(
    (method): Screen => ({
      name: `payment-${method}`,
      as: 'host',
      path,
      act: (stage) => payBy(stage, method),
    }),
  ),
  {
    name: 'payment-faults',
    as: 'host',
    path,
    act: async (stage) => {
      await payBy(stage, 'credit');
      await stage.pressInDialog(stage.words.payment('review'));
      await stage.page.getByText(stage.words.payment('card.fault.cvc')).waitFor();
    },
  },
  { name: 'payment-confirmation', as: 'host', path, act: toConfirmation },
  {
    name: 'payment-confirmation-bank',
    as: 'host',
    path,
    act: async (stage) => {
      await payBy(stage, 'bank');
      await stage.pressInDialog(stage.words.payment('review'));
      await payButton(stage).waitFor();
    },
  },
  {
    name: 'payment-confirmation-free',
    as: 'host',
    path,
    act: async (stage) => {
      const { payment } = stage.words;
      await choose(stage, 'Starter');
      await stage.dialog.getByRole('checkbox').check();
      await stage.pressInDialog(payment('review'));
      await stage.button(payment('pay.free')).waitFor();
    },
  },
  {
    name: 'payment-cancel',
    as: 'host',
    path,
    act: async (stage) => {
      await toConfirmation(stage);
      await stage.page.keyboard.press('Escape');
      await stage.page.getByText(stage.words.payment('cancel.title')).waitFor();
    },
  },
  {
    name: 'payment-stopped',
    as: 'host',
    path,
    act: async (stage) => {
      const { page } = stage;
      // The live stream opens only when the account reads as suspended, and its beginning has all fetched again.
      const streams: Route[] = [];
      await page.route('**/api/events', (route) => void streams.push(route));
      await page.reload();
      await toConfirmation(stage);
      await page.route('**/api/user', async (route) => {
        const response = await route.fetch();
        const suspension = { since: '2026-11-03T08:15:00.000Z', reason: 'Phishing' };
        return route.fulfill({ response, json: { ...((await response.json()) as object), suspension } });
      });
      await until('the stream is asked for', () => streams.length > 0);
      await Promise.all(streams.map((stream) => stream.continue()));
      await stage.dialog.getByText(stage.words.payment('suspended')).waitFor();
    },
  },
  { name: 'payment-processing', as: 'host', path, random: 0.95, isWaiting: true, act: pay },
  {
    name: 'payment-error',
    as: 'host',
    path,
    random: 0.95,
    act: async (stage) => {
      await pay(stage);
      await stage.button(stage.words.payment('retry')).waitFor();
    },
  },
  {
    name: 'payment-refused',
    as: 'host',
    path,
    random: 0,
    expected: /status of 500/,
    act: async (stage) => {
      await stage.page.route('**/api/user/subscription', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.fallback(),
      );
      await pay(stage);
      await stage.page.getByText(stage.words.payment('error.server')).waitFor();
    },
  },
  {
    name: 'payment-success',
    as: 'host',
    path,
    random: 0,
    act: async (stage) => {
      // The plan stays: the next look finds the same one.
      await stage.page.route('**/api/user/subscription', async (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              json: {
                tier: 'enterprise',
                proxyLimit: 25,
                expiry: '2027-01-05T08:00:00.000Z',
                expiredTier: null,
              },
            })
          : route.fallback(),
      );
      await pay(stage);
      await stage.dialog.getByText(stage.words.payment('success.paid')).waitFor();
    },
  },
  {
    name: 'payment-ordered',
    as: 'host',
    path,
    random: 0,
    act: async (stage) => {
      // A transfer that is awaited changes no plan: the next look finds the same one.
      const { payment } = stage.words;
      await payBy(stage, 'bank');
      await stage.dialog.getByRole('radio').last().check();
      await stage.pressInDialog(payment('review'));
      await payButton(stage).click();
      // The toast says it, too.
      await stage.dialog.getByText(payment('success.ordered')).waitFor();
    },
  },
];
