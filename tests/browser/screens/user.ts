import { originProblems, type SystemState } from '@talpa/contracts';
import { panelPresets } from '@talpa/contracts/panels';
import { heading } from '@talpa/test-kit/panel/heading';
import { serverNames } from '@talpa/test-kit/panel/people';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { pages } from '../../../frontends/user/src/pages.ts';

const list = '/tunnel-configuration';
const inbox = pages.notifications.path;
const inboxCall = /\/api\/user\/notifications\?/;
const lost = { expected: /ERR_FAILED/ } as const;

/** Opens what the bell shows. */
async function openNewest({ page, dialog, words }: Stage) {
  await page.getByRole('button', { name: new RegExp(`^${words.shell('bell')}`) }).click();
  await dialog.getByRole('list').waitFor();
}

/** Opens the form for a new proxy. */
async function openAdd(stage: Stage) {
  await stage.page
    .getByRole('button', { name: stage.words.user('proxies.add') })
    .first()
    .click();
  await stage.dialog.waitFor();
}
async function submitAdd(stage: Stage) {
  await stage.pressInDialog(stage.words.user('create.submit'));
}

/** From now on a proxy reads as if it had been changed elsewhere, and edits of it are refused as outdated. */
async function changeElsewhere({ page, world }: Stage, changes: object) {
  await page.route(`**/api/tunnel-configs/${world.proxyIds.offline}`, async (route) => {
    if (route.request().method() === 'PUT')
      return route.fulfill({ status: 409, json: { code: 'edit_conflict', message: '', requestId: 'r1' } });
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } });
  });
}

const paused = {
  since: '2026-11-03T08:15:00.000Z',
  message:
    'Wir stellen auf die neue Version um und sind gegen 18:00 Uhr zurück. Neuigkeiten gibt es im Discord.',
};
/** Proxies read as if they were paused. */
async function pause({ page, world }: Stage, message = paused.message) {
  const { connected, offline } = world.proxyIds;
  const asPaused = (proxy: { readonly id: number }) =>
    [connected, offline].includes(proxy.id) ? { ...proxy, paused: { ...paused, message } } : proxy;
  await page.route(/\/api\/(admin\/)?tunnel-configs(\/\d+)?(\?|$)/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const body = (await response.json()) as { id: number } | { id: number }[];
    return route.fulfill({ response, json: Array.isArray(body) ? body.map(asPaused) : asPaused(body) });
  });
}

/** What the instructions say first of a proxy. */
const installStates = {
  connected: 'connected',
  offline: 'waiting',
  gone: 'noTunnel',
  pending: 'pending',
} as const;

/** The user's part: dashboard, proxies. */
export const userScreens: readonly Screen[] = [
  { name: 'dashboard', as: 'host', path: '/' },
  { name: 'dashboard-admin', as: 'admin', path: '/' },
  {
    name: 'dashboard-admin-failing',
    as: 'admin',
    path: '/',
    only: 390,
    prepare: ({ page }) =>
      page.route('**/api/admin/system', async (route) => {
        const response = await route.fetch();
        const { checks, ...rest } = (await response.json()) as SystemState;
        const failing = checks.map((one) => (one.check === 'mail' ? { ...one, state: 'failing' } : one));
        await route.fulfill({ json: { ...rest, checks: failing } });
      }),
    act: ({ page }) => page.getByText('eingerichtet, funktioniert aber nicht').waitFor(),
  },
  { name: 'dashboard-new', as: 'newcomer', path: '/' },
  { name: 'dashboard-starter', as: 'starter', path: '/' },
  { name: 'dashboard-shared', as: 'full', path: '/' },
  { name: 'dashboard-ending', as: 'ending', path: '/' },
  { name: 'dashboard-expired', as: 'expired', path: '/' },
  { name: 'dashboard-suspended', as: 'suspended', path: '/' },
  { name: 'dashboard-loading', as: 'host', path: '/', held: /\/api\/system\/stats/, isWaiting: true },
  {
    name: 'dashboard-unknown',
    as: 'host',
    path: '/',
    lost: /\/api\/(system\/stats|user\?)/,
    expected: /ERR_FAILED|Verbindungsfehler/,
  },

  { name: 'notifications', as: 'full', path: inbox },
  { name: 'notifications-empty', as: 'newcomer', path: inbox },
  { name: 'notifications-loading', as: 'full', path: inbox, held: inboxCall, isWaiting: true },
  { name: 'notifications-failed', as: 'full', path: inbox, lost: inboxCall, ...lost },
  { name: 'notifications-newest', as: 'full', path: '/', only: 1280, isDialog: true, act: openNewest },

  { name: 'proxies', as: 'host', path: list },
  { name: 'proxies-empty', as: 'starter', path: list },
  { name: 'proxies-no-plan', as: 'newcomer', path: list },
  { name: 'proxies-limit', as: 'full', path: list },
  { name: 'proxies-suspended', as: 'suspended', path: list },
  { name: 'proxies-loading', as: 'host', path: list, held: /\/api\/tunnel-configs/, isWaiting: true },
  { name: 'proxies-failed', as: 'host', path: list, lost: /\/api\/tunnel-configs/, ...lost },

  { name: 'proxy-create', as: 'host', path: list, isDialog: true, act: openAdd },
  {
    name: 'proxy-create-faults',
    as: 'host',
    path: list,
    isDialog: true,
    act: async (stage) => {
      await openAdd(stage);
      await stage.fill(stage.words.proxy('field.adminPort'), '99999');
      await submitAdd(stage);
      await stage.page.locator('.ant-form-item-explain-error').first().waitFor();
    },
  },
  {
    name: 'proxy-create-https',
    as: 'host',
    path: list,
    isDialog: true,
    act: async (stage) => {
      await openAdd(stage);
      const { page, dialog, words } = stage;
      await dialog.getByRole('combobox', { name: words.proxy('field.panel') }).click();
      await page.getByTitle(panelPresets.crafty.name, { exact: true }).click();
      await dialog.getByText(words.proxy('field.advanced'), { exact: true }).click();
      await dialog.getByLabel(words.proxy('field.http2Origin'), { exact: true }).waitFor();
    },
  },
  {
    name: 'proxy-create-refused',
    as: 'host',
    path: list,
    expected: /status of 409/,
    isDialog: true,
    act: async (stage) => {
      await openAdd(stage);
      await stage.fill(stage.words.proxy('field.serverName'), 'Dorf-RP');
      await submitAdd(stage);
      await stage.page.locator('.ant-form-item-explain-error, .ant-alert-error').first().waitFor();
    },
  },
  {
    name: 'proxy-create-running',
    as: 'starter',
    path: list,
    isWaiting: true,
    act: async (stage) => {
      await openAdd(stage);
      await stage.hold(/\/api\/tunnel-configs$/);
      await stage.fill(stage.words.proxy('field.serverName'), 'Mein erster Server');
      await submitAdd(stage);
      await stage.page.getByText(stage.words.user('create.progress')).waitFor();
    },
  },
  ...(['connected', 'offline', 'gone', 'pending'] as const).map(
    (server): Screen => ({
      name: `proxy-install-${server}`,
      as: 'host',
      path: list,
      isDialog: true,
      isWaiting: true,
      act: async (stage) => {
        await stage.onProxy(server, 'install');
        await stage.dialog.getByText(stage.words.proxy(`install.${installStates[server]}`)).waitFor();
      },
    }),
  ),
  {
    name: 'proxy-install-windows',
    as: 'host',
    path: list,
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await stage.onProxy('offline', 'install');
      await stage.dialog.getByRole('tab', { name: 'Windows' }).click();
    },
  },
  {
    name: 'proxy-install-explained',
    as: 'host',
    path: list,
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await stage.onProxy('offline', 'install');
      await stage.dialog.getByText(stage.words.proxy('install.byHand')).click();
      for (const fold of await stage.dialog.getByText(stage.words.proxy('install.what')).all())
        await fold.click();
    },
  },
  {
    name: 'proxy-install-failed',
    as: 'host',
    path: list,
    lost: /tunnel-token/,
    ...lost,
    isDialog: true,
    act: async (stage) => {
      await stage.onProxy('offline', 'install');
      await stage.dialog.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'proxy-status',
    as: 'host',
    path: list,
    isDialog: true,
    act: (stage) => stage.onProxy('connected', 'check'),
  },
  {
    name: 'proxy-recreate',
    as: 'host',
    path: list,
    act: async (stage) => {
      await stage.onProxy('connected', 'check');
      await stage.pressInDialog(stage.words.proxy('action.recreate'));
      await stage.page.getByText(stage.words.proxy('recreate.title'), { exact: true }).waitFor();
    },
  },
  {
    name: 'proxy-edit',
    as: 'host',
    path: list,
    isDialog: true,
    act: (stage) => stage.onProxy('offline', 'edit'),
  },
  {
    name: 'proxy-edit-moves',
    as: 'host',
    path: list,
    act: async (stage) => {
      await stage.onProxy('offline', 'edit');
      await stage.fill(stage.words.proxy('field.serverName'), 'Südstadt Roleplay');
      await stage.page.getByText(stage.words.proxy('edit.moves')).waitFor();
      await stage.dialog.getByText(stage.words.proxy('address.free')).waitFor();
    },
  },
  {
    name: 'proxy-edit-conflict',
    as: 'host',
    path: list,
    expected: /status of 409/,
    act: async (stage) => {
      await stage.onProxy('offline', 'edit');
      await stage.fill(stage.words.proxy('field.adminPort'), '30121');
      await changeElsewhere(stage, { serverName: 'Nordstadt Roleplay 2' });
      await stage.pressInDialog(stage.words.proxy('edit.submit'));
      await stage.page.getByText(stage.words.kit('conflict.title')).waitFor();
    },
  },
  {
    name: 'proxy-edit-stopped',
    as: 'host',
    path: list,
    act: async (stage) => {
      const suspension = { of: 'proxy', since: '2026-11-03T08:15:00.000Z', reason: 'Phishing' };
      await changeElsewhere(stage, { suspension });
      await stage.onProxy('offline', 'edit');
      await stage.page.getByText(stage.words.proxy('stopped.proxy')).waitFor();
    },
  },
  {
    name: 'proxy-delete',
    as: 'host',
    path: list,
    isDialog: true,
    act: (stage) => stage.onProxy('offline', 'delete'),
  },
  {
    name: 'proxy-pause',
    as: 'host',
    path: list,
    isDialog: true,
    act: async (stage) => {
      await stage.onProxy('connected', 'pause');
      await stage.fill(stage.words.proxy('pause.label.message'), paused.message);
    },
  },
  { name: 'proxies-paused', as: 'host', path: list, prepare: (stage) => pause(stage) },
  { name: 'dashboard-paused', as: 'host', path: '/', prepare: (stage) => pause(stage) },
  {
    name: 'proxy-resume',
    as: 'host',
    path: list,
    isDialog: true,
    prepare: (stage) => pause(stage),
    act: (stage) => stage.onProxy('connected', 'resume'),
  },
  ...(['connected', 'offline'] as const).map(
    (server): Screen => ({
      name: `proxy-page-paused-${server}`,
      as: 'host',
      path: ({ proxyIds }) => `${list}/${proxyIds[server]}`,
      prepare: (stage) => pause(stage, server === 'offline' ? '' : undefined),
      act: (stage) => stage.button(stage.words.proxy('action.resume')).waitFor(),
    }),
  ),
  {
    name: 'proxy-pause-message',
    as: 'host',
    path: ({ proxyIds }) => `${list}/${proxyIds.connected}`,
    isDialog: true,
    prepare: (stage) => pause(stage),
    act: async (stage) => {
      await stage.press(stage.words.proxy('paused.change'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'proxy-install-second',
    as: 'host',
    path: list,
    isDialog: true,
    isWaiting: true,
    act: async (stage) => {
      await changeElsewhere(stage, { panel: 'mcsManager' });
      await stage.onProxy('offline', 'install');
      await stage.dialog.getByText(stage.words.proxy('second.add')).waitFor();
    },
  },

  ...(['connected', 'offline', 'gone', 'blocked'] as const).map(
    (server): Screen => ({
      name: `proxy-page-${server}`,
      as: 'host',
      path: ({ proxyIds }) => `${list}/${proxyIds[server]}`,
      act: ({ page }) => heading(page, serverNames[server]).waitFor(),
    }),
  ),
  ...(['history', 'settings'] as const).map(
    (tab): Screen => ({
      name: `proxy-page-${tab}`,
      as: 'host',
      path: ({ proxyIds }) => `${list}/${proxyIds.connected}?tab=${tab}`,
      act: ({ page, words }) =>
        page
          .getByRole('heading', { name: words.user(tab === 'history' ? 'proxy.events' : 'proxy.danger') })
          .waitFor(),
    }),
  ),
  ...originProblems.map(
    (problem): Screen => ({
      name: `proxy-page-problem-${problem}`,
      as: 'host',
      path: ({ proxyIds }) => `${list}/${proxyIds.connected}`,
      act: async ({ page, words }) => {
        const isPlain = problem === 'speaks_https' || problem === 'closes';
        const change = (path: string, changes: (body: object) => object) =>
          page.route(path, async (route) => {
            const response = await route.fetch();
            return route.fulfill({ response, json: changes((await response.json()) as object) });
          });
        await change('**/api/tunnel-configs/*', (proxy) => ({
          ...{ ...proxy, originProtocol: isPlain ? 'http' : 'https', adminPort: isPlain ? 40_120 : 8_443 },
        }));
        const origin = {
          ...{ state: problem === 'speaks_https' ? 'ok' : 'unreachable', problem, failures: 3 },
          ...{ lastResponseAt: null, lastStatus: null, lastUnreachableAt: '2026-11-03T08:15:00.000Z' },
        };
        await change('**/api/tunnel-configs/*/health', (health) => ({ ...health, origin }));
        await page.reload();
        await page.getByText(words.user(`proxy.problem.${problem}`), { exact: true }).waitFor();
      },
    }),
  ),
  { name: 'proxy-page-missing', as: 'host', path: `${list}/999999999`, expected: /status of 404/ },
];
