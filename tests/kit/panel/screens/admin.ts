import { serverNames } from '../people.ts';
import type { Screen, Stage } from '../screen.ts';

const users = { as: 'admin', path: '/admin/users' } as const;
const proxies = { as: 'admin', path: '/admin/tunnel' } as const;
const somebody = 'lukas.lehmann';

async function openCreate(stage: Stage) {
  await stage.press(stage.words.admin('users.create'));
  await stage.dialog.waitFor();
}

/** The administrators' part. */
export const adminScreens: readonly Screen[] = [
  { name: 'admin-users', ...users },
  { name: 'admin-users-loading', ...users, held: /\/api\/admin\/users/, isWaiting: true },
  { name: 'admin-users-failed', ...users, lost: /\/api\/admin\/users/, expected: /ERR_FAILED/ },
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
  { name: 'admin-user-delete', ...users, isDialog: true, act: (stage) => stage.onRow('delete', somebody) },
  { name: 'admin-proxies', ...proxies },
  { name: 'admin-proxies-failed', ...proxies, lost: /\/api\/admin\/tunnel-configs/, expected: /ERR_FAILED/ },
  ...(['edit', 'install', 'delete'] as const).map(
    (action): Screen => ({
      name: `admin-proxy-${action}`,
      ...proxies,
      isDialog: true,
      isWaiting: true,
      act: (stage) => stage.onRow(action, serverNames.offline),
    }),
  ),
];
