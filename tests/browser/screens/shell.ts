import type { ProviderProblem, RegistrationMode } from '@talpa/contracts';
import { notificationSamples } from '@talpa/test-kit/notifications';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import { peoplesPassword } from '@talpa/test-kit/panel/people';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { carrySession } from '@talpa/test-kit/signed-in';

/** Before signing in, the browser itself logs the expected 401 of “who am I?” as an error. */
const signedOut = { as: null, path: '/auth', expected: /status of 401/ } as const;

const toRegister = (stage: Stage) => stage.tab(stage.words.shell('auth.register'));
const submit = (stage: Stage, name: string) =>
  stage.page.getByRole('tabpanel').getByRole('button', { name, exact: true }).click();
const waiting = ({ page }: Stage) => page.getByRole('status').first().waitFor();

/** Answers the password as for an account with a second factor. */
async function toSecondStep(stage: Stage) {
  const { shell } = stage.words;
  const json = { code: 'second_factor_required', message: '', challenge: 'abc', requestId: '1' };
  await stage.page.route('**/api/login', (route) => route.fulfill({ status: 401, json }));
  await stage.fill(shell('auth.username'), 'lukas.lehmann');
  await stage.fill(shell('auth.password'), peoplesPassword);
  await submit(stage, shell('auth.login'));
  await stage.page.getByRole('heading', { name: shell('factor.title') }).waitFor();
}

/** The page of an installation where registration is restricted. */
const registering = (mode: RegistrationMode): Partial<Screen> => ({
  prepare: ({ page }) => changeConfig(page, { registration: mode }),
  act: toRegister,
});

/** The page of an installation with a mail server. */
const sendingEmail = ({ page }: Stage) => changeConfig(page, { sendsEmail: true });

const problems: readonly ProviderProblem[] = [
  {
    fault: 'token_malformed',
    detail: 'create tunnel: 400 6003 Invalid request headers',
    since: '2026-11-03T08:15:00.000Z',
  },
  {
    fault: 'zone_unknown',
    detail: 'create record: 404 7003 Could not route to the object',
    since: '2026-11-03T08:20:00.000Z',
  },
];

/** What the shell shows by itself. */
export const shellScreens: readonly Screen[] = [
  { name: 'auth-login', ...signedOut },
  {
    name: 'auth-login-passkey',
    ...signedOut,
    prepare: ({ page }) => changeConfig(page, { passkeyHost: 'localhost' }),
    act: (stage) => stage.button(stage.words.shell('auth.passkey')).waitFor(),
  },
  {
    name: 'auth-login-refused',
    ...signedOut,
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.fill(shell('auth.username'), 'lukas.lehmann');
      await stage.fill(shell('auth.password'), 'vergessen');
      await submit(stage, shell('auth.login'));
      await stage.page
        .getByRole('alert')
        .filter({ hasText: shell('auth.login.error') })
        .waitFor();
    },
  },
  { name: 'auth-factor', ...signedOut, act: toSecondStep },
  {
    name: 'auth-factor-recovery',
    ...signedOut,
    act: async (stage) => {
      await toSecondStep(stage);
      await stage.press(stage.words.shell('factor.useRecovery'));
      await stage.page.getByLabel(stage.words.shell('factor.recovery'), { exact: true }).waitFor();
    },
  },
  {
    name: 'auth-factor-refused',
    ...signedOut,
    expected: /status of 40[01]/,
    act: async (stage) => {
      const { shell } = stage.words;
      await toSecondStep(stage);
      await stage.fill(shell('factor.app'), '123456');
      await stage.press(shell('auth.login'));
      await stage.page.getByText(shell('auth.login.error'), { exact: true }).waitFor();
    },
  },
  { name: 'auth-register', ...signedOut, act: toRegister },
  {
    name: 'auth-register-faults',
    ...signedOut,
    act: async (stage) => {
      const { shell } = stage.words;
      await toRegister(stage);
      await stage.fill(shell('auth.username'), 'ab');
      await stage.fill(shell('auth.password'), '123');
      await submit(stage, shell('auth.register'));
      await stage.page.locator('.ant-form-item-explain-error').nth(2).waitFor();
    },
  },
  {
    name: 'auth-register-refused',
    ...signedOut,
    expected: /status of 4(01|09)/,
    act: async (stage) => {
      const { shell } = stage.words;
      await toRegister(stage);
      await stage.fill(shell('auth.username'), 'Lukas.Lehmann');
      await stage.fill(shell('auth.password'), peoplesPassword);
      await stage.fill(shell('auth.confirmPassword'), peoplesPassword);
      await submit(stage, shell('auth.register'));
      await stage.page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'auth-register-proof',
    ...signedOut,
    expected: /status of 4(01|03)/,
    isWaiting: true,
    act: async (stage) => {
      const { shell } = stage.words;
      await toRegister(stage);
      await stage.fill(shell('auth.username'), 'lukas.neu');
      await stage.fill(shell('auth.password'), peoplesPassword);
      await stage.fill(shell('auth.confirmPassword'), peoplesPassword);
      const challenge = `18.${'a'.repeat(22)}`;
      const json = { code: 'registration_proof_required', message: 'text', challenge, requestId: 'a' };
      await stage.page.route('**/api/register', (route) => route.fulfill({ status: 403, json }));
      // It computes nothing: its code never comes.
      await stage.hold(/\.js$/);
      await submit(stage, shell('auth.register'));
      await stage.page.getByText(shell('auth.proof'), { exact: true }).waitFor();
    },
  },
  { name: 'auth-register-invited', ...signedOut, path: '/auth#invite=ABCD-EFGH-JKMN' },
  { name: 'auth-register-invite', ...signedOut, ...registering('invite') },
  { name: 'auth-register-closed', ...signedOut, ...registering('closed') },
  { name: 'auth-forgotten', ...signedOut, path: '/forgotten', prepare: sendingEmail },
  { name: 'auth-forgotten-no-email', ...signedOut, path: '/forgotten' },
  {
    name: 'auth-forgotten-faults',
    ...signedOut,
    path: '/forgotten',
    prepare: sendingEmail,
    act: async (stage) => {
      await stage.press(stage.words.shell('forgotten.submit'));
      await stage.page.locator('.ant-form-item-explain-error').waitFor();
    },
  },
  {
    name: 'auth-forgotten-done',
    ...signedOut,
    path: '/forgotten',
    prepare: sendingEmail,
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.fill(shell('forgotten.account'), 'niemand');
      await stage.press(shell('forgotten.submit'));
      await stage.page.getByText(shell('forgotten.done')).waitFor();
    },
  },
  { name: 'reset', ...signedOut, path: '/reset#ein-link' },
  {
    name: 'reset-faults',
    ...signedOut,
    path: '/reset#ein-link',
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.fill(shell('reset.password'), '123');
      await stage.press(shell('reset.submit'));
      await stage.page.locator('.ant-form-item-explain-error').nth(1).waitFor();
    },
  },
  {
    name: 'reset-refused',
    ...signedOut,
    path: '/reset#ein-link',
    expected: /status of 40[13]/,
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.fill(shell('reset.password'), peoplesPassword);
      await stage.fill(shell('auth.confirmPassword'), peoplesPassword);
      await stage.press(shell('reset.submit'));
      await stage.page.getByText(shell('reset.useless')).waitFor();
    },
  },
  { name: 'auth-verify', ...signedOut, path: '/verify#ein-link' },
  {
    name: 'auth-verify-refused',
    ...signedOut,
    path: '/verify#ein-link',
    expected: /status of 40[13]/,
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.fill(shell('verify.password'), peoplesPassword);
      await stage.press(shell('link.verify.submit'));
      await stage.page.getByText(shell('reset.useless')).waitFor();
    },
  },
  {
    name: 'auth-verify-done',
    ...signedOut,
    path: '/verify#ein-link',
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.page.route('**/api/email-verification', (route) => route.fulfill({ status: 204 }));
      await stage.fill(shell('verify.password'), peoplesPassword);
      await stage.press(shell('link.verify.submit'));
      await stage.page.getByText(shell('link.verify.done')).waitFor();
    },
  },
  { name: 'auth-not-me', ...signedOut, path: '/not-me#ein-link' },
  {
    name: 'auth-not-me-refused',
    ...signedOut,
    path: '/not-me#ein-link',
    expected: /status of 40[13]/,
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.press(shell('link.notMe.submit'));
      await stage.page.getByText(shell('reset.useless')).waitFor();
    },
  },
  {
    name: 'auth-not-me-done',
    ...signedOut,
    path: '/not-me#ein-link',
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.page.route('**/api/intrusion-report', (route) => route.fulfill({ status: 204 }));
      await stage.press(shell('link.notMe.submit'));
      await stage.page.getByText(shell('link.notMe.done')).waitFor();
    },
  },
  { name: 'unsubscribe', ...signedOut, path: '/unsubscribe?token=ein-link' },
  {
    name: 'unsubscribe-refused',
    ...signedOut,
    path: '/unsubscribe?token=ein-link',
    expected: /status of 40[13]/,
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.press(shell('link.unsubscribe.submit'));
      await stage.page.getByText(shell('reset.useless')).waitFor();
    },
  },
  {
    name: 'unsubscribe-done',
    ...signedOut,
    path: '/unsubscribe?token=ein-link',
    act: async (stage) => {
      const { shell } = stage.words;
      await stage.page.route('**/api/unsubscription', (route) => route.fulfill({ status: 204 }));
      await stage.press(shell('link.unsubscribe.submit'));
      await stage.page.getByText(shell('link.unsubscribe.done')).waitFor();
    },
  },
  {
    name: 'email-needed',
    as: 'newcomer',
    path: '/',
    prepare: ({ page }) => changeConfig(page, { emailRequired: true, sendsEmail: true }),
    act: ({ page, words }) => page.getByText(words.shell('email.needed')).waitFor(),
  },
  {
    name: 'email-undeliverable',
    as: 'host',
    path: '/',
    prepare: async ({ page }) => {
      const address = 'lukas.lehmann@vice-city-streetrace-und-drift-community-deutschland.example';
      const json = { verified: address, unverified: null, undeliverable: ['verified'] };
      await page.route('**/api/user/email', (route) => route.fulfill({ json }));
      await changeConfig(page, { emailRequired: true, sendsEmail: true });
    },
    act: ({ page, words }) => page.getByText(words.shell('email.refused')).waitFor(),
  },
  {
    name: 'announcement',
    as: 'host',
    path: '/',
    prepare: async ({ page }) => {
      const { params } = notificationSamples.announcement;
      const now = Date.now();
      const json = (['warning', 'info'] as const).map((level, id) => ({
        ...{ id: id + 1, kind: 'announcement', topic: 'announcements', level, readAt: null },
        createdAt: new Date(now).toISOString(),
        params: {
          ...{ ...params, level, startsAt: new Date(now - 60_000).toISOString() },
          endsAt: new Date(now + 3_600_000).toISOString(),
        },
      }));
      await page.route('**/api/user/notifications/announcements', (route) => route.fulfill({ json }));
      await page.route('**/api/user/notifications/unread-count', (route) =>
        route.fulfill({ json: { unread: 2 } }),
      );
    },
    act: async ({ page, words, look }) => {
      const title = notificationSamples.announcement.params.title[look.language];
      const close = page.getByRole('button', { name: words.shell('announcement.close', { title }) });
      await close.nth(1).waitFor();
    },
  },
  { name: 'mascot', ...signedOut, path: '/maulwurf' },
  { name: 'not-found', as: 'host', path: '/gibt-es-nicht' },
  { name: 'not-found-admin', as: 'host', path: '/admin/users' },
  { name: 'not-found-signed-out', ...signedOut, path: '/gibt-es-nicht' },
  { name: 'session-loading', as: 'host', path: '/', held: /\/api\/user$/, isWaiting: true, act: waiting },
  {
    name: 'session-unknown',
    as: 'host',
    path: '/',
    lost: /\/api\/user$/,
    expected: /ERR_FAILED/,
    act: ({ page }) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'remote-down',
    as: 'host',
    path: '/',
    lost: /\/remotes\/user\//,
    expected: /./,
    act: ({ page, words }) => page.getByText(words.shell('remote.title')).waitFor(),
  },
  {
    name: 'provider-problems',
    as: 'admin',
    path: '/',
    prepare: ({ page }) =>
      page.route('**/api/admin/provider-problems', (route) => route.fulfill({ json: problems })),
    act: ({ page, words }) => page.getByText(words.shell('problems.title')).waitFor(),
  },
  {
    name: 'storage-short',
    as: 'admin',
    path: '/',
    prepare: async ({ page }) => {
      const json = { freeBytes: 120_000_000, reserveBytes: 500_000_000, isShort: true };
      await page.route('**/api/admin/storage', (route) => route.fulfill({ json }));
    },
    act: ({ page, words }) => page.getByText(words.shell('storage.title')).waitFor(),
  },
  {
    name: 'account-changed',
    as: 'host',
    path: '/',
    act: async ({ page, words, world }) => {
      // Before it the page does not know whom it belongs to, and would show the other account's without a word.
      await page.locator('h1', { hasNotText: /^Talpa$/ }).waitFor();
      // As another tab does that signs somebody else in.
      await carrySession(page, world.clients.starter);
      const change = JSON.stringify({ change: 'signedIn', userId: world.userIds.starter });
      await page.evaluate(`new BroadcastChannel('talpa-session').postMessage(${change})`);
      await page.getByRole('button', { name: words.shell('account.changed.close') }).waitFor();
      await page.locator('h1', { hasNotText: /^Talpa$/ }).waitFor();
    },
  },
  { name: 'sidebar-expanded', as: 'admin', path: '/', stored: { 'sidebar-state': 'expanded' }, only: 1280 },
  {
    name: 'sidebar-expanded-list',
    as: 'admin',
    path: '/admin/tunnel',
    stored: { 'sidebar-state': 'expanded' },
    only: 1280,
  },
  {
    name: 'sidebar-open',
    as: 'admin',
    path: '/',
    only: 390,
    act: async (stage) => {
      await stage.press(stage.words.shell('layout.open'));
      await stage.button(stage.words.shell('layout.close')).waitFor();
    },
  },
];
