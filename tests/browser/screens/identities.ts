import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const signedOut = { as: null, path: '/auth', expected: /status of 40[13]/ } as const;
const security = '/settings?tab=security';
const providers = [
  { id: 'discord', kind: 'discord', label: 'Discord' },
  { id: 'company', kind: 'openid', label: 'Nordstadt Hosting GmbH & Co. KG' },
] as const;
const linkedAt = '2026-11-03T08:15:00.000Z';
const identities = [
  {
    ...{ id: 1, provider: providers[0], issuer: 'https://discord.com', name: 'lukas.lehmann' },
    ...{ linkedAt, lastUsedAt: linkedAt },
  },
  {
    ...{ id: 2, provider: null, issuer: 'https://anmeldung.los-santos-life.example/realms/main' },
    ...{ name: 'lukas.lehmann@los-santos-life.example', linkedAt, lastUsedAt: null },
  },
];

/** The panel of an installation with sign-in providers. */
async function withProviders({ page }: Stage, linked: readonly object[] = []) {
  await page.route('**/api/sign-in-providers', (route) => route.fulfill({ json: providers }));
  await page.route('**/api/user/identities', (route) => route.fulfill({ json: linked }));
}
const named = (text: string, provider: string) => text.replace('{provider}', provider);
const withLinked = (stage: Stage) => withProviders(stage, identities);
const showList = (stage: Stage) =>
  stage.button(named(stage.words.settings('identities.link'), 'Discord')).waitFor();
/** The browser comes back from a provider, and this is the response to that. */
async function comeBack({ page }: Stage, state: string, json: object) {
  await page.route('**/api/login/provider', (route) => route.fulfill({ status: 403, json }));
  await page.route('**/api/user/identities', (route) => route.fulfill({ status: 403, json }));
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/sign-in/discord?state=${state}&code=abc`);
}
/** An account that was created through a provider, and that has no password yet. */
async function withoutPassword({ page }: Stage) {
  const json = {
    authenticator: null,
    isPending: false,
    isProven: true,
    recoveryCodesLeft: 0,
    passkeys: 0,
    hasPassword: false,
  };
  await page.route('**/api/user/second-factor', (route) => route.fulfill({ json }));
}
const setFirst = (stage: Stage) => stage.button(stage.words.settings('password.first')).waitFor();
const refusal = (stage: Stage, message: Readonly<Record<'de' | 'en', string>>) => ({
  ...{ code: 'identity_not_linked', requestId: '1' },
  message: message[stage.look.language],
});

/** Signing in through a provider, and linked identities. */
export const identityScreens: readonly Screen[] = [
  {
    name: 'auth-login-providers',
    ...signedOut,
    prepare: (stage) => withProviders(stage),
    act: (stage) => stage.button(named(stage.words.shell('auth.provider'), 'Discord')).waitFor(),
  },
  {
    name: 'auth-provider-refused',
    ...signedOut,
    act: async (stage) => {
      const message = {
        de: 'Mit dieser Anmeldung bei „Discord“ ist kein Konto verknüpft. Melden Sie sich auf Ihrem bisherigen Weg an, und verknüpfen Sie sie in den Einstellungen unter „Sicherheit“.',
        en: 'This “Discord” sign-in isn’t linked to an account. Sign in the way you usually do, and link it in your settings under “Security”.',
      };
      await comeBack(stage, 'sign_in.abc', refusal(stage, message));
      await stage.page.getByText(stage.words.shell('provider.failed'), { exact: true }).waitFor();
    },
  },
  {
    name: 'auth-provider-register',
    ...signedOut,
    act: async (stage) => {
      await comeBack(stage, 'sign_in.abc', {
        ...{ code: 'account_missing', message: '', challenge: 'abc', requestId: '1' },
        suggestion: { username: 'lukas.lehmann', email: 'lukas@nordstadt.example' },
      });
      await stage.page.getByLabel(stage.words.shell('auth.username'), { exact: true }).waitFor();
    },
  },
  {
    name: 'provider-link-refused',
    as: 'host',
    path: security,
    expected: /status of 403/,
    act: async (stage) => {
      const message = {
        de: 'Diese Anmeldung bei „Discord“ ist bereits mit einem anderen Konto verknüpft.',
        en: 'This “Discord” sign-in is already linked to a different account.',
      };
      await comeBack(stage, 'link.abc', refusal(stage, message));
      await stage.page.getByText(stage.words.shell('provider.link.failed'), { exact: true }).waitFor();
    },
  },
  { name: 'settings-password-first', as: 'host', path: '/settings', prepare: withoutPassword, act: setFirst },
  {
    name: 'settings-step-up-again',
    as: 'host',
    path: '/settings',
    expected: /status of 403/,
    // Its call waits behind the dialog.
    isWaiting: true,
    isDialog: true,
    prepare: withoutPassword,
    act: async (stage) => {
      await setFirst(stage);
      const json = { code: 'step_up_required', message: '', requestId: '1' };
      await stage.page.route('**/api/user/export', (route) => route.fulfill({ status: 403, json }));
      await stage.press(stage.words.settings('export.submit'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'settings-identities',
    as: 'host',
    path: security,
    prepare: withLinked,
    act: showList,
  },
  {
    name: 'settings-identities-none',
    as: 'host',
    path: security,
    prepare: (stage) => withProviders(stage),
    act: showList,
  },
  {
    name: 'settings-identity-unlink',
    as: 'host',
    path: security,
    isDialog: true,
    prepare: withLinked,
    act: async (stage) => {
      const { settings } = stage.words;
      await stage.press(named(settings('identities.unlinkOf'), 'Discord').replace('{name}', 'lukas.lehmann'));
      await stage.dialog.waitFor();
    },
  },
];
