import type { AccessRule, ProxyAccess, ResponseOf, Routes, ServiceToken, Visit } from '@talpa/contracts';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const path: Screen['path'] = ({ proxyIds }) => `/tunnel-configuration/${proxyIds.offline}?tab=access`;
const rule = (
  action: AccessRule['action'],
  match: AccessRule['match'],
  expiresAt: string | null = null,
): AccessRule => ({ action, match, expiresAt });
const address = '2001:db8:4a3f:9c01:7d2e:31ff:fe08:c5d2';
const access: ProxyAccess = {
  policy: {
    kind: 'rules',
    otherwise: 'deny',
    rules: [
      rule('allow', { by: 'address', network: address }, '2099-11-23T18:02:00.000Z'),
      rule('deny', { by: 'address', network: '198.51.100.0/24' }),
      rule('continue', { by: 'path', path: '/verwaltung/protokolle/server-neustarts' }),
      rule('allow', { by: 'country', country: 'DE' }),
      rule('allow', { by: 'address', network: '203.0.113.8' }, '2026-01-05T10:00:00.000Z'),
    ],
  },
  available: true,
  signIn: true,
  email: true,
  secrets: { pin: true, password: false },
  ...{ address, country: 'DE' },
};

const visit = (id: number, more: Partial<Visit>): Visit => ({
  ...{
    id: `00000000-0000-4000-8000-00000000000${id}`,
    methods: ['pin'],
    userId: null,
    username: null,
    email: null,
    isAdmin: false,
  },
  ...{ network: '198.51.100.0/24', agent: 'chrome' },
  ...{ createdAt: '2026-01-05T10:00:00.000Z', endsAt: '2099-01-12T10:00:00.000Z', ...more },
});
/** Who visits, and what tokens are called, in every language. */
export const visitorNames = [
  'nordstadt-roleplay-community-team',
  'support',
  'Discord-Bot',
  'Sicherung',
] as const;
/** Who gets codes, in every language. */
const visitorEmails = ['mara.lindemann-hoffmann@nordstadt-roleplay.example', 'ben@example.com'] as const;
const visits: readonly Visit[] = [
  visit(1, {
    methods: ['owner'],
    userId: 7,
    username: visitorNames[0],
    agent: 'firefox',
  }),
  visit(2, { methods: ['owner'], userId: 8, username: visitorNames[1], isAdmin: true }),
  visit(4, { methods: ['email'], email: visitorEmails[0], agent: 'edge' }),
  visit(3, { methods: ['pin', 'password'], network: '2001:db8:4a3f::/48', agent: 'safari' }),
];

const tokens: readonly ServiceToken[] = [
  { id: 1, name: visitorNames[2], createdAt: '2026-01-05T10:00:00.000Z', expiresAt: null },
  {
    id: 2,
    name: visitorNames[3],
    createdAt: '2025-01-05T10:00:00.000Z',
    expiresAt: '2026-01-05T10:00:00.000Z',
  },
];

/** The calls get their responses here: what is shown depends on where the test's browser is. */
async function withAccess(stage: Stage, changes: Partial<ProxyAccess> = {}) {
  const { page } = stage;
  await page.route('**/api/tunnel-configs/*/access', (route) =>
    route.fulfill({ json: { ...access, ...changes } }),
  );
  await page.route('**/api/tunnel-configs/*/access/verdict?*', (route) =>
    route.fulfill({ json: { outcome: 'deny', reason: 'no_rule', rule: null, country: 'JP' } }),
  );
  await page.route('**/api/tunnel-configs/*/visits', (route) =>
    route.fulfill({ json: { visits, count: 214 } }),
  );
  await page.route('**/api/tunnel-configs/*/service-tokens', (route) =>
    route.fulfill(
      route.request().method() === 'GET'
        ? { json: tokens }
        : { status: 201, json: { token: tokens[0], secret: `talpa_st_${'A'.repeat(43)}` } },
    ),
  );
}
const withRules = (stage: Stage) => withAccess(stage);
const withWall = (stage: Stage) => withAccess(stage, wall);
async function scrollTo(stage: Stage) {
  const button = stage.button(stage.words.access('change'));
  await button.waitFor();
  await button.scrollIntoViewIfNeeded();
}
async function open(stage: Stage, button: 'change' | 'test') {
  await stage.press(stage.words.access(button));
  await stage.dialog.waitFor();
}

const wall: Partial<ProxyAccess> = {
  policy: {
    ...{ kind: 'wall', methods: ['member', 'pin', 'email'], require: 'any', days: 7, preflights: true },
    emails: [...visitorEmails],
    rules: [rule('allow', { by: 'path', path: '/api/remote' })],
  },
};

const pinOnly: ProxyAccess['policy'] = {
  ...{ kind: 'wall', methods: ['pin'], require: 'any', days: 7, rules: [], emails: [], preflights: false },
};

const visited: ResponseOf<Routes['GET /api/walls/:host']> = {
  ...{ url: 'http://nordstadt-roleplay-live.tunnel.localhost:8081', as: 'administrator' },
  ...{ serverName: 'Nordstadt Roleplay', ownerName: visitorNames[0] },
};

/** Who may visit a proxy. */
export const accessScreens: readonly Screen[] = [
  { name: 'access', as: 'host', path, prepare: withRules, act: scrollTo },
  {
    name: 'access-unavailable',
    as: 'host',
    path,
    prepare: (stage) => withAccess(stage, { policy: { kind: 'open' }, available: false }),
    act: scrollTo,
  },
  {
    name: 'access-edit',
    as: 'host',
    path,
    isDialog: true,
    prepare: withRules,
    act: (stage) => open(stage, 'change'),
  },
  {
    name: 'access-wall',
    as: 'host',
    path,
    prepare: withWall,
    act: (stage) => stage.button(stage.words.access('visits.endAll')).scrollIntoViewIfNeeded(),
  },
  {
    name: 'access-token-secret',
    as: 'host',
    path,
    prepare: withWall,
    act: async (stage) => {
      const { access: words } = stage.words;
      await stage.press(words('tokens.create'));
      await stage.fill(words('tokens.form.name'), 'Discord-Bot');
      await stage.pressInDialog(words('tokens.form.submit'));
      await stage.page.getByText(words('tokens.secret.once')).waitFor();
    },
  },
  {
    name: 'access-end-visits',
    as: 'host',
    path,
    only: 390,
    isDialog: true,
    prepare: withWall,
    act: async (stage) => {
      await stage.press(stage.words.access('visits.endAll'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'access-edit-wall',
    as: 'host',
    path,
    isDialog: true,
    prepare: withWall,
    act: (stage) => open(stage, 'change'),
  },
  {
    name: 'access-edit-no-mail',
    as: 'host',
    path,
    isDialog: true,
    prepare: (stage) => withAccess(stage, { ...wall, policy: pinOnly, email: false, signIn: false }),
    act: (stage) => open(stage, 'change'),
  },
  {
    name: 'access-edit-wrong-email',
    as: 'host',
    path,
    isDialog: true,
    prepare: withWall,
    act: async (stage) => {
      const { access: words } = stage.words;
      await open(stage, 'change');
      await stage.fill(words('form.emails'), 'mara.lindemann@');
      await stage.pressInDialog(words('form.submit'));
      await stage.dialog.locator('.ant-form-item-explain-error').first().waitFor();
    },
  },
  {
    name: 'visit',
    as: 'host',
    path: `/visit?host=web.tunnel.localhost&state=${'A'.repeat(43)}`,
    prepare: ({ page }) => page.route('**/api/walls/*', (route) => route.fulfill({ json: visited })),
    act: ({ page, words }) => page.getByText(words.user('visit.caution')).waitFor(),
  },
  {
    name: 'visit-refused',
    as: 'host',
    path: '/visit?host=other.tunnel.localhost&state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    expected: /status of 404/,
    act: ({ page, words }) => page.getByText(words.user('visit.failed')).waitFor(),
  },
  {
    name: 'access-edit-wrong',
    as: 'host',
    path,
    isDialog: true,
    prepare: withRules,
    act: async (stage) => {
      const { access: words } = stage.words;
      await open(stage, 'change');
      await stage.pressInDialog(words('form.addRule'));
      await stage.pressInDialog(words('form.submit'));
      await stage.dialog.locator('.ant-form-item-explain-error').first().waitFor();
    },
  },
  {
    name: 'access-test',
    as: 'host',
    path,
    isDialog: true,
    prepare: withRules,
    act: async (stage) => {
      const { access: words } = stage.words;
      await open(stage, 'test');
      await stage.pressInDialog(words('test.submit'));
      await stage.dialog.getByText(words('verdict.deny'), { exact: true }).waitFor();
    },
  },
];
