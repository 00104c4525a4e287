import { until } from '@talpa/test-kit/wait';
import { deskOf, openNamed, type Perform, refuseSecrets } from './desk.ts';
import type { ErrandName } from './errands.ts';
import { proxiesOn, reachOfMember } from './servers.ts';
import { pageWords } from './tab.ts';
import { learnNew, nameOf, tabNow, type World } from './world.ts';

type ServerErrand = Extract<
  ErrandName,
  `${string}Server${string}` | 'moveProxy' | 'resumeProxy' | `${string}Elsewhere` | 'readAsMember'
>;

const idOf = (world: World, at: number) => world.ids.server[at] ?? 0;
const nameOfServer = ({ model }: World, at: number) => model.servers[at]?.name ?? '';
const tokenOf = async ({ me, ...world }: World, at: number) =>
  (await me.call('GET /api/servers/:id/tunnel-token', { id: idOf({ me, ...world }, at) })).token;

/** Nothing of it is being made or changed: neither is refused then. */
async function settled({ me, ids }: World, at: number): Promise<number> {
  const id = ids.proxy[at] ?? 0;
  await until('the proxy to be settled', async () => {
    const { status, changePending } = await me.call('GET /api/tunnel-configs/:id', { id });
    return status !== 'pending' && !changePending;
  });
  return id;
}

async function openFromMenu(world: World, at: number, entry: string) {
  const desk = deskOf(world);
  const { proxy } = desk.words;
  const name = nameOf(world, { of: 'proxy', at });
  await settled(world, at);
  const more = proxy('action', { action: proxy('action.more'), name });
  await desk.page.getByRole('main').getByRole('button', { name: more, exact: true }).click();
  await desk.page.getByRole('menuitem', { name: entry }).click();
  await desk.dialog.waitFor();
  return { desk, name };
}

/** Gives a server another token in the last dialog that is open. It names what is away until then, and nothing else. */
async function renew(world: World, at: number): Promise<void> {
  const { model } = world;
  const { servers: say } = pageWords(model);
  const dialog = tabNow(world).tab.dialogs.last();
  const submit = dialog.getByRole('button', { name: say('token.new.submit'), exact: true });
  await submit.waitFor();
  const text = (await dialog.textContent()) ?? '';
  const behind = proxiesOn(model, at);
  for (const proxy of model.records.proxy.keys()) {
    const name = nameOf(world, { of: 'proxy', at: proxy });
    // A server may still have the name of a proxy that it was made for.
    const isWanted = behind.includes(proxy) || nameOfServer(world, at) === name;
    if (text.includes(name) !== isWanted)
      throw new Error(`a new token: “${name}” is ${isWanted ? 'not ' : ''}named in ${text}`);
  }
  const before = await tokenOf(world, at);
  await submit.click();
  await submit.waitFor({ state: 'hidden' });
  if ((await tokenOf(world, at)) === before) throw new Error('the new token is the former one');
  world.secrets.add(before);
}

/** What is done with servers. */
export const serverHands: Readonly<Record<ServerErrand, Perform>> = {
  renameServer: async (world, errand) => {
    const { servers: say } = pageWords(world.model);
    const wanted = nameOfServer(world, errand.at);
    const [opener, label] = [say('rename'), say('rename.name')];
    const desk = await openNamed(world, errand, { opener, label, wanted, asks: true, all: [] });
    await desk.field(label).fill(errand.name);
    await desk.press(say('rename.submit'));
    await desk.isClosed();
  },
  showServerToken: async (world, { at, twice }) => {
    const desk = deskOf(world);
    const { servers: say } = desk.words;
    for (const _ of twice ? [1, 2] : [1]) {
      await desk.open(say('token.show'));
      const shown = (await desk.dialog.locator('code.secret').textContent()) ?? '';
      if (shown !== (await tokenOf(world, at))) throw new Error(`another token is shown: ${shown}`);
      refuseSecrets(world, shown);
      await desk.leave(false);
    }
  },
  newServerToken: async (world, { at, twice }) => {
    const desk = deskOf(world);
    for (const proxy of proxiesOn(world.model, at)) await settled(world, proxy);
    const opener = desk.words.servers('token.new');
    if (twice) {
      await desk.open(opener);
      await desk.leave(false);
    }
    await desk.open(opener);
    await renew(world, at);
    await desk.isClosed();
  },
  deleteServer: async (world, { at, twice }) => {
    const desk = deskOf(world);
    const { servers: say } = desk.words;
    for (const isHalf of twice ? [true, false] : [false]) {
      await desk.open(say('delete'));
      await desk.isAbout(nameOfServer(world, at), []);
      if (isHalf) await desk.leave(false);
    }
    await desk.press(say('delete.submit'));
    await desk.isClosed();
  },
  createOnServer: async (world, errand) => {
    const { model } = world;
    const { at, name } = errand;
    const { servers: say, user, proxy } = pageWords(model);
    const label = proxy('field.serverName');
    for (const one of proxiesOn(model, at)) await settled(world, one);
    const given = { opener: user('proxies.add'), label, wanted: '', asks: true, all: [] };
    const desk = await openNamed(world, errand, given);
    await desk.dialog.locator('.ant-select').getByText(nameOfServer(world, at), { exact: true }).waitFor();
    await desk.field(label).fill(name);
    if (model.servers[at]?.isShared) {
      await desk.press(say('token.new'));
      await renew(world, at);
    }
    const hint = desk.dialog.getByText(say('shared'), { exact: true });
    await until('nobody else to know the token', async () => (await hint.count()) === 0);
    await desk.press(user('create.submit'));
    await learnNew(world, 'proxy');
    // Its connector is away: the dialog says how it is installed.
    const install = desk.page.getByRole('dialog', { name: proxy('install.title', { name }) });
    await install.locator('pre.secret').first().waitFor();
    await desk.page.keyboard.press('Escape');
    await install.waitFor({ state: 'hidden' });
  },
  moveProxy: async (world, { at, to = 0, twice }) => {
    const entry = pageWords(world.model).servers('move');
    if (twice) await (await openFromMenu(world, at, entry)).desk.leave(false);
    const { desk, name } = await openFromMenu(world, at, entry);
    await desk.isAbout(name, []);
    const { servers: say } = desk.words;
    const target = nameOfServer(world, to);
    const box = desk.dialog.getByRole('combobox', { name: say('move.field'), exact: true });
    const shown = desk.dialog.locator('.ant-select').getByText(target, { exact: true });
    if ((await shown.count()) === 0) {
      await box.click();
      await desk.page.getByTitle(target, { exact: true }).filter({ visible: true }).last().click();
    }
    await desk.press(say('move.submit'));
    await desk.isClosed();
  },
  resumeProxy: async (world, { at }) => {
    const { desk, name } = await openFromMenu(world, at, pageWords(world.model).proxy('action.resume'));
    await desk.isAbout(name, []);
    await desk.press(desk.words.proxy('resume.confirm'));
    await desk.isClosed();
  },
  renameElsewhere: async (world, { at, name }) => {
    await world.me.call('PUT /api/servers/:id', { id: idOf(world, at), name });
  },
  moveElsewhere: async (world, { at, to = 0 }) => {
    const input = { id: await settled(world, at), serverId: idOf(world, to) };
    const { status, body } = await world.me.try('PUT /api/tunnel-configs/:id/server', input);
    const [code] = 'code' in body ? [body.code] : [String(status)];
    const wanted = world.model.servers[to]?.isShared ? 'server_token_shared' : '200';
    if (code !== wanted) throw new Error(`a move is told ${code}, not ${wanted}`);
  },
  readAsMember: async (world, { at }) => {
    const { status } = await world.member.try('GET /api/servers/:id/tunnel-token', { id: idOf(world, at) });
    const wanted = { none: 404, sees: 403, reads: 200 }[reachOfMember(world.model, at)];
    if (status !== wanted) throw new Error(`the member who asks for the token gets ${status}, not ${wanted}`);
  },
};
