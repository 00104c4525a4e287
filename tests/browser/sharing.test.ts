import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { inviteByLink, makeMember } from '@talpa/test-kit/members';
import { heading } from '@talpa/test-kit/panel/heading';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const toast = (page: Page, text: string) =>
  page
    .getByRole('region', { name: /Meldungen/ })
    .getByRole('listitem')
    .filter({ hasText: text });
const {
  access: sayAccess,
  members: say,
  requests: sayRequests,
  proxy: sayProxy,
  shell: sayShell,
  user: sayUser,
} = wordsIn('de');

async function newOwner() {
  const { client } = await newUser(system.url, 'basic');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const path = `/tunnel-configuration/${proxy.id}`;
  const tab = (name: 'access' | 'members' | 'requests' | 'settings') => `${path}?tab=${name}`;
  return { client, proxy, id: proxy.id, tab };
}
/** Goes to the tab of a proxy's page that ends with what cannot be undone. */
const openSettings = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('link', { name: sayUser('proxy.tab.settings'), exact: true })
    .click();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('in the browser', () => {
  it('somebody without an account opens an invitation, registers, and becomes a member', async () => {
    const { client, proxy, id } = await newOwner();
    const token = await inviteByLink(client, id, 'operate');
    const { page } = await browser.open(system.url);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`/join#${token}`);
    await page.getByText(sayShell('proxyInvitation.title', { proxy: proxy.serverName })).waitFor();
    await page.getByRole('tab', { name: sayShell('auth.register') }).click();
    const username = `gast${Date.now() % 1_000_000}`;
    await page.getByLabel('Benutzername').fill(username);
    await page.getByLabel('Passwort', { exact: true }).fill(testPassword);
    await page.getByLabel('Passwort wiederholen').fill(testPassword);
    await button(page, 'Registrieren').click();
    await page.getByRole('heading', { level: 2, name: proxy.serverName }).waitFor();
    await page.getByRole('button', { name: say('invitations.accept') }).click();
    await heading(page, proxy.serverName).waitFor();
    await openSettings(page);
    await button(page, sayProxy('action.recreate')).waitFor();
    expect(await button(page, sayProxy('action.delete')).count()).toBe(0);
    // The secret stays in the address's fragment and in request bodies.
    expect(requested.filter((url) => new URL(url).href.split('#')[0]?.includes(token))).toEqual([]);
    const { members } = await client.call('GET /api/tunnel-configs/:id/members', { id });
    expect(members).toMatchObject([{ username, role: 'operate' }]);
  });

  it('an invitation can be declined before one signs in, and after', async () => {
    const { client, proxy, id } = await newOwner();
    const { page } = await browser.open(system.url);
    await page.goto(`/join#${await inviteByLink(client, id)}`);
    await button(page, sayShell('proxyInvitation.decline.of', { proxy: proxy.serverName })).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: sayShell('proxyInvitation.decline') })
      .click();
    await page.getByText(sayShell('proxyInvitation.declined')).waitFor();
    expect(await client.call('GET /api/tunnel-configs/:id/members', { id })).toMatchObject({ members: [] });

    const guest = await newUser(system.url);
    const { page: signedIn } = await browser.open(system.url);
    await carrySession(signedIn, guest.client);
    await signedIn.goto(`/join#${await inviteByLink(client, id)}`);
    await button(signedIn, say('invitations.decline')).click();
    await signedIn
      .getByRole('dialog')
      .getByRole('button', { name: say('invitations.decline') })
      .click();
    await signedIn.waitForURL('**/tunnel-configuration');
    await toast(signedIn, say('invitations.declined')).waitFor();
    expect(await client.call('GET /api/tunnel-configs/:id/members', { id })).toMatchObject({ members: [] });
  });

  it('a link is sent once, and leads its member to the proxy when it is opened again', async () => {
    const { client, proxy, id } = await newOwner();
    const path = `/join#${await inviteByLink(client, id)}`;
    const guest = await newUser(system.url);
    const { page } = await browser.open(system.url);
    await carrySession(page, guest.client);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const times = (route: string) => requested.filter((one) => one === route).length;
    await page.goto(path);
    await button(page, say('invitations.decline')).waitFor();
    // What is live is fetched again once the stream begins.
    await expect.poll(() => times('GET /api/user/notifications/unread-count')).toBeGreaterThan(1);
    expect(times('POST /api/proxy-invitation-link')).toBe(1);
    await page.getByRole('button', { name: say('invitations.accept') }).click();
    await heading(page, proxy.serverName).waitFor();

    await page.goto('/settings');
    await page.goto(path);
    await page.getByText(say('join.already'), { exact: true }).waitFor();
    await page.getByRole('link', { name: say('join.open') }).click();
    await heading(page, proxy.serverName).waitFor();
  });

  it('an invitation that is withdrawn while it is accepted is said to be gone, and goes', async () => {
    const { client, proxy, id } = await newOwner();
    const guest = await newUser(system.url);
    const { member } = await client.call('POST /api/tunnel-configs/:id/members', {
      ...{ id, username: guest.user.username, role: 'view' },
    });
    const { page } = await browser.open(system.url);
    await carrySession(page, guest.client);
    await page.route('**/acceptance', async (route) => {
      await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId: member.id });
      await route.continue();
    });
    await page.goto('/tunnel-configuration');
    const accept = button(page, say('invitations.accept.of', { proxy: proxy.serverName }));
    await accept.click();
    await page.getByText(say('invitations.gone'), { exact: true }).waitFor();
    await accept.waitFor({ state: 'detached' });
  });

  it('an owner invites, changes and removes a member, whose open page follows at once', async () => {
    const { client, proxy, tab } = await newOwner();
    const guest = await newUser(system.url, 'basic');
    const { page: owner } = await browser.open(system.url);
    await carrySession(owner, client);
    const { page: member } = await browser.open(system.url);
    await carrySession(member, guest.client);
    await owner.goto(tab('members'));
    await button(owner, say('invite')).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel(say('invite.username')).fill(guest.user.username);
    await member.goto('/tunnel-configuration');
    await dialog.getByRole('button', { name: say('invite') }).click();
    await button(member, say('invitations.accept.of', { proxy: proxy.serverName })).click();
    await member.getByRole('link', { name: proxy.serverName }).click();
    await openSettings(member);
    await button(member, say('leave')).waitFor();
    expect(await button(member, sayProxy('action.edit')).count()).toBe(0);

    // A second opening begins with what is stored then.
    for (const [role, before] of [
      [/^Verwalten/, /^Ansehen/],
      [/^Betreiben/, /^Verwalten/],
    ] as const) {
      await button(owner, say('edit.of', { name: guest.user.username })).click();
      expect(await dialog.getByRole('radio', { name: before }).isChecked()).toBe(true);
      await dialog.getByRole('radio', { name: role }).check();
      await dialog.getByRole('button', { name: say('edit.submit') }).click();
      await dialog.waitFor({ state: 'hidden' });
      const edit = button(member, sayProxy('action.edit'));
      await edit.waitFor({ state: String(role).includes('Verwalten') ? 'visible' : 'detached' });
    }

    await button(owner, say('removal.remove.of', { name: guest.user.username })).click();
    await owner
      .getByRole('dialog')
      .getByRole('button', { name: say('removal.remove') })
      .click();
    await toast(member, sayUser('proxy.ended.text', { name: proxy.serverName })).waitFor();
    await member.waitForURL('**/tunnel-configuration');
  });

  it('a removed member leaves the page with a word, whatever they have open, and asks once; so does their list', async () => {
    const { client, proxy, id, tab } = await newOwner();
    const guest = await newUser(system.url, 'basic');
    const memberId = await makeMember(client, id, guest.client, 'manage');
    const { page } = await browser.open(system.url);
    await carrySession(page, guest.client);
    await page.goto(tab('requests'));
    await page.getByRole('heading', { name: sayRequests('title'), exact: true }).waitFor();
    const list = await page.context().newPage();
    await list.goto('/tunnel-configuration');
    await list.getByRole('link', { name: proxy.serverName }).waitFor();
    await button(page, sayProxy('action.edit')).click();
    await page.getByRole('dialog').getByLabel(sayProxy('field.serverName')).fill('eben getippt');
    const refused: string[] = [];
    page.on(
      'response',
      (response) => response.status() === 404 && refused.push(new URL(response.url()).pathname),
    );
    await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId });
    await page.waitForURL('**/tunnel-configuration');
    const ended = sayUser('proxy.ended.text', { name: proxy.serverName });
    for (const tab of [page, list]) {
      await toast(tab, ended).waitFor();
      await expect.poll(() => tab.getByRole('link', { name: proxy.serverName }).count()).toBe(0);
    }
    // The form asks by itself whether what was typed is free.
    const about = refused.filter((asked) => asked !== '/api/subdomain-availability');
    expect(about).toEqual([`/api/tunnel-configs/${id}`]);
    // Nothing of it is kept.
    await page.goBack();
    await page.goto(tab('requests'));
    await page.getByText(sayUser('proxy.notFound'), { exact: true }).waitFor();
  });

  it('a membership that ends by itself ends likewise, and one role sees no more than its invitation says', async () => {
    const { client, proxy, id, tab } = await newOwner();
    const guest = await newUser(system.url, 'basic');
    const memberId = await makeMember(client, id, guest.client, 'view');
    const { page } = await browser.open(system.url);
    await carrySession(page, guest.client);
    // Without a live stream: the page knows when it ends.
    await page.route('**/api/events', () => {});
    await page.goto(tab('settings'));
    await button(page, say('leave')).waitFor();
    await page.goto(tab('access'));
    await page.getByRole('heading', { name: sayAccess('title'), exact: true }).waitFor();
    expect(await button(page, sayAccess('test')).count()).toBe(0);
    // The tab that they do not have is the first one, by its address, too.
    await page.goto(tab('requests'));
    await page.getByRole('heading', { name: sayUser('proxy.traffic'), exact: true }).waitFor();
    for (const text of [sayRequests('title'), sayUser('proxy.tab.requests')])
      expect(await page.getByText(text, { exact: true }).count()).toBe(0);
    const load = async () => {
      await page.reload();
      await heading(page, proxy.serverName).waitFor();
    };
    const began = Date.now();
    await load();
    // It is loaded long before that, however busy the machine is.
    const memberUntil = new Date(Date.now() + 2_000 + 5 * (Date.now() - began)).toISOString();
    const ending = { id, memberId, role: 'view', memberUntil } as const;
    await client.call('PUT /api/tunnel-configs/:id/members/:memberId', ending);
    await load();
    await toast(page, sayUser('proxy.ended.text', { name: proxy.serverName })).waitFor();
    await page.waitForURL('**/tunnel-configuration');
  });

  it('a member sees that the owner has deleted the proxy, and no word of access', async () => {
    const { client, proxy, id, tab } = await newOwner();
    const guest = await newUser(system.url, 'basic');
    await makeMember(client, id, guest.client, 'view');
    const { page } = await browser.open(system.url);
    await carrySession(page, guest.client);
    await page.goto(tab('settings'));
    await button(page, say('leave')).waitFor();
    const list = await page.context().newPage();
    await list.goto('/tunnel-configuration');
    await list.getByRole('link', { name: proxy.serverName }).waitFor();
    await client.call('DELETE /api/tunnel-configs/:id', { id });
    await page.getByText(sayUser('proxy.gone.text', { name: proxy.serverName })).waitFor();
    await expect.poll(() => list.getByRole('link', { name: proxy.serverName }).count()).toBe(0);
    const ended = sayUser('proxy.ended.text', { name: proxy.serverName });
    for (const tab of [page, list]) expect(await toast(tab, ended).count()).toBe(0);
  });

  it('a member leaves, and the proxy is gone from their list', async () => {
    const { client, proxy, id, tab } = await newOwner();
    const guest = await newUser(system.url, 'basic');
    await makeMember(client, id, guest.client, 'view');
    const { page } = await browser.open(system.url);
    await carrySession(page, guest.client);
    await page.goto(tab('settings'));
    await button(page, say('leave')).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('leave') })
      .click();
    await heading(page, 'Proxy-Konfiguration').waitFor();
    await page.getByRole('link', { name: proxy.serverName }).waitFor({ state: 'detached' });
    expect(await guest.client.call('GET /api/shared-proxies', {})).toEqual([]);
  });

  it('an administrator who is a member leaves, and can still open the proxy; one who is none has nothing to leave', async () => {
    const [{ client, id, tab }, other] = [await newOwner(), await newOwner()];
    const admin = await system.admin();
    const shared = async () =>
      (await admin.call('GET /api/shared-proxies', {})).filter((proxy) => proxy.id === id).length;
    await makeMember(client, id, admin, 'view');
    expect(await shared()).toBe(1);
    const { page } = await browser.open(system.url);
    await carrySession(page, admin);
    /** Whether one has something to leave is in the list of members. */
    const openLoaded = async (at: string, of: number) => {
      const members = page.waitForResponse(`**/api/tunnel-configs/${of}/members`);
      await page.goto(at);
      await (await members).finished();
      await button(page, sayProxy('action.recreate')).waitFor();
    };
    await openLoaded(other.tab('settings'), other.id);
    expect(await button(page, say('leave')).count()).toBe(0);
    await page.goto(tab('settings'));
    await button(page, say('leave')).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('leave') })
      .click();
    await page.getByText(say('leave.done'), { exact: true }).waitFor();
    expect(await shared()).toBe(0);
    await openLoaded(tab('settings'), id);
    expect(await button(page, say('leave')).count()).toBe(0);
  });
});
