import { joinedName, serverNames, type World } from '@talpa/test-kit/panel/people';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const list = '/tunnel-configuration';

/** Opens the dialog that connects a machine; the lists have the name in a button. */
async function openConnect(stage: Stage) {
  await stage.press(stage.words.user('servers.connect'));
  await stage.dialog.getByText(stage.words.proxy('connect.waiting')).waitFor();
  await stage.dialog.locator('pre.secret').waitFor();
}
/** A key of nobody's: each look would use up another one. @param connected the proxies of the machine that has used it */
const withKey =
  (...connected: ('connected' | 'offline' | 'blocked')[]) =>
  ({ page, world }: Stage) => {
    const moment = { createdAt: new Date().toISOString(), expiresAt: '2099-01-01T00:00:00.000Z' };
    const enrolmentKey = {
      id: 1,
      name: 'Server',
      ...{ proxyId: null, serverId: null },
      panel: null,
      ...moment,
      uses: 1,
      used: 0,
      connected: [],
    };
    const ids = connected.map((name) => world.proxyIds[name]);
    const used = ids.length === 0 ? {} : { used: 1, connected: ids };
    return page.route('**/api/enrolment-keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 201, json: { enrolmentKey, key: `talpa_ek_${'Q2hhcmFkZQ'.repeat(3)}ab` } })
        : route.fulfill({ json: [{ ...enrolmentKey, ...used }] }),
    );
  };

const pageOf =
  (server: keyof World['serverIds']): Screen['path'] =>
  ({ serverIds }) =>
    `/servers/${serverIds[server]}`;
const events = ({ page, words }: Stage) =>
  page.getByRole('heading', { name: words.user('proxy.events') }).waitFor();

/** Servers: how one is connected, and what belongs to it. */
export const serverScreens: readonly Screen[] = [
  { name: 'server-page', as: 'host', path: pageOf('host'), act: events },
  { name: 'server-page-empty', as: 'ending', path: pageOf('ending'), act: events },
  { name: 'server-page-member', as: 'full', path: pageOf('shared'), act: events },
  { name: 'server-page-missing', as: 'host', path: '/servers/999999999', expected: /status of 404/ },
  {
    name: 'server-page-loading',
    as: 'host',
    path: pageOf('host'),
    only: 390,
    held: /\/api\/servers\/\d+$/,
    isWaiting: true,
  },
  {
    name: 'server-page-failed',
    as: 'host',
    path: pageOf('host'),
    only: 390,
    lost: /\/api\/servers\/\d+$/,
    expected: /ERR_FAILED/,
  },
  {
    name: 'server-rename',
    as: 'host',
    path: pageOf('host'),
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.servers('rename'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'server-new-token',
    as: 'host',
    path: pageOf('host'),
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.servers('token.new'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'server-page-connect',
    as: 'ending',
    path: pageOf('ending'),
    isDialog: true,
    prepare: withKey(),
    act: async (stage) => {
      await stage.press(stage.words.servers('connect'));
      await stage.dialog.getByText(stage.words.proxy('connect.waiting')).waitFor();
      await stage.dialog.locator('pre.secret').waitFor();
    },
  },
  {
    name: 'server-token',
    as: 'host',
    path: pageOf('host'),
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.servers('token.show'));
      await stage.dialog.locator('code.secret').waitFor();
    },
  },
  {
    name: 'server-delete',
    as: 'ending',
    path: pageOf('ending'),
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.servers('delete'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'server-create-proxy',
    as: 'host',
    path: pageOf('host'),
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.user('proxies.add'));
      await stage.dialog.getByText(stage.words.servers('field.hint')).waitFor();
    },
  },
  {
    name: 'server-create-proxy-shared',
    as: 'host',
    path: pageOf('host'),
    isDialog: true,
    prepare: ({ page }) =>
      page.route('**/api/servers', async (route) => {
        const response = await route.fetch();
        const servers = (await response.json()) as object[];
        await route.fulfill({ response, json: servers.map((one) => ({ ...one, tokenShared: true })) });
      }),
    act: async (stage) => {
      await stage.press(stage.words.user('proxies.add'));
      await stage.dialog.getByText(stage.words.servers('shared')).waitFor();
    },
  },
  {
    name: 'server-move',
    as: 'host',
    path: list,
    isDialog: true,
    act: async (stage) => {
      const { proxy, servers } = stage.words;
      await stage.press(proxy('action', { action: proxy('action.more'), name: serverNames.offline }));
      await stage.page.getByRole('menuitem', { name: servers('move') }).click();
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'server-move-new',
    as: 'host',
    path: pageOf('host'),
    isDialog: true,
    act: async (stage) => {
      const { proxy, servers } = stage.words;
      await stage.press(proxy('action', { action: proxy('action.more'), name: joinedName }));
      await stage.page.getByRole('menuitem', { name: servers('move') }).click();
      await stage.dialog.getByRole('combobox').click();
      await stage.page.getByTitle(servers('field.new')).click();
      await stage.dialog.getByLabel(servers('move.name')).focus();
    },
  },
  {
    name: 'server-connect',
    as: 'host',
    path: list,
    prepare: withKey(),
    isDialog: true,
    isWaiting: true,
    act: openConnect,
  },
  {
    name: 'server-connect-windows',
    as: 'host',
    path: list,
    only: 1280,
    prepare: withKey(),
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await openConnect(stage);
      await stage.dialog.getByRole('tab', { name: 'Windows' }).click();
    },
  },
  {
    name: 'server-connect-egg',
    as: 'host',
    path: list,
    prepare: withKey(),
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await openConnect(stage);
      await stage.dialog.getByRole('tab', { name: 'Pterodactyl' }).click();
      await stage.dialog.getByText(stage.words.proxy('egg.create')).waitFor();
    },
  },
  {
    name: 'server-connect-failed',
    as: 'host',
    path: list,
    only: 390,
    lost: /\/api\/enrolment-keys/,
    expected: /ERR_FAILED/,
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await stage.press(stage.words.user('servers.connect'));
      await stage.dialog.getByText(stage.words.proxy('install.commandFailed')).waitFor();
    },
  },
  {
    name: 'servers-empty',
    as: 'ending',
    path: list,
    act: ({ page, words }) => page.getByRole('heading', { name: words.servers('empty') }).waitFor(),
  },
  ...(
    [
      ['done', 'connected'],
      ['enrolled', 'offline'],
      ['several', 'connected', 'blocked'],
    ] as const
  ).map(
    ([name, ...proxies]): Screen => ({
      name: `server-connect-${name}`,
      as: 'host',
      path: list,
      prepare: withKey(...proxies),
      isDialog: true,
      isWaiting: true,
      act: async (stage) => {
        await stage.press(stage.words.user('servers.connect'));
        await stage.dialog.getByText(stage.words.proxy('connect.server')).waitFor();
      },
    }),
  ),
  {
    name: 'proxy-install-docker',
    as: 'host',
    path: list,
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await stage.onProxy('offline', 'install');
      await stage.dialog.getByRole('tab', { name: 'Docker' }).click();
      await stage.dialog.getByText('Docker Compose').click();
      await stage.dialog.getByText(stage.words.proxy('install.what')).click();
    },
  },
  {
    name: 'proxy-install-egg',
    as: 'host',
    path: list,
    only: 390,
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await stage.onProxy('offline', 'install');
      await stage.dialog.getByText('Linux', { exact: true }).waitFor();
      const tab = stage.dialog.getByRole('tab', { name: 'Pterodactyl' });
      await tab.click();
      await stage.dialog.getByText(stage.words.proxy('egg.loopback')).waitFor();
    },
  },
  {
    name: 'enrolment-keys',
    as: 'host',
    path: '/settings?tab=security',
    prepare: withKey('connected'),
    act: async (stage) => {
      await stage.page.getByText(stage.words.servers('keys.text')).scrollIntoViewIfNeeded();
      await stage.page.getByRole('list', { name: stage.words.servers('keys') }).waitFor();
    },
  },
  {
    name: 'enrolment-key-revoke',
    as: 'host',
    path: '/settings?tab=security',
    only: 390,
    isDialog: true,
    act: async (stage) => {
      await stage.world.clients.host.call('POST /api/enrolment-keys', { name: 'Hauptserver' });
      await stage
        .button(stage.words.servers('keys.revoke.of', { name: 'Hauptserver' }))
        .first()
        .click();
      await stage.dialog.waitFor();
    },
  },
];
