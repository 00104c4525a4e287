import { readFileSync } from 'node:fs';
import { errors } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { type OpenOptions, useSharedBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { type RunningConnector, startOurs } from '@talpa/test-kit/connector/connectors';
import { makeMember } from '@talpa/test-kit/members';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { freePort } from '@talpa/test-kit/ports';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const connectors: RunningConnector[] = [];
afterEach(async () => {
  for (const one of connectors.splice(0)) await one.kill();
});
const { kit, members: sayMembers, proxy: sayProxy, servers: sayServers, user: say } = wordsIn('de');
const list = '/tunnel-configuration';

async function openAs(client: Client, path: string, options: OpenOptions = {}) {
  const opened = await browser.open(system.url, options);
  await carrySession(opened.page, client);
  await opened.page.goto(path);
  return opened;
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialogOf = (page: Page) => page.getByRole('dialog').last();
const connectDialog = (page: Page) => page.getByRole('dialog', { name: sayProxy('connect.title') });

async function connect(token: string): Promise<void> {
  const { edge } = system.talpa;
  if (!edge) throw new Error('there is no edge');
  const ca = readFileSync(edge.authorityFile, 'utf8');
  connectors.push(await startOurs({ port: edge.connectorPort, ca, token, originPort: await freePort() }));
}
/** The key in the command that the dialog shows. */
async function keyIn(page: Page): Promise<string> {
  const command = await connectDialog(page).locator('pre.secret').textContent();
  const [, key] = /talpa_enrol (talpa_ek_[\w-]+)/.exec(command ?? '') ?? [];
  if (!key) throw new Error(`no key in ${command}`);
  return key;
}
let machines = 0;
const enrol = (client: Client, key: string, name: string) => {
  machines += 1;
  const machine = machines.toString(16).padStart(64, '0');
  return client.call('POST /api/enrol', { key, machine, name, panel: 'txAdmin' });
};

describe('a machine without a proxy', () => {
  it('is connected by one command, and both tabs follow it to the public address, on a slow network too', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    // The key is used while the list of keys is on its way.
    const { page, complaints } = await openAs(client, '/', { latencyMs: 700 });
    const other = await page.context().newPage();
    await other.goto(list);
    await other.getByText(say('proxies.empty')).waitFor();

    await press(page, say('servers.connect'));
    await connectDialog(page).getByText(sayProxy('connect.waiting')).waitFor();
    await connectDialog(page).locator('pre.secret').waitFor();
    const key = await keyIn(page);
    const name = `Maschine-${user.id}`;
    const { token, url } = await enrol(client, key, name);
    await connectDialog(page).getByText(sayProxy('connect.server')).waitFor();
    await connectDialog(page).getByText(name, { exact: true }).waitFor();
    const found = { panel: 'txAdmin', port: 40_120 };
    await connectDialog(page).getByText(sayProxy('connect.panel.text', found)).waitFor();
    await connectDialog(page).getByText(sayProxy('install.waiting')).waitFor();
    await other.getByRole('row', { name: new RegExp(name) }).waitFor();

    await connect(token);
    const open = connectDialog(page).getByRole('link', { name: new RegExp(`^${sayProxy('install.open')}`) });
    await expect.poll(() => open.getAttribute('href')).toBe(url);
    await other
      .getByRole('row', { name: new RegExp(name) })
      .getByText(sayProxy('status.active'))
      .waitFor();

    // Who comes back finds what their command has done, and gets another one for another server.
    await page.keyboard.press('Escape');
    await press(page, say('servers.connect'));
    await connectDialog(page).getByText(name, { exact: true }).waitFor();
    await press(page, sayProxy('connect.another'));
    await connectDialog(page).getByText(sayProxy('connect.waiting')).waitFor();
    await connectDialog(page).locator('pre.secret').waitFor();
    expect(await keyIn(page)).not.toBe(key);
    expect(complaints).toEqual([]);
  });

  it('is offered no command that was revoked, used up or could not be made, but another one', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { page } = await openAs(client, list);
    await page.route('**/api/enrolment-keys', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await press(page, say('servers.connect'));
    await connectDialog(page).getByText(sayProxy('install.commandFailed')).waitFor();
    await page.unroute('**/api/enrolment-keys');
    // The live stream that has just begun may ask again by itself.
    const retry = connectDialog(page).getByRole('button', { name: kit('error.retry'), exact: true });
    const command = connectDialog(page).locator('pre.secret');
    await retry.or(command).first().waitFor();
    if (await retry.isVisible()) await retry.click();
    await command.waitFor();
    const first = await keyIn(page);

    // In another tab.
    const settings = await page.context().newPage();
    await settings.goto('/settings?tab=security');
    await settings
      .getByRole('button', { name: sayServers('keys.revoke.of', { name: sayProxy('connect.title') }) })
      .click();
    await dialogOf(settings)
      .getByRole('button', { name: sayServers('keys.revoke.submit') })
      .click();
    await connectDialog(page).getByText(sayProxy('connect.over')).waitFor();
    await settings.getByText(sayServers('keys.empty')).waitFor();
    await expect(enrol(client, first, 'zu spät')).rejects.toThrow('enrolment_key_invalid');

    await press(page, sayProxy('connect.renew'));
    await command.waitFor();
    const second = await keyIn(page);
    expect(second).not.toBe(first);
    // It was used, and what it made was deleted.
    const { proxyId } = await enrol(client, second, `Weg-${user.id}`);
    await connectDialog(page).getByText(`Weg-${user.id}`, { exact: true }).waitFor();
    await settings.getByText(sayServers('keys.usedUp')).waitFor();
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxyId });
    await connectDialog(page).getByText(sayProxy('connect.over')).waitFor();
  });
});

/** The line above the proxies of a server. */
const groupOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const menuOf = (page: Page, serverName: string) =>
  press(page, sayProxy('action', { action: sayProxy('action.more'), name: serverName }));
const newProxy = async (client: Client, more: object = {}) =>
  (await client.call('POST /api/tunnel-configs', { ...proxyInput(), ...more })).proxy;
const tokenOf = async (client: Client, id: number) =>
  (await client.call('GET /api/servers/:id/tunnel-token', { id })).token;
const rename = (client: Client, id: number, name: string) =>
  client.call('PUT /api/servers/:id', { id, name });

describe('a server', () => {
  it('with a name of its own stands above its proxies, in every tab at once and on cards too', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const [alone, first] = [await newProxy(client), await newProxy(client)];
    const { page, complaints } = await openAs(client, list);
    const other = await page.context().newPage();
    await other.setViewportSize({ width: 390, height: 800 });
    await other.goto(list);
    const name = `Maschine-${user.id}`;
    const cards = other.getByRole('list', { name: say('proxies.list') });
    await cards.getByText(first.serverName).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(await cards.getByRole('list').count()).toBe(0);

    await rename(client, first.serverId, name);
    const group = groupOf(page, name);
    await group.getByText(sayProxy('status.never')).waitFor();
    // What is said of the connector is said once.
    await expect
      .poll(() => rowOf(page, first.serverName).getByText(sayProxy('status.never')).count())
      .toBe(0);
    await rowOf(page, alone.serverName).getByText(sayProxy('status.never')).waitFor();
    await cards.getByRole('list').getByText(first.serverName).waitFor();
    await expect.poll(() => cards.getByRole('list').getByText(alone.serverName).count()).toBe(0);

    await connect(await tokenOf(client, first.serverId));
    await group.getByText(sayProxy('status.active')).waitFor();
    await group.getByRole('link', { name }).click();
    await heading(page, name).waitFor();
    await rowOf(page, first.serverName).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('shows whoever cannot fetch it the proxies alone', async () => {
    const { client } = await newUser(system.url, 'basic');
    const proxy = await newProxy(client);
    await rename(client, proxy.serverId, 'Maschine');
    const { page } = await openAs(client, '/');
    await page.route('**/api/servers', (route) => route.abort());
    await page.goto(list);
    await rowOf(page, proxy.serverName).getByText(sayProxy('status.never')).waitFor();
  });

  it('gets its second proxy in one tab, and the other one shows it below the server', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const first = await newProxy(client);
    const name = `Maschine-${user.id}`;
    await rename(client, first.serverId, name);
    await connect(await tokenOf(client, first.serverId));
    const { page, complaints } = await openAs(client, `/servers/${first.serverId}`);
    const other = await page.context().newPage();
    await other.goto(list);
    await groupOf(other, name).getByText(sayProxy('status.active')).waitFor();

    await press(page, say('proxies.add'));
    // The server that it was begun from is chosen.
    await dialogOf(page).getByText(name, { exact: true }).waitFor();
    await dialogOf(page).getByLabel(sayProxy('field.serverName')).fill(`Zweiter-${user.id}`);
    await dialogOf(page)
      .getByRole('button', { name: say('create.submit') })
      .click();
    // Nothing is left to install, and nobody has read the token for it.
    await rowOf(page, `Zweiter-${user.id}`).waitFor();
    await rowOf(other, `Zweiter-${user.id}`).waitFor();
    await expect
      .poll(() => rowOf(other, `Zweiter-${user.id}`).getByText(sayProxy('status.active')).count())
      .toBe(0);
    const joined = (await client.call('GET /api/tunnel-configs', {})).find(({ id }) => id !== first.id);
    expect(joined?.serverId).toBe(first.serverId);

    // The whole server gets another token: both are away, and it says which.
    await press(page, sayServers('token.new'));
    await dialogOf(page).getByText(first.serverName).waitFor();
    await dialogOf(page)
      .getByRole('button', { name: sayServers('token.new.submit') })
      .click();
    await page.getByText(sayServers('absence.never')).waitFor();
    await groupOf(other, name).getByText(sayProxy('status.never')).waitFor();
    expect(complaints).toEqual([]);
  });

  it('that was never connected gets the proxies that are created on its page, too', async () => {
    const { client } = await newUser(system.url, 'basic');
    const server = await client.call('POST /api/servers', { name: 'Maschine' });
    const { page } = await openAs(client, `/servers/${server.id}`);
    await press(page, say('proxies.add'));
    await dialogOf(page).getByText('Maschine', { exact: true }).waitFor();
    await dialogOf(page).getByLabel(sayProxy('field.serverName')).fill('Erster');
    await dialogOf(page)
      .getByRole('button', { name: say('create.submit') })
      .click();
    await page.getByRole('dialog', { name: sayProxy('install.title', { name: 'Erster' }) }).waitFor();
    const [made] = await client.call('GET /api/tunnel-configs', {});
    expect(made?.serverId).toBe(server.id);
  });

  it('whose token somebody else knows takes no proxy before it has another one', async () => {
    const [{ client }, { client: guest }] = [
      await newUser(system.url, 'basic'),
      await newUser(system.url, 'basic'),
    ];
    const first = await newProxy(client);
    await makeMember(client, first.id, guest, 'operate');
    await connect(await tokenOf(client, first.serverId));
    const { page } = await openAs(client, `/servers/${first.serverId}`);
    await page.getByRole('main').getByText(sayProxy('status.active')).first().waitFor();
    await press(page, say('proxies.add'));
    await dialogOf(page).getByLabel(sayProxy('field.serverName')).fill('Zweiter');
    // Meanwhile the member reads it.
    await tokenOf(guest, first.serverId);
    await dialogOf(page)
      .getByRole('button', { name: say('create.submit') })
      .click();
    await dialogOf(page).getByText(errors.server_token_shared.de, { exact: true }).waitFor();
    await dialogOf(page).getByText(sayServers('shared'), { exact: true }).waitFor();
    await dialogOf(page)
      .getByRole('button', { name: sayServers('token.new') })
      .click();
    await dialogOf(page)
      .getByRole('button', { name: sayServers('token.new.submit') })
      .click();
    await expect.poll(() => page.getByText(sayServers('shared'), { exact: true }).count()).toBe(0);
    await dialogOf(page)
      .getByRole('button', { name: say('create.submit') })
      .click();
    await rowOf(page, 'Zweiter').waitFor();
    expect(await client.call('GET /api/tunnel-configs', {})).toMatchObject([
      { serverId: first.serverId },
      { serverId: first.serverId },
    ]);
  });

  it('shows a member their own proxies alone, and the token only if they may have it', async () => {
    const [{ client, user }, { client: guest }] = [
      await newUser(system.url, 'basic'),
      await newUser(system.url, 'basic'),
    ];
    const first = await newProxy(client);
    await rename(client, first.serverId, `Maschine-${user.id}`);
    const hidden = await newProxy(client, { serverId: first.serverId });
    await makeMember(client, first.id, guest, 'operate');
    const { page } = await openAs(guest, `/servers/${first.serverId}`);
    await heading(page, `Maschine-${user.id}`).waitFor();
    await rowOf(page, first.serverName).waitFor();
    await expect.poll(() => page.getByText(hidden.serverName).count()).toBe(0);
    const names = [
      sayServers('token.show'),
      sayServers('token.new'),
      sayServers('rename'),
      say('proxies.add'),
    ];
    const shown = async () => {
      const counts = names.map((name) => page.getByRole('button', { name, exact: true }).count());
      return (await Promise.all(counts)).map(Boolean);
    };
    expect(await shown()).toEqual([false, false, false, false]);
    expect(await page.getByRole('button', { name: /^Installieren/ }).count()).toBe(0);
    // The role alone would promise it.
    const members = await page.context().newPage();
    await members.goto(`${list}/${first.id}?tab=members`);
    await members.getByText(sayMembers('text.noToken', { role: roleTexts.operate.de })).waitFor();
    // With the same role at all of its proxies they may.
    await makeMember(client, hidden.id, guest, 'operate');
    await rowOf(page, hidden.serverName).waitFor();
    await expect.poll(shown).toEqual([true, true, false, false]);
  });

  it('loses a proxy to another server, whose connector serves it from then on, and then goes', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const [first, second] = [await newProxy(client), await newProxy(client)];
    await rename(client, first.serverId, `Alt-${user.id}`);
    await rename(client, second.serverId, `Neu-${user.id}`);
    await connect(await tokenOf(client, second.serverId));
    const { page, complaints } = await openAs(client, list);
    await groupOf(page, `Neu-${user.id}`).getByText(sayProxy('status.active')).waitFor();
    await menuOf(page, first.serverName);
    await page.getByRole('menuitem', { name: sayServers('move') }).click();
    await dialogOf(page).getByText(`Neu-${user.id}`).waitFor();
    await dialogOf(page)
      .getByRole('button', { name: sayServers('move.submit') })
      .click();
    await page.getByText(sayServers('move.done'), { exact: true }).waitFor();
    await expect.poll(() => groupOf(page, `Alt-${user.id}`).count()).toBe(0);
    expect((await client.call('GET /api/tunnel-configs/:id', { id: first.id })).serverId).toBe(
      second.serverId,
    );

    await page.goto(`/servers/${first.serverId}`);
    await page.getByText(sayServers('proxies.none')).waitFor();
    await press(page, sayServers('delete'));
    await dialogOf(page)
      .getByRole('button', { name: sayServers('delete.submit') })
      .click();
    await heading(page, 'Proxy-Konfiguration').waitFor();
    // One that has proxies says why it stays.
    await page.goto(`/servers/${second.serverId}`);
    await page.getByText(sayServers('delete.notEmpty')).waitFor();
    await expect.poll(() => page.getByRole('button', { name: sayServers('delete') }).isDisabled()).toBe(true);
    // The page has asked once more for what it has deleted.
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });

  it('says where its token is shown, installed, given and renewed whom that concerns', async () => {
    const [{ client }, { client: guest }] = [
      await newUser(system.url, 'basic'),
      await newUser(system.url, 'basic'),
    ];
    const first = await newProxy(client);
    const second = await newProxy(client, { serverId: first.serverId });
    const { page } = await openAs(client, `/servers/${first.serverId}`);
    const isShared = page.getByRole('dialog').getByText(sayProxy('token.shared'), { exact: true });
    await press(page, sayServers('token.show'));
    await dialogOf(page).locator('code.secret').waitFor();
    expect(await isShared.count()).toBe(0);
    for (const { id } of [first, second]) await makeMember(client, id, guest, 'operate');
    await tokenOf(guest, first.serverId);
    await isShared.waitFor();
    await page.goto(`${list}/${second.id}?tab=settings`);
    const server = first.serverName;
    await page.getByText(say('proxy.danger.recreate.shared', { server })).waitFor();
    await page.getByRole('button', { name: sayProxy('action.install') }).click();
    await isShared.waitFor();
    await page.goto(`${list}/${second.id}?tab=members`);
    await press(page, sayMembers('invite'));
    await dialogOf(page).getByText(sayMembers('role.operate.shared')).waitFor();
  });

  it('warns who leads a proxy to the panel of another one that they see there', async () => {
    const { client } = await newUser(system.url, 'basic');
    const first = await newProxy(client, { serverIP: 'localhost', adminPort: 40_120 });
    const second = await newProxy(client, { serverId: first.serverId, adminPort: 8080 });
    const elsewhere = await newProxy(client, { adminPort: 8443 });
    const { page } = await openAs(client, `${list}/${second.id}?tab=settings`);
    await press(page, sayProxy('action.edit'));
    const port = dialogOf(page).getByLabel(sayProxy('field.adminPort'));
    const warning = (name: string) => dialogOf(page).getByText(sayProxy('edit.sameTarget', { name }));
    await port.fill('40120');
    await warning(first.serverName).waitFor();
    await port.fill(String(elsewhere.adminPort));
    await expect.poll(() => warning(first.serverName).count()).toBe(0);
    expect(await warning(elsewhere.serverName).count()).toBe(0);
  });

  it('that is new is made for a proxy that moves there, which says what is left to do', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const first = await newProxy(client);
    const second = await newProxy(client, { serverId: first.serverId });
    const { page, complaints } = await openAs(client, `/servers/${first.serverId}`);
    await menuOf(page, second.serverName);
    await page.getByRole('menuitem', { name: sayServers('move') }).click();
    // There is no other one.
    await dialogOf(page).getByText(sayServers('move.newHint')).waitFor();
    await dialogOf(page).getByLabel(sayServers('move.name')).fill(`Dach-${user.id}`);
    await dialogOf(page)
      .getByRole('button', { name: sayServers('move.submit') })
      .click();
    await dialogOf(page).getByText(sayProxy('install.command')).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rowOf(page, second.serverName).count()).toBe(0);
    const servers = await client.call('GET /api/servers', {});
    expect(servers).toMatchObject([
      { id: first.serverId, proxyIds: [first.id] },
      { name: `Dach-${user.id}`, kind: 'machine', proxyIds: [second.id] },
    ]);
    expect(complaints).toEqual([]);
  });

  it('is given another token where somebody who is no member any more may know it', async () => {
    const [{ client }, { client: guest, user }] = [
      await newUser(system.url, 'basic'),
      await newUser(system.url, 'basic'),
    ];
    const proxy = await newProxy(client);
    await makeMember(client, proxy.id, guest, 'operate');
    await tokenOf(guest, proxy.serverId);
    const { page } = await openAs(client, `${list}/${proxy.id}?tab=members`);
    const known = page.getByText(sayMembers('known'), { exact: true });
    const remove = sayMembers('removal.remove.of', { name: user.username });
    await page.getByRole('button', { name: remove }).waitFor();
    expect(await known.count()).toBe(0);
    await press(page, remove);
    await dialogOf(page)
      .getByRole('button', { name: sayMembers('removal.remove') })
      .click();
    await known.waitFor();
    await press(page, sayMembers('known.renew'));
    await dialogOf(page)
      .getByRole('button', { name: sayServers('token.new.submit') })
      .click();
    await expect.poll(() => known.count()).toBe(0);
    const server = await client.call('GET /api/servers/:id', { id: proxy.serverId });
    expect(server.tokenShared).toBe(false);
  });
});
