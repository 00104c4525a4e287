import type { ResponseOf, Routes } from '@talpa/contracts';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const path = '/settings';

/** The page of a user with such an address, which the field shows, too. */
async function withEmail(
  stage: Stage,
  json: ResponseOf<Routes['GET /api/user/email']>,
  sendsEmail = true,
): Promise<void> {
  await changeConfig(stage.page, { sendsEmail });
  await stage.page.route('**/api/user/email', (route) => route.fulfill({ json }));
  await stage.page.route('**/api/user/preferences', async (route) => {
    const response = await route.fetch();
    const email = json.unverified ?? json.verified ?? '';
    await route.fulfill({ response, json: { ...((await response.json()) as object), email } });
  });
}
const waiting = {
  verified: 'lukas@nordstadt.example',
  unverified: 'lukas.lehmann@los-santos-life.example',
  undeliverable: [],
};
const seeEmail = (stage: Stage) => stage.button(stage.words.settings('email.again')).waitFor();

/** The email address in the settings, with a mail server and without. */
export const settingsEmailScreens: readonly Screen[] = [
  {
    name: 'settings-email-verified',
    as: 'starter',
    path,
    act: ({ page, words }) => page.getByText(words.settings('email.verified'), { exact: true }).waitFor(),
  },
  {
    name: 'settings-email-unverified',
    as: 'host',
    path,
    prepare: (stage) => withEmail(stage, waiting),
    act: seeEmail,
  },
  {
    name: 'settings-email-handed-over',
    as: 'host',
    path,
    prepare: (stage) => withEmail(stage, waiting, false),
    act: (stage) => stage.button(stage.words.settings('email.request')).waitFor(),
  },
  {
    name: 'settings-email-undeliverable',
    as: 'host',
    path,
    prepare: (stage) =>
      withEmail(stage, {
        verified: 'lukas@nordstadt.example',
        unverified: null,
        undeliverable: ['verified'],
      }),
    act: seeEmail,
  },
];
