import type { Channel, Delivery } from '@talpa/contracts';
import { notificationSamples } from '@talpa/test-kit/notifications';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const path = '/settings?tab=notifications';
const at = '2026-11-03T08:15:00.000Z';
const messageId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const common = { createdAt: at, formerSecretUntil: null, topics: ['proxies'] } satisfies Partial<Channel>;
const channels: readonly Channel[] = [
  {
    ...common,
    ...{ id: 1, kind: 'discord', name: 'Discord der Küstenwache', host: 'discord.com', state: 'active' },
    topics: ['proxies', 'account', 'announcements'],
    last: { at, isSuccess: true, status: 204, failure: null },
  },
  {
    ...common,
    ...{ id: 2, kind: 'webhook', name: 'Statusseite', state: 'paused', formerSecretUntil: at, last: null },
    host: 'hooks.vice-city-streetrace-und-drift-community-deutschland-offiziell.example:8443',
  },
  {
    ...common,
    ...{ id: 3, kind: 'ntfy', name: 'Mein Telefon', host: 'ntfy.sh', state: 'failing' },
    topics: ['proxies', 'account', 'security', 'announcements'],
    last: { at, isSuccess: false, status: null, failure: 'name_not_found' },
  },
];
const sent = {
  ...{ messageId, createdAt: at, stateAt: at, attempts: 1, uncertainAttempts: 0, nextAttemptAt: null },
  ...{ status: 204, failure: null, durationMs: 182 },
} as const;
const deliveries: readonly Delivery[] = [
  {
    ...sent,
    ...{ id: 4, notifications: [notificationSamples.connector_lost], state: 'queued', attempts: 2 },
    ...{ status: 503, uncertainAttempts: 1, nextAttemptAt: at },
  },
  {
    ...sent,
    ...{ id: 3, notifications: [notificationSamples.plan_ending, notificationSamples.proxy_error] },
    state: 'delivered',
  },
  { ...sent, id: 2, notifications: [notificationSamples.proxy_suspended], state: 'given_up', status: 404 },
  { ...sent, id: 1, notifications: [], state: 'delivered' },
];
const request = JSON.stringify({
  type: 'connector_lost',
  timestamp: at,
  data: { topic: 'proxies', level: 'warning' },
});

/** The calls get their responses here: nothing is sent. */
async function withChannels({ page }: Stage) {
  await page.route('**/api/user/channels', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: channels })
      : route.fulfill({
          status: 201,
          json: { channel: channels[1], secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
        }),
  );
  await page.route('**/api/user/channels/*/deliveries?*', (route) => route.fulfill({ json: deliveries }));
  await page.route('**/api/user/deliveries/*', (route) =>
    route.fulfill({ json: { ...deliveries[0], request, answer: '<h1>Service Unavailable</h1>' } }),
  );
}
async function openForm(stage: Stage, kind: Channel['kind']) {
  const { channels: words } = stage.words;
  await stage.press(words('create'));
  await stage.dialog.waitFor();
  await stage.dialog.getByLabel(words('kind'), { exact: true }).click();
  await stage.page
    .getByTitle(words(`kind.${kind}`), { exact: true })
    .last()
    .click();
  await stage.dialog.getByLabel(words('name'), { exact: true }).click();
}
const about = async (
  stage: Stage,
  action: 'history.of' | 'edit.of' | 'renew.of' | 'remove.of',
  name: string,
) => {
  await stage.press(stage.words.channels(action, { name }));
  await stage.dialog.waitFor();
};

/** The channels of one's settings. */
export const channelScreens: readonly Screen[] = [
  {
    name: 'channels',
    as: 'host',
    path,
    prepare: withChannels,
    act: (stage) => stage.button(stage.words.channels('test.of', { name: 'Mein Telefon' })).waitFor(),
  },
  {
    name: 'channels-failed',
    as: 'host',
    path,
    lost: /\/api\/user\/channels/,
    expected: /ERR_FAILED/,
    act: ({ page }) => page.getByRole('alert').first().waitFor(),
  },
  ...(['webhook', 'ntfy', 'telegram'] as const).map(
    (kind): Screen => ({
      name: `channel-create-${kind}`,
      as: 'host',
      path,
      isDialog: true,
      prepare: withChannels,
      act: (stage) => openForm(stage, kind),
    }),
  ),
  {
    name: 'channel-create-refused',
    as: 'host',
    path,
    isDialog: true,
    prepare: withChannels,
    act: async (stage) => {
      const { channels: words } = stage.words;
      await openForm(stage, 'discord');
      await stage.pressInDialog(words('form.create'));
      await stage.page.locator('.ant-form-item-explain-error').first().waitFor();
    },
  },
  {
    name: 'channel-secret',
    as: 'host',
    path,
    prepare: withChannels,
    act: async (stage) => {
      const { channels: words } = stage.words;
      await openForm(stage, 'webhook');
      await stage.dialog.getByLabel(words('name'), { exact: true }).fill('Statusseite');
      await stage.dialog.getByLabel(words('url.webhook'), { exact: true }).fill('https://example.com/hook');
      await stage.pressInDialog(words('form.create'));
      await stage.page.getByText(words('secret.once')).waitFor();
    },
  },
  {
    name: 'channel-edit',
    as: 'host',
    path,
    isDialog: true,
    prepare: withChannels,
    act: (stage) => about(stage, 'edit.of', 'Mein Telefon'),
  },
  {
    name: 'channel-new-secret',
    as: 'host',
    path,
    isDialog: true,
    prepare: withChannels,
    act: (stage) => about(stage, 'renew.of', 'Statusseite'),
  },
  {
    name: 'channel-delete',
    as: 'host',
    path,
    isDialog: true,
    prepare: withChannels,
    act: (stage) => about(stage, 'remove.of', 'Mein Telefon'),
  },
  {
    name: 'channel-history',
    as: 'host',
    path,
    isDialog: true,
    prepare: withChannels,
    act: async (stage) => {
      const { channels: words } = stage.words;
      await about(stage, 'history.of', 'Discord der Küstenwache');
      await stage.dialog
        .getByRole('button', { name: words('delivery.show') })
        .first()
        .click();
      await stage.page.getByLabel(words('delivery.answer'), { exact: true }).waitFor();
    },
  },
];
