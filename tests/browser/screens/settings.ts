import { Client } from '@talpa/test-kit/client';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import { peoplesPassword } from '@talpa/test-kit/panel/people';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { pages } from '../../../frontends/user/src/pages.ts';

const path = '/settings';
const security = '/settings?tab=security';
const lost = { expected: /ERR_FAILED/ } as const;

async function changePassword(stage: Stage, current: string, next: string, repeated = next) {
  const { settings } = stage.words;
  await stage.fill(settings('password.current'), current);
  await stage.fill(settings('password.new'), next);
  await stage.fill(settings('password.repeat'), repeated);
  await stage.press(settings('password.submit'));
  await stage.page.locator('.ant-form-item-explain-error').first().waitFor();
}
const typeEmail = (stage: Stage) => stage.fill(stage.words.settings('email'), 'lukas@nordstadt.example');
const openDeletion = async (stage: Stage) => {
  await stage.press(stage.words.settings('danger.open'));
  await stage.dialog.waitFor();
};

const addedAt = '2026-11-03T08:15:00.000Z';
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const recoveryCodes = Array.from(
  { length: 10 },
  (_, at) => `7K2M-9QXD-4TRW-${String(at).padStart(2, '0')}VH`,
);
/** The second factor's calls get their responses here: the person's own must not change. */
async function withFactor(stage: Stage, recoveryCodesLeft: number | null, passkeys = 0, isProven = true) {
  const { page } = stage;
  const authenticator = recoveryCodesLeft === null ? null : { addedAt, lastUsedAt: addedAt };
  const json = {
    authenticator,
    isPending: false,
    isProven,
    recoveryCodesLeft: recoveryCodesLeft ?? 0,
    passkeys,
  };
  await page.route('**/api/user/second-factor', (route) => route.fulfill({ json }));
  await page.route('**/api/user/authenticator', (route) =>
    route.fulfill({
      status: 201,
      json: { secret, uri: `otpauth://totp/Talpa:lukas.lehmann?secret=${secret}&issuer=Talpa` },
    }),
  );
  await page.route('**/api/user/authenticator/confirmation', (route) =>
    route.fulfill({ json: { recoveryCodes } }),
  );
}
/** The last sign-in was too long ago for the export. */
async function stepUp({ page }: Stage) {
  const json = { code: 'step_up_required', message: '', requestId: '1' };
  await page.route('**/api/user/export', (route) => route.fulfill({ status: 403, json }));
}
async function exportData(stage: Stage) {
  await stage.tab(stage.words.settings('tab.account'));
  await stage.press(stage.words.settings('export.submit'));
  await stage.dialog.waitFor();
}
/** The panel of an installation with passkeys; the person's own must not change. */
async function withPasskeys({ page }: Stage, names: readonly string[]) {
  await changeConfig(page, { passkeyHost: 'localhost' });
  const json = names.map((name, at) => ({
    ...{ id: at + 1, name, createdAt: addedAt, lastUsedAt: at === 0 ? addedAt : null },
    ...{ host: at === 2 ? 'alt.example.org' : 'localhost', isUsable: at !== 2 },
  }));
  await page.route('**/api/user/passkeys', (route) => route.fulfill({ json }));
}
const withSomePasskeys = (stage: Stage) => withPasskeys(stage, passkeyNames);
const withNoPasskeys = (stage: Stage) => withPasskeys(stage, []);
const showPasskeys = (stage: Stage) => stage.button(stage.words.settings('passkeys.add')).waitFor();
const passkeyNames = ['Telefon', 'Sicherheitsschlüssel am Schlüsselbund', 'Alter Laptop'];
const withoutFactor = (stage: Stage) => withFactor(stage, null);
async function showApp(stage: Stage, button: 'factor.setUp' | 'factor.replace' = 'factor.setUp') {
  const { settings } = stage.words;
  await stage.press(settings(button));
  await stage.page
    .getByRole('img', { name: settings('setUp.qr') })
    .locator('svg')
    .waitFor();
}

const skeleton = ({ page }: Stage) => page.locator('.ant-skeleton').first().waitFor();

/** The user's settings, tab by tab. */
export const settingsScreens: readonly Screen[] = [
  { name: 'settings-account', as: 'host', path },
  { name: 'settings-notifications', as: 'host', path: '/settings?tab=notifications' },
  {
    name: 'settings-notifications-no-email',
    as: 'host',
    path: '/settings?tab=notifications',
    act: async ({ page, words }) => {
      await page.getByRole('switch', { name: words.settings('notify.email') }).click();
      await page.getByText(words.settings('notify.email.off')).waitFor();
    },
  },
  {
    name: 'settings-notifications-no-address',
    as: 'host',
    path: '/settings?tab=notifications',
    prepare: ({ page }) =>
      page.route('**/api/user/notifications/channels', (route) => route.fulfill({ json: { email: true } })),
    act: async ({ page, words }) => {
      const { settings } = words;
      await page.getByRole('switch', { name: settings('notify.email') }).click();
      await page.getByText(settings('notify.email.needed')).waitFor();
      await page.getByRole('switch', { name: settings('quiet') }).click();
      await page.getByLabel(settings('quiet.to'), { exact: true }).waitFor();
    },
  },
  { name: 'settings-appearance', as: 'host', path: '/settings?tab=appearance' },
  {
    name: 'settings-security',
    as: 'host',
    path: security,
    act: async ({ page, words }) => {
      await page.getByText(words.settings('sessions.current')).waitFor();
      await page.getByRole('list', { name: words.settings('audit') }).waitFor();
    },
  },
  {
    name: 'settings-factor-on',
    as: 'host',
    path: security,
    prepare: (stage) => withFactor(stage, 1),
    act: (stage) => stage.button(stage.words.settings('factor.newCodes')).waitFor(),
  },
  {
    name: 'settings-step-up',
    as: 'host',
    path: security,
    expected: /status of 403/,
    // Its call waits behind the dialog.
    isWaiting: true,
    isDialog: true,
    prepare: async (stage) => {
      await withFactor(stage, null);
      await stepUp(stage);
    },
    act: exportData,
  },
  {
    name: 'settings-step-up-factor',
    as: 'host',
    path: security,
    expected: /status of 403/,
    // Its call waits behind the dialog.
    isWaiting: true,
    isDialog: true,
    prepare: async (stage) => {
      await withFactor(stage, 10);
      await stepUp(stage);
    },
    act: exportData,
  },
  {
    name: 'settings-factor-app',
    as: 'host',
    path: security,
    prepare: withoutFactor,
    act: (stage) => showApp(stage),
  },
  {
    name: 'settings-factor-replace',
    as: 'host',
    path: security,
    isDialog: true,
    prepare: (stage) => withFactor(stage, 10),
    act: (stage) => showApp(stage, 'factor.replace'),
  },
  {
    name: 'settings-factor-codes',
    as: 'host',
    path: security,
    prepare: withoutFactor,
    act: async (stage) => {
      const { settings } = stage.words;
      await showApp(stage);
      await stage.fill(settings('setUp.code'), '123456');
      await stage.pressInDialog(settings('setUp.confirm'));
      await stage.page.getByRole('list', { name: settings('codes.title') }).waitFor();
    },
  },
  {
    name: 'settings-passkeys',
    as: 'host',
    path: security,
    prepare: withSomePasskeys,
    act: showPasskeys,
  },
  {
    name: 'settings-passkeys-none',
    as: 'host',
    path: security,
    prepare: withNoPasskeys,
    act: showPasskeys,
  },
  {
    name: 'settings-passkey-add',
    as: 'host',
    path: security,
    isDialog: true,
    prepare: withNoPasskeys,
    act: async (stage) => {
      await stage.press(stage.words.settings('passkeys.add'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'settings-passkey-remove',
    as: 'host',
    path: security,
    isDialog: true,
    prepare: withSomePasskeys,
    act: async (stage) => {
      await stage.press(stage.words.settings('passkeys.removeOf').replace('{name}', 'Telefon'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'settings-step-up-passkey',
    as: 'host',
    path: security,
    expected: /status of 403/,
    // Its call waits behind the dialog.
    isWaiting: true,
    isDialog: true,
    prepare: async (stage) => {
      await changeConfig(stage.page, { passkeyHost: 'localhost' });
      await withFactor(stage, 10, 2);
      await stepUp(stage);
    },
    act: exportData,
  },
  {
    name: 'settings-factor-remove',
    as: 'host',
    path: security,
    isDialog: true,
    prepare: (stage) => withFactor(stage, 10),
    act: async (stage) => {
      await stage.press(stage.words.settings('factor.remove'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'second-factor-required',
    as: 'host',
    path: '/',
    prepare: async (stage) => {
      await changeConfig(stage.page, { secondFactor: 'everyone' });
      await withFactor(stage, null);
    },
    act: ({ page, words }) => page.getByText(words.settings('required.text')).waitFor(),
  },
  {
    name: 'second-factor-required-unproven',
    as: 'host',
    path: '/second-factor',
    prepare: async (stage) => {
      await changeConfig(stage.page, { secondFactor: 'everyone' });
      await withFactor(stage, 10, 0, false);
    },
    act: (stage) => stage.button(stage.words.settings('required.prove')).waitFor(),
  },
  {
    name: 'second-factor-required-done',
    as: 'host',
    path: '/second-factor',
    prepare: async (stage) => {
      await changeConfig(stage.page, { secondFactor: 'everyone' });
      await withFactor(stage, 10);
    },
    act: ({ page, words }) => page.getByText(words.settings('factor.required')).waitFor(),
  },
  {
    name: 'settings-security-failed',
    as: 'host',
    path: security,
    lost: /\/api\/user\/(sessions|audit)/,
    ...lost,
    act: ({ page }) => page.getByRole('alert').nth(1).waitFor(),
  },
  {
    name: 'settings-security-loading',
    as: 'host',
    path: security,
    held: /\/user\/(sessions|audit)/,
    isWaiting: true,
    act: skeleton,
  },
  {
    name: 'settings-end-others',
    as: 'host',
    path: security,
    act: async (stage) => {
      // A second place to be signed in.
      await new Client(stage.world.clients.host.base).call('POST /api/login', {
        username: 'lukas.lehmann',
        password: peoplesPassword,
      });
      await stage.page.reload();
      await stage.press(stage.words.settings('sessions.endOthers'));
      await stage.dialog.waitFor();
    },
  },
  { name: 'settings-unsaved', as: 'host', path, act: typeEmail },
  {
    name: 'settings-leaving',
    as: 'host',
    path,
    only: 1280,
    act: async (stage) => {
      await typeEmail(stage);
      await stage.page.getByRole('link', { name: stage.words.menu(pages.dashboard) }).click();
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'settings-password-faults',
    as: 'host',
    path,
    act: (stage) => changePassword(stage, '', '123', '1234'),
  },
  {
    name: 'settings-password-refused',
    as: 'host',
    path,
    expected: /status of 400/,
    act: (stage) => changePassword(stage, 'vergessen', 'maulwurf-2'),
  },
  {
    name: 'settings-export-failed',
    as: 'host',
    path,
    lost: /\/api\/user\/export/,
    ...lost,
    act: async (stage) => {
      await stage.press(stage.words.settings('export.submit'));
      await stage.page.getByRole('alert').waitFor();
    },
  },
  { name: 'settings-delete', as: 'full', path, isDialog: true, act: openDeletion },
  {
    name: 'settings-delete-refused',
    as: 'full',
    path,
    expected: /status of 400/,
    isDialog: true,
    act: async (stage) => {
      await openDeletion(stage);
      await stage.fill(stage.words.settings('delete.password'), 'vergessen');
      await stage.pressInDialog(stage.words.settings('delete.submit'));
      await stage.page.locator('.ant-form-item-explain-error').waitFor();
    },
  },
  {
    name: 'settings-saved',
    as: 'host',
    path: '/settings?tab=notifications',
    act: async (stage) => {
      await stage.press(stage.words.settings('save'));
      await stage.page.getByText(stage.words.settings('savedText'), { exact: true }).waitFor();
    },
  },
  { name: 'settings-loading', as: 'host', path, held: /\/preferences/, isWaiting: true, act: skeleton },
  { name: 'settings-failed', as: 'host', path, lost: /\/preferences/, ...lost },
  {
    name: 'auth-interrupted',
    as: 'host',
    path,
    expected: /status of 401/,
    act: async (stage) => {
      await typeEmail(stage);
      await stage.page.context().clearCookies();
      const save = stage.page.getByRole('button', { name: stage.words.settings('save'), exact: true });
      // Another request may notice first that the session is gone: then the form is gone, too.
      await save.click({ timeout: 5_000 }).catch(() => {});
      await stage.page.getByText(stage.words.shell('interrupted.lost')).waitFor();
    },
  },
];
