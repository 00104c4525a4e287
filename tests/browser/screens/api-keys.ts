import type { ApiKey } from '@talpa/contracts';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const path = '/settings?tab=security';
const createdAt = '2026-11-03T08:15:00.000Z';
const unlimited = { proxyIds: null, networks: [], createdAt } as const;
const apiKeys: readonly ApiKey[] = [
  {
    ...{ ...unlimited, id: 17, name: 'Server-Skript', networks: [] },
    scopes: ['proxies:read', 'proxies:write', 'tunnel-token:read'],
    expiresAt: '2099-02-01T08:15:00.000Z',
    ...{ lastUsedAt: '2026-11-20T17:42:00.000Z', lastUsedAddress: '2001:db8:85a3::8a2e:370:7334' },
  },
  {
    ...{ id: 18, name: 'Überwachung der Vice-City-Streetrace-und-Drift-Community', createdAt },
    ...{ scopes: ['proxies:read'], proxyIds: [999_999], networks: ['203.0.113.0/24', '2001:db8::/48'] },
    ...{ expiresAt: null, lastUsedAt: null, lastUsedAddress: null },
  },
  {
    ...{ ...unlimited, id: 19, name: 'Alter Versuch', networks: [] },
    ...{ scopes: ['account:read'], expiresAt: '2026-11-10T08:15:00.000Z' },
    ...{ lastUsedAt: '2026-11-09T08:15:00.000Z', lastUsedAddress: '198.51.100.7' },
  },
];
const key = `talpa_17_${'5b1f0c9e'.repeat(8)}`;

/** The calls get their responses here: the person's own keys must not change. */
const withKeys = ({ page }: Stage, known: readonly ApiKey[] = apiKeys) =>
  page.route('**/api/user/api-keys', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: known })
      : route.fulfill({ status: 201, json: { apiKey: apiKeys[0], key } }),
  );
const withSome = (stage: Stage) => withKeys(stage);
const showList = (stage: Stage) => stage.button(stage.words.apiKeys('create')).waitFor();
async function openForm(stage: Stage) {
  await stage.press(stage.words.apiKeys('create'));
  await stage.dialog.waitFor();
}

/** The API keys of a user. */
export const apiKeyScreens: readonly Screen[] = [
  { name: 'api-keys', as: 'host', path, prepare: withSome, act: showList },
  {
    name: 'api-keys-none',
    as: 'host',
    path,
    prepare: (stage) => withKeys(stage, []),
    act: async (stage) => {
      await stage.page.getByText(stage.words.apiKeys('keys.empty')).waitFor();
    },
  },
  {
    name: 'api-keys-failed',
    as: 'host',
    path,
    lost: /\/api\/user\/api-keys/,
    expected: /ERR_FAILED/,
    act: ({ page }) => page.getByRole('alert').first().waitFor(),
  },
  { name: 'api-key-create', as: 'host', path, isDialog: true, prepare: withSome, act: openForm },
  { name: 'api-key-create-admin', as: 'admin', path, isDialog: true, prepare: withSome, act: openForm },
  {
    name: 'api-key-create-refused',
    as: 'host',
    path,
    isDialog: true,
    prepare: withSome,
    act: async (stage) => {
      const { apiKeys: words } = stage.words;
      await openForm(stage);
      await stage.dialog.getByLabel(words('form.networks'), { exact: true }).fill('10.0.0.0/33');
      await stage.pressInDialog(words('form.submit'));
      await stage.page.locator('.ant-form-item-explain-error').first().waitFor();
    },
  },
  {
    name: 'api-key-secret',
    as: 'host',
    path,
    prepare: withSome,
    act: async (stage) => {
      const { apiKeys: words } = stage.words;
      await openForm(stage);
      await stage.dialog.getByLabel(words('form.name'), { exact: true }).fill('Server-Skript');
      await stage.dialog.getByRole('checkbox').first().check();
      await stage.pressInDialog(words('form.submit'));
      await stage.page.getByText(words('secret.once')).waitFor();
    },
  },
  {
    name: 'api-key-revoke',
    as: 'host',
    path,
    isDialog: true,
    prepare: withSome,
    act: async (stage) => {
      await stage.press(stage.words.apiKeys('revoke.of', { name: 'Server-Skript' }));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'admin-user-api-keys',
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.host}`,
    prepare: ({ page }) =>
      page.route('**/api/admin/users/*/api-keys', (route) => route.fulfill({ json: apiKeys })),
    act: ({ page, words }) => page.getByRole('heading', { name: words.admin('user.apiKeys') }).waitFor(),
  },
];
