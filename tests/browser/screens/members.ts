import { joinPath } from '@talpa/contracts/link-paths';
import { heading } from '@talpa/test-kit/panel/heading';
import { serverNames } from '@talpa/test-kit/panel/people';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const shared: Screen['path'] = ({ proxyIds }) => `/tunnel-configuration/${proxyIds.offline}?tab=members`;

async function openInvite(stage: Stage) {
  await stage.press(stage.words.members('invite'));
  await stage.dialog.waitFor();
}

/** Members of a proxy and invitations, as their owner and as they see them. */
export const memberScreens: readonly Screen[] = [
  {
    name: 'members',
    as: 'host',
    path: shared,
    act: async (stage) => {
      const button = stage.button(stage.words.members('invite'));
      await button.waitFor();
      await button.scrollIntoViewIfNeeded();
    },
  },
  { name: 'members-invite', as: 'host', path: shared, isDialog: true, act: openInvite },
  {
    name: 'members-invite-email',
    as: 'host',
    path: shared,
    only: 390,
    isDialog: true,
    prepare: ({ page }) =>
      page.route('**/api/user/notifications/channels', (route) => route.fulfill({ json: { email: true } })),
    act: async (stage) => {
      await openInvite(stage);
      await stage.dialog.getByText(stage.words.members('invite.way.email')).click();
      await stage.dialog.getByLabel(stage.words.members('invite.email')).waitFor();
    },
  },
  {
    name: 'members-link',
    as: 'host',
    path: shared,
    only: 390,
    act: async (stage) => {
      // Every look would use up another place for a member.
      await stage.page.route('**/members', async (route) => {
        if (route.request().method() === 'GET') return route.fallback();
        const path = `${joinPath}#${'Q2hhcmFkZQ'.repeat(4)}abc`;
        return route.fulfill({ status: 201, json: { member: {}, link: { url: null, path } } });
      });
      await openInvite(stage);
      await stage.dialog.getByText(stage.words.members('invite.way.link')).click();
      await stage.pressInDialog(stage.words.members('invite'));
      await stage.page.getByText(stage.words.members('link.text')).waitFor();
    },
  },
  {
    name: 'members-edit',
    as: 'host',
    path: shared,
    only: 390,
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.members('edit.of', { name: 'marie-k' }));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'members-remove',
    as: 'host',
    path: shared,
    only: 390,
    isDialog: true,
    act: async (stage) => {
      await stage.press(stage.words.members('removal.remove.of', { name: 'marie-k' }));
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'members-token-known',
    as: 'host',
    path: ({ proxyIds }) => `/tunnel-configuration/${proxyIds.connected}?tab=members`,
    prepare: ({ page }) =>
      page.route(/\/api\/servers\/\d+$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          json: { ...((await response.json()) as object), tokenShared: true },
        });
      }),
    act: ({ page, words }) => page.getByText(words.members('known'), { exact: true }).waitFor(),
  },
  {
    name: 'members-failed',
    as: 'host',
    path: shared,
    only: 390,
    lost: /\/members$/,
    expected: /ERR_FAILED/,
    act: ({ page, words }) => page.getByText(words.members('failed')).waitFor(),
  },
  {
    name: 'proxy-page-member',
    as: 'full',
    path: ({ proxyIds }) => `/tunnel-configuration/${proxyIds.offline}?tab=settings`,
    act: async ({ page, words }) => {
      await heading(page, serverNames.offline).waitFor();
      await page.getByRole('button', { name: words.members('leave') }).waitFor();
    },
  },
  {
    name: 'proxies-invited',
    as: 'ending',
    path: '/tunnel-configuration',
    act: ({ page, words }) => page.getByText(words.members('invitations.title')).waitFor(),
  },
  {
    name: 'join',
    as: 'starter',
    path: ({ joinToken }) => `${joinPath}#${joinToken}`,
    act: ({ page, words }) => page.getByText(words.members('join.text')).waitFor(),
  },
  {
    name: 'join-signed-out',
    as: null,
    path: ({ joinToken }) => `${joinPath}#${joinToken}`,
    expected: /status of 401/,
    act: ({ page, words }) => page.getByText(words.shell('proxyInvitation.decline')).waitFor(),
  },
  {
    name: 'join-joined',
    as: 'host',
    path: ({ joinToken }) => `${joinPath}#${joinToken}`,
    only: 390,
    expected: /status of 409/,
    act: ({ page, words }) => page.getByText(words.members('join.already')).waitFor(),
  },
  {
    name: 'join-invalid',
    as: 'starter',
    path: `${joinPath}#${'x'.repeat(43)}`,
    only: 390,
    expected: /status of 403/,
    act: ({ page, words }) => page.getByText(words.members('join.failed')).waitFor(),
  },
];
