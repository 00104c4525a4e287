import { placeOf } from './model.ts';
import { hasDialog } from './possible.ts';
import { pageWords } from './tab.ts';
import { tabNow, type World } from './world.ts';

/** The walker's keys, passkeys, channels and second factor are what was done in dialogs, in the API and on the screen. */
export async function accountFaults(world: World): Promise<string[]> {
  const { me, model } = world;
  const { tab, now } = tabNow(world);
  const { settings: say, apiKeys, channels } = pageWords(model);
  const place = placeOf(now).tab;
  const { account } = model;
  const found =
    place === 'security'
      ? {
          apiKeys: (await me.call('GET /api/user/api-keys', {})).map(({ name }) => name),
          passkeys: (await me.call('GET /api/user/passkeys', {})).map(({ name }) => name),
          hasApp: (await me.call('GET /api/user/second-factor', {})).authenticator !== null,
        }
      : place === 'notifications'
        ? { channels: (await me.call('GET /api/user/channels', {})).map(({ name }) => name) }
        : {};
  const faults = (Object.keys(found) as (keyof typeof found)[]).flatMap((key) => {
    const [has, needs] = [String(found[key]), String(account[key])];
    return has === needs ? [] : [`api: ${key} are "${has}", not "${needs}"`];
  });
  // A dialog covers the page.
  if (hasDialog(now)) return faults;
  const main = tab.page.getByRole('main');
  const named = (title: string) =>
    main
      .getByRole('list', { name: title, exact: true })
      .getByRole('listitem')
      .locator('strong')
      .allInnerTexts();
  const shown: Readonly<Record<string, string>> =
    place === 'security'
      ? { apiKeys: String(await named(apiKeys('keys'))), passkeys: String(await named(say('passkeys'))) }
      : place === 'notifications'
        ? { channels: String(await named(channels('channels'))) }
        : {};
  for (const [key, names] of Object.entries(shown)) {
    const needs = String(account[key as 'apiKeys']);
    if (names !== needs) faults.push(`list: ${key} shown are "${names}", not "${needs}"`);
  }
  if (place === 'security') {
    const isOn = (await main.getByRole('button', { name: say('factor.remove'), exact: true }).count()) > 0;
    if (isOn !== account.hasApp) faults.push(`list: the second factor is shown as ${isOn ? 'on' : 'off'}`);
  }
  const text = ((await tab.page.locator('body').textContent()) ?? '').replace(/\s/g, '');
  const kept = [...world.secrets].filter((secret) => text.includes(secret.replace(/\s/g, '')));
  return kept.length > 0 ? [...faults, `secret: the page still holds ${kept.join(', ')}`] : faults;
}
