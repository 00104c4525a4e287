import type { InstallationChannel, InstallationDelivery, InstallationEvent } from '@talpa/contracts';
import { notificationSamples } from '@talpa/test-kit/notifications';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { wordsIn } from '@talpa/test-kit/panel/words';

const page = { as: 'admin', path: '/admin/channels' } as const;
const at = '2026-11-03T08:15:00.000Z';
const whose = { userId: 7, user: 'lukas.lehmann' };
const common = { createdAt: at, formerSecretUntil: null } satisfies Partial<InstallationChannel>;
const channels: readonly InstallationChannel[] = [
  {
    ...common,
    ...{ id: 1, kind: 'webhook', name: 'Rechnungsstelle', host: 'billing.example.org', state: 'active' },
    topics: ['account', 'users'],
    last: { at, isSuccess: true, status: 204, failure: null },
  },
  {
    ...common,
    ...{ id: 2, kind: 'discord', name: 'Discord des Teams', host: 'discord.com', state: 'gone' },
    topics: ['proxies', 'account', 'security', 'announcements', 'users'],
    last: { at, isSuccess: false, status: 404, failure: null },
  },
];
const sent = {
  ...{ messageId: '0f8fad5b-d9cb-469f-a165-70867728950e', createdAt: at, stateAt: at, attempts: 1 },
  ...{ uncertainAttempts: 0, nextAttemptAt: null, status: 204, failure: null, durationMs: 96 },
} as const;
const event = (content: object) => ({ ...content, ...whose }) as InstallationEvent;
const deliveries: readonly InstallationDelivery[] = [
  { ...sent, id: 3, state: 'delivered', notifications: [event({ kind: 'user_created', params: {} })] },
  { ...sent, id: 2, state: 'delivered', notifications: [event(notificationSamples.plan_ending)] },
  { ...sent, id: 1, state: 'given_up', status: 500, notifications: [event(notificationSamples.wrong_codes)] },
];

/** The calls are answered here: nothing is sent. */
async function withChannels({ page: shown }: Stage) {
  await shown.route('**/api/admin/channels', (route) => route.fulfill({ json: channels }));
  await shown.route('**/api/admin/channels/*/deliveries?*', (route) => route.fulfill({ json: deliveries }));
}
// Administrators read German.
const { channels: say } = wordsIn('de');

/** The channels of the installation. */
export const installationChannelScreens: readonly Screen[] = [
  {
    name: 'admin-channels',
    ...page,
    prepare: withChannels,
    act: (stage) => stage.button(say('test.of', { name: 'Discord des Teams' })).waitFor(),
  },
  { name: 'admin-channels-none', ...page },
  {
    name: 'admin-channels-failed',
    ...{ ...page, lost: /\/api\/admin\/channels/, expected: /ERR_FAILED/ },
    act: (stage) => stage.page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'admin-channel-create',
    ...page,
    isDialog: true,
    act: async (stage) => {
      await stage.press(say('create'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'admin-channel-history',
    ...page,
    isDialog: true,
    prepare: withChannels,
    act: async (stage) => {
      await stage.press(say('history.of', { name: 'Rechnungsstelle' }));
      await stage.dialog
        .getByRole('button', { name: say('delivery.show') })
        .first()
        .waitFor();
    },
  },
];
