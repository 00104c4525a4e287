import { Client, testPassword } from '@talpa/test-kit/client';
import { linkIdentity } from '@talpa/test-kit/identities';
import { changeConfig } from '@talpa/test-kit/panel/change-config';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { appWith } from '@talpa/test-kit/second-factors';
import type { Page } from 'playwright-core';
import { deskOf, openNamed, type Perform, refuseSecrets } from './desk.ts';
import type { Errand, ErrandName } from './errands.ts';
import { serverHands } from './server-hands.ts';
import { pageWords } from './tab.ts';
import { nameOf, type World } from './world.ts';

/** Reads a secret that is shown once, and closes its dialog. */
async function takeSecrets(world: World, read: () => Promise<readonly string[]>, close: string) {
  const desk = deskOf(world);
  const found = await read();
  refuseSecrets(world, found.join(' '));
  for (const secret of found) world.secrets.add(secret);
  await desk.press(close);
  await desk.isClosed();
  return found;
}

/** The recovery codes that the dialog shows; they are the world's from now on. */
async function takeCodes(world: World): Promise<void> {
  const { dialog, words } = deskOf(world);
  const items = dialog.getByRole('list', { name: words.settings('codes.title') }).getByRole('listitem');
  await items.nth(9).waitFor();
  const codes = await takeSecrets(world, () => items.allInnerTexts(), words.settings('codes.saved'));
  world.codes.splice(0, Infinity, ...codes);
}

/** A passkey of an authenticator of its own: one has one for each account. */
async function withAuthenticator<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  try {
    return await work();
  } finally {
    await cdp.send('WebAuthn.disable');
    await cdp.detach();
  }
}

const hands: Readonly<Record<ErrandName, Perform>> = {
  createApiKey: async (world, errand) => {
    const { apiKeys: say } = pageWords(world.model);
    const { apiKeys } = world.model.account;
    const given = { opener: say('create'), label: say('form.name'), wanted: '', asks: true, all: apiKeys };
    const desk = await openNamed(world, errand, given);
    if ((await desk.dialog.getByRole('checkbox', { checked: true }).count()) > 0)
      throw new Error('a new key begins with scopes');
    await desk.field(say('form.name')).fill(errand.name);
    await desk.dialog.getByRole('checkbox', { name: 'proxies:read' }).check();
    await desk.press(say('form.submit'));
    await desk.page.getByText(say('secret.once')).waitFor();
    const code = desk.dialog.locator('code');
    await takeSecrets(world, async () => [(await code.textContent()) ?? ''], say('secret.saved'));
  },
  revokeApiKey: async (world, { at }) => {
    const desk = deskOf(world);
    const { apiKeys: say } = desk.words;
    const name = desk.account.apiKeys[at] ?? '';
    await desk.open(say('revoke.of', { name }));
    await desk.isAbout(name, desk.account.apiKeys);
    await desk.press(say('revoke.submit'));
    await desk.isClosed();
  },
  createChannel: async (world, errand) => {
    const { channels: say } = pageWords(world.model);
    const { channels } = world.model.account;
    const given = { opener: say('create'), label: say('name'), wanted: '', asks: true, all: channels };
    const desk = await openNamed(world, errand, given);
    await desk.shows(say('url.discord'), '');
    await desk.field(say('name')).fill(errand.name);
    await desk.field(say('url.discord')).fill('https://discord.com/api/webhooks/1/abc');
    // Nothing of this is ever sent.
    for (const topic of ['proxies', 'account', 'security'] as const)
      await desk.dialog.getByRole('checkbox', { name: say(`topic.${topic}`), exact: true }).uncheck();
    await desk.press(say('form.create'));
    await desk.isClosed();
  },
  renameChannel: async (world, errand) => {
    const { channels: say } = pageWords(world.model);
    const { channels } = world.model.account;
    const wanted = channels[errand.at] ?? '';
    const opener = say('edit.of', { name: wanted });
    const desk = await openNamed(world, errand, { opener, label: say('name'), wanted, asks: true, all: [] });
    // The address is secret: it is entered anew or stays.
    await desk.shows(say('url.discord'), '');
    await desk.field(say('name')).fill(errand.name);
    await desk.press(say('form.save'));
    await desk.isClosed();
  },
  removeChannel: async (world, { at }) => {
    const desk = deskOf(world);
    const { channels: say } = desk.words;
    const name = desk.account.channels[at] ?? '';
    await desk.open(say('remove.of', { name }));
    await desk.isAbout(name, desk.account.channels);
    await desk.press(say('remove.submit'));
    await desk.isClosed();
  },
  addPasskey: async (world, errand) => {
    const { settings: say } = pageWords(world.model);
    const { passkeys } = world.model.account;
    const [opener, label] = [say('passkeys.add'), say('passkeys.name')];
    const desk = await openNamed(world, errand, { opener, label, wanted: '', asks: false, all: passkeys });
    await desk.field(label).fill(errand.name);
    await withAuthenticator(desk.page, async () => {
      await desk.press(say('addPasskey.submit'));
      await desk.isClosed();
    });
    await afterFactor(world);
  },
  renamePasskey: async (world, errand) => {
    const { settings: say } = pageWords(world.model);
    const wanted = world.model.account.passkeys[errand.at] ?? '';
    const [opener, label] = [say('passkeys.renameOf', { name: wanted }), say('passkeys.name')];
    const desk = await openNamed(world, errand, { opener, label, wanted, asks: true, all: [] });
    await desk.field(label).fill(errand.name);
    await desk.press(say('save'));
    await desk.isClosed();
  },
  removePasskey: async (world, { at }) => {
    const desk = deskOf(world);
    const { settings: say } = desk.words;
    const name = desk.account.passkeys[at] ?? '';
    await desk.open(say('passkeys.removeOf', { name }));
    await desk.isAbout(name, desk.account.passkeys);
    await desk.press(say('removePasskey.submit'));
    await desk.isClosed();
  },
  setUpFactor: async (world, { twice }) => {
    const desk = deskOf(world);
    const { settings: say } = desk.words;
    const secretShown = async () => {
      await desk.dialog
        .getByRole('img', { name: say('setUp.qr') })
        .locator('svg')
        .waitFor();
      return ((await desk.dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    };
    const opener = desk.page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^(${say('factor.setUp')}|${say('factor.resume')})$`) });
    let secret = '';
    for (const isHalf of twice ? [true, false] : [false]) {
      await opener.click();
      const now = await secretShown();
      // A step that was left is taken up again, with its own secret.
      if (secret && now !== secret) throw new Error('the step was taken up with another secret');
      secret = now;
      await desk.shows(say('setUp.code'), '');
      if (isHalf) {
        await desk.field(say('setUp.code')).fill('1');
        await desk.leave(false);
      }
    }
    refuseSecrets(world, secret);
    world.secrets.add(secret);
    await desk.field(say('setUp.code')).fill(appWith(secret).now());
    await desk.press(say('setUp.confirm'));
    await takeCodes(world);
    await afterFactor(world);
  },
  replaceCodes: async (world, errand) => {
    await giveCode(world, errand, 'factor.newCodes', 'newCodes.submit');
    await takeCodes(world);
  },
  removeFactor: async (world, errand) => {
    await giveCode(world, errand, 'factor.remove', 'removeApp.submit');
    await deskOf(world).isClosed();
  },
  unlinkIdentity: async (world) => {
    const desk = deskOf(world);
    const { settings: say } = desk.words;
    const { name, provider } = await linkIdentity(world.me);
    await desk.open(say('identities.unlinkOf', { provider: provider?.label ?? '', name }));
    await desk.isAbout(name, []);
    await desk.press(say('unlink.submit'));
    await desk.isClosed();
  },
  revokeEnrolmentKey: async (world, { name }) => {
    const desk = deskOf(world);
    const { servers: say } = desk.words;
    const { key } = await world.me.call('POST /api/enrolment-keys', { name });
    world.secrets.add(key);
    await desk.open(say('keys.revoke.of', { name }));
    await desk.isAbout(name, []);
    await desk.press(say('keys.revoke.submit'));
    await desk.isClosed();
    const machine = '0'.repeat(64);
    const { error } = await new Client(world.base).fail('POST /api/enrol', { key, machine, name });
    if (error.code !== 'enrolment_key_invalid') throw new Error(`a revoked key is told ${error.code}`);
  },
  ...serverHands,
  resetPassword: async (world, { at }) => {
    const username = nameOf(world, { of: 'user', at });
    // A browser in which nobody has chosen a language.
    const { shell } = wordsIn('de');
    const context = await world.newContext();
    try {
      const page = await context.newPage();
      await changeConfig(page, { sendsEmail: true });
      await page.goto('/forgotten');
      await page.getByLabel(shell('forgotten.account'), { exact: true }).fill(username);
      await page.getByRole('button', { name: shell('forgotten.submit'), exact: true }).click();
      await page.getByText(shell('forgotten.done')).waitFor();
      const { path } = await world.root.call('POST /api/admin/users/:id/reset-link', {
        id: world.ids.user[at] ?? 0,
      });
      await page.goto(path);
      for (const label of [shell('reset.password'), shell('auth.confirmPassword')]) {
        const field = page.getByLabel(label, { exact: true });
        if ((await field.inputValue()) !== '') throw new Error('the field of a new password is not empty');
        await field.fill(testPassword);
      }
      await page.keyboard.press('Enter');
      await page.getByText(shell('reset.done'), { exact: true }).waitFor();
    } finally {
      await context.close();
    }
  },
};

/** Opens a dialog that takes a code, and enters a recovery code: each counts once. */
async function giveCode(
  world: World,
  errand: Errand,
  opener: 'factor.newCodes' | 'factor.remove',
  submit: 'newCodes.submit' | 'removeApp.submit',
): Promise<void> {
  const { settings: say, kit } = pageWords(world.model);
  const given = { opener: say(opener), label: kit('factorCode'), wanted: '', asks: false, all: [] };
  const desk = await openNamed(world, errand, given);
  await desk.field(kit('factorCode')).fill(world.codes.shift() ?? '');
  await desk.press(say(submit));
}

/** A first factor ends the other sessions of its user. */
async function afterFactor({ me, seat, model: { account } }: World): Promise<void> {
  if (account.hasApp || account.passkeys.length > 0) return;
  const { status } = await me.try('GET /api/user', {});
  if (status !== 401) throw new Error(`another session answers ${status} after the first factor`);
  me.cookie = seat.cookie;
}

/** Runs an errand in the browser, before the model knows of it. */
export const runErrand = (world: World, errand: Errand): Promise<void> => hands[errand.what](world, errand);
