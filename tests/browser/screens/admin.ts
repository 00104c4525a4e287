import { languages, readingOf } from '@talpa/contracts';
import { mailSamples } from '@talpa/test-kit/mails';
import { announcementTitles } from '@talpa/test-kit/panel/announcements';
import { keptKinds, mailReaders } from '@talpa/test-kit/panel/mails';
import { invitationNotes } from '@talpa/test-kit/panel/people';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { createRender } from '../../../services/notifications/templates/render.ts';
import { withFindings } from './findings.ts';

const users = { as: 'admin', path: '/admin/users' } as const;
const proxies = { as: 'admin', path: '/admin/tunnel' } as const;
const audit = { as: 'admin', path: '/admin/audit' } as const;
const mails = { as: 'admin', path: '/admin/mail' } as const;
const shownKinds = keptKinds.filter((kind) => readingOf(kind) !== 'none' || kind === 'password_changed');
const render = createRender({ PUBLIC_URL: 'https://panel.example.org', TIME_ZONE: 'Europe/Berlin' });
const [username, token] = ['jan', 'A'.repeat(43)];
const announcements = { as: 'admin', path: '/admin/announcements' } as const;
const invitations = { as: 'admin', path: '/admin/invitations' } as const;
const somebody = 'lukas.lehmann';
const longAddress = 'thomas.brandenburg-von-hohenstein@los-santos-life.example';

async function openCreate(stage: Stage) {
  await stage.press(stage.words.admin('users.create'));
  await stage.dialog.waitFor();
}

async function openInvite(stage: Stage) {
  await stage.press(stage.words.admin('invitations.create'));
  await stage.dialog.waitFor();
}

/** Presses one of the buttons in an announcement's row. */
async function onAnnouncement(stage: Stage, action: 'edit' | 'end') {
  const say = stage.words.adminAnnouncements;
  await stage.press(say('action', { action: say(action), name: announcementTitles.planned }));
  await stage.dialog.waitFor();
}

/** Selects all users but the administrator. */
async function chooseAll({ page }: Stage) {
  await page.getByRole('checkbox').first().check();
}

/** The administrators' part. */
/** Types a name while somebody else changes the user's limit. */
async function changeElsewhere(stage: Stage) {
  await stage.onRow('edit', somebody);
  await stage.fill(stage.words.admin('form.username'), 'lukas.neu');
  const { clients, userIds } = stage.world;
  const user = await clients.admin.call('GET /api/admin/users/:id', { id: userIds.host });
  await clients.admin.call('PUT /api/admin/users/:id', { ...user, proxyLimit: 22 - user.proxyLimit });
  await stage.dialog.getByRole('alert').waitFor();
}

/** The user has a second factor; the answer is made here, because their own sign-in must not change. */
async function withFactor({ page }: Stage) {
  const at = '2026-11-03T08:15:00.000Z';
  const json = {
    authenticator: { addedAt: at, lastUsedAt: at },
    isPending: false,
    isProven: true,
    recoveryCodesLeft: 8,
    passkeys: 2,
    hasPassword: true,
  };
  await page.route('**/api/admin/users/*/second-factor', (route) => route.fulfill({ json }));
}

/** Certificates in every state; the answer is made here, because no authority is at hand. */
async function withCertificates({ page }: Stage) {
  const at = '2026-11-03T08:15:00.000Z';
  const valid = {
    state: 'valid',
    notAfter: at,
    nextAttemptAt: at,
    problem: null,
    detail: null,
    failedAt: null,
  };
  const failed = { ...valid, problem: 'port_closed', detail: 'Timeout during connect', failedAt: at };
  const json = [
    { ...valid, name: 'neu.tunnel.example.net', state: 'pending', notAfter: null },
    { ...failed, name: 'panel.example.com', state: 'expired' },
    { ...failed, name: 'ein-ziemlich-langer-servername.tunnel.example.net', state: 'failing' },
    { ...valid, name: '*.tunnel.example.net' },
  ];
  await page.route('**/api/admin/certificates', (route) => route.fulfill({ json }));
}

export const adminScreens: readonly Screen[] = [
  { name: 'admin-users', ...users },
  { name: 'admin-users-loading', ...users, held: /\/api\/admin\/users/, isWaiting: true },
  { name: 'admin-users-failed', ...users, lost: /\/api\/admin\/users/, expected: /ERR_FAILED/ },
  { name: 'admin-users-none-found', ...users, path: '/admin/users?q=gibt-es-nicht&role=admin' },
  { name: 'admin-users-chosen', ...users, act: chooseAll },
  {
    name: 'admin-users-bulk-delete',
    ...users,
    isDialog: true,
    act: async (stage) => {
      await chooseAll(stage);
      await stage.press(stage.words.admin('bulk.delete'));
      await stage.dialog.waitFor();
    },
  },
  { name: 'admin-user-create', ...users, isDialog: true, act: openCreate },
  {
    name: 'admin-user-create-faults',
    ...users,
    act: async (stage) => {
      await openCreate(stage);
      await stage.pressInDialog(stage.words.admin('form.create'));
      await stage.page.locator('.ant-form-item-explain-error').first().waitFor();
    },
  },
  { name: 'admin-user-edit', ...users, isDialog: true, act: (stage) => stage.onRow('edit', somebody) },
  { name: 'admin-user-edit-conflict', ...users, act: changeElsewhere },
  { name: 'admin-user-delete', ...users, isDialog: true, act: (stage) => stage.onRow('delete', somebody) },
  {
    name: 'admin-user-suspend',
    ...users,
    isDialog: true,
    act: (stage) => stage.onRow('users.suspend', somebody),
  },
  {
    name: 'admin-user-lift',
    ...users,
    isDialog: true,
    act: (stage) => stage.onRow('users.lift', 'spammer_4711'),
  },
  { name: 'admin-user', as: 'admin', path: ({ userIds }) => `/admin/users/${userIds.host}` },
  {
    name: 'admin-user-email',
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.starter}`,
    prepare: ({ page }) => {
      const json = { verified: 'tom@example.com', unverified: longAddress, undeliverable: ['unverified'] };
      return page.route('**/api/admin/users/*/email', (route) => route.fulfill({ json }));
    },
    act: ({ page }) => page.getByText(longAddress).waitFor(),
  },
  { name: 'admin-user-suspended', as: 'admin', path: ({ userIds }) => `/admin/users/${userIds.suspended}` },
  { name: 'admin-user-self', as: 'admin', path: ({ userIds }) => `/admin/users/${userIds.admin}` },
  { name: 'admin-user-missing', as: 'admin', path: '/admin/users/999999', expected: /404/ },
  {
    name: 'admin-user-sessions',
    // On a phone the dialog lies half over buttons of the page, which axe takes for small ones.
    only: 1280,
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.host}`,
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.admin('user.sessions'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'admin-user-factor',
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.host}`,
    prepare: withFactor,
    act: (stage) => stage.button(stage.words.admin('user.removeFactor')).waitFor(),
  },
  {
    name: 'admin-user-factor-remove',
    // As above.
    only: 1280,
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.host}`,
    isDialog: true,
    prepare: withFactor,
    act: async (stage) => {
      await stage.press(stage.words.admin('user.removeFactor'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'admin-user-reset-link',
    // As above.
    only: 1280,
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.host}`,
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.admin('user.resetLink'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'admin-user-reset-link-made',
    as: 'admin',
    path: ({ userIds }) => `/admin/users/${userIds.newcomer}`,
    act: async (stage) => {
      await stage.press(stage.words.admin('user.resetLink'));
      await stage.pressInDialog(stage.words.admin('resetLink.confirm'));
      await stage.dialog.locator('code').waitFor();
    },
  },
  { name: 'admin-invitations', ...invitations },
  { name: 'admin-invitations-loading', ...invitations, held: /\/api\/admin\/invitations/, isWaiting: true },
  {
    name: 'admin-invitations-failed',
    ...{ ...invitations, lost: /\/api\/admin\/invitations/, expected: /ERR_FAILED/ },
  },
  { name: 'admin-invitation-create', ...invitations, isDialog: true, act: openInvite },
  {
    name: 'admin-invitation-made',
    ...invitations,
    act: async (stage) => {
      await openInvite(stage);
      await stage.pressInDialog(stage.words.admin('form.create'));
      await stage.dialog.locator('code').first().waitFor();
    },
  },
  {
    name: 'admin-invitation-users',
    ...invitations,
    isDialog: true,
    act: (stage) => stage.onRow('invitations.users', invitationNotes.used),
  },
  {
    name: 'admin-invitation-revoke',
    ...invitations,
    isDialog: true,
    act: (stage) => stage.onRow('invitations.revoke', invitationNotes.open),
  },
  { name: 'admin-announcements', ...announcements },
  { name: 'admin-announcements-none-found', ...announcements, path: '/admin/announcements?q=nichts' },
  {
    name: 'admin-announcements-failed',
    ...{ ...announcements, lost: /\/api\/admin\/announcements/, expected: /ERR_FAILED/ },
  },
  {
    name: 'admin-announcement-create',
    ...announcements,
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.adminAnnouncements('create'));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'admin-announcement-edit',
    ...announcements,
    isDialog: true,
    act: (stage) => onAnnouncement(stage, 'edit'),
  },
  {
    name: 'admin-announcement-end',
    ...announcements,
    isDialog: true,
    act: (stage) => onAnnouncement(stage, 'end'),
  },
  { name: 'admin-audit', ...audit },
  {
    name: 'admin-audit-details',
    as: 'admin',
    path: '/admin/audit?action=user.suspend',
    act: (stage) =>
      stage.page.getByRole('main').getByRole('button', { expanded: false }).first().press('Enter'),
  },
  { name: 'admin-audit-none', as: 'admin', path: '/admin/audit?to=2020-01-01' },
  {
    name: 'admin-audit-loading',
    ...audit,
    held: /\/api\/admin\/audit/,
    isWaiting: true,
  },
  { name: 'admin-audit-failed', ...audit, lost: /\/api\/admin\/audit/, expected: /ERR_FAILED/ },
  { name: 'admin-mails', ...mails },
  { name: 'admin-mails-none-found', ...mails, path: '/admin/mail?state=refused' },
  { name: 'admin-mails-loading', ...mails, held: /\/api\/admin\/mails/, isWaiting: true },
  { name: 'admin-mails-failed', ...mails, lost: /\/api\/admin\/mails/, expected: /ERR_FAILED/ },
  // One stands for all those that nobody but their reader sees.
  ...shownKinds.flatMap((kind) =>
    languages.map(
      (language): Screen => ({
        name: `admin-mail-${kind.replaceAll('_', '-')}-${language}`,
        as: 'admin',
        path: ({ userIds }) => `/admin/mail?userId=${userIds[mailReaders[language]]}&kind=${kind}`,
        isDialog: true,
        act: async (stage) => {
          // As if the administrator had just proved their identity.
          await stage.page.route('**/api/admin/mails/*/reading', (route) =>
            route.fulfill({ json: render(mailSamples[kind], { username, language, token }) }),
          );
          await stage.page
            .getByRole('main')
            .getByRole('button', { name: stage.words.adminMails('show') })
            .first()
            .click();
          if (readingOf(kind) === 'none')
            return stage.dialog.getByText(stage.words.adminMails('details.forItsReader')).waitFor();
          if (readingOf(kind) === 'guarded')
            await stage.dialog.getByRole('button', { name: stage.words.adminMails('read') }).click();
          await stage.dialog.getByRole('tab').first().waitFor();
        },
      }),
    ),
  ),
  { name: 'admin-proxies', ...proxies },
  {
    name: 'admin-proxies-loading',
    ...proxies,
    held: /\/api\/admin\/tunnel-configs/,
    isWaiting: true,
  },
  {
    name: 'admin-proxy-suspend',
    ...proxies,
    isDialog: true,
    isWaiting: true,
    act: (stage) => stage.onAnyProxy('connected', 'suspend'),
  },
  {
    name: 'admin-proxy-pause',
    ...proxies,
    isDialog: true,
    isWaiting: true,
    act: (stage) => stage.onAnyProxy('connected', 'pause'),
  },
  {
    name: 'admin-proxy-lift',
    ...proxies,
    isDialog: true,
    isWaiting: true,
    act: (stage) => stage.onAnyProxy('blocked', 'lift'),
  },
  {
    name: 'admin-proxy-page-suspended',
    as: 'admin',
    path: ({ proxyIds }) => `/tunnel-configuration/${proxyIds.blocked}`,
  },
  { name: 'admin-proxies-failed', ...proxies, lost: /\/api\/admin\/tunnel-configs/, expected: /ERR_FAILED/ },
  ...(['edit', 'install', 'delete'] as const).map(
    (action): Screen => ({
      name: `admin-proxy-${action}`,
      ...proxies,
      isDialog: true,
      isWaiting: true,
      act: (stage) => stage.onAnyProxy('offline', action),
    }),
  ),
  {
    name: 'admin-system',
    as: 'admin',
    path: '/admin/system',
    prepare: async (stage) => {
      await withCertificates(stage);
      await withFindings(stage);
    },
    act: ({ page }) => page.getByText('panel.example.com').waitFor(),
  },
  { name: 'admin-system-off', as: 'admin', path: '/admin/system' },
  {
    name: 'admin-system-loading',
    ...{ as: 'admin', path: '/admin/system', held: /\/api\/admin\/system\/doctor/, isWaiting: true },
  },
  {
    name: 'admin-system-failed',
    ...{ as: 'admin', path: '/admin/system', lost: /\/api\/admin\/system\/doctor/, expected: /ERR_FAILED/ },
  },
];
