import { randomUUID } from 'node:crypto';
import type { MemberRole } from '@talpa/contracts';
import { Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { readLive } from '@talpa/test-kit/live';
import { invite, makeMember } from '@talpa/test-kit/members';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();

/** A user with one proxy, whose plan allows three members. */
async function newOwner() {
  const { client, user } = await newUser(system.url, 'basic');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  return { client, user, proxy, id: proxy.id };
}
const newGuest = () => newUser(system.url, 'basic');
const inviteByLink = async (client: Client, id: number, role: MemberRole = 'view') => {
  const { member, link } = await client.call('POST /api/tunnel-configs/:id/members', { id, role });
  return { member, token: link?.path.split('#')[1] ?? '' };
};
const inviteByName = (client: Client, id: number, username: string) =>
  client.try('POST /api/tunnel-configs/:id/members', { id, username, role: 'view' });
const acceptLink = (client: Client, token: string) =>
  client.try('POST /api/proxy-invitation-link/acceptance', { token });
const shared = async (client: Client) =>
  (await client.call('GET /api/shared-proxies', {})).map(({ id }) => id);
const inboxOf = async (client: Client) =>
  (await client.call('GET /api/user/notifications', {})).map(({ kind }) => kind);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('an invitation by name', () => {
  it('is seen by its user alone, and gives nothing before they accept', async () => {
    const { client, id, proxy, user } = await newOwner();
    const [guest, other] = [await newGuest(), await newGuest()];
    await invite(client, id, guest.client, 'operate', null);
    const seen = await guest.client.call('GET /api/proxy-invitations', {});
    expect(seen).toEqual([
      {
        ...{ id: expect.any(Number), proxyName: proxy.serverName, ownerName: user.username },
        ...{ role: 'operate', memberUntil: null, invitedUntil: expect.any(String) },
      },
    ]);
    expect(await other.client.call('GET /api/proxy-invitations', {})).toEqual([]);
    expect(await guest.client.try('GET /api/tunnel-configs/:id', { id })).toMatchObject({ status: 404 });
    await until('the notification', async () => (await inboxOf(guest.client)).includes('proxy_invitation'));
  });

  it('makes a member, whom lists show what is shared apart from their own', async () => {
    const { client, id } = await newOwner();
    const guest = await newGuest();
    const { proxy: own } = await guest.client.call('POST /api/tunnel-configs', proxyInput());
    await makeMember(client, id, guest.client, 'operate');
    expect(await shared(guest.client)).toEqual([id]);
    expect((await guest.client.call('GET /api/tunnel-configs', {})).map((one) => one.id)).toEqual([own.id]);
    const membership = { role: 'operate', until: null };
    expect(await guest.client.call('GET /api/tunnel-configs/:id', { id })).toMatchObject({ membership });
    expect(await client.call('GET /api/tunnel-configs/:id', { id })).toMatchObject({ membership: null });
    await until('the owner’s notification', async () => (await inboxOf(client)).includes('member_joined'));
  });

  it('of the owner, a member and somebody invited is refused, and changes nothing', async () => {
    const { client, id, user } = await newOwner();
    const [guest, member] = [await newGuest(), await newGuest()];
    await invite(client, id, guest.client, 'view');
    await makeMember(client, id, member.client, 'view');
    const before = await client.call('GET /api/tunnel-configs/:id/members', { id });
    const add = (username: string) => inviteByName(client, id, username);
    expect(await add(user.username)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    for (const { username } of [guest.user, member.user])
      expect(await add(username)).toMatchObject({ status: 409, body: { code: 'already_member' } });
    expect(await client.call('GET /api/tunnel-configs/:id/members', { id })).toEqual(before);
  });

  it('looks to its inviter as if somebody had the name, until the invited answer', async () => {
    const [{ client, id }, other] = [await newOwner(), await newOwner()];
    const [guest, deleted] = [await newGuest(), await newGuest()];
    await makeMember(other.client, other.id, deleted.client, 'view');
    const admin = await system.admin();
    const nobody = `nie-${randomUUID().slice(0, 12)}`;
    // Not as they write it themselves: that would show it.
    const names = [guest.user.username, deleted.user.username, nobody].map((name) => name.toUpperCase());
    const without = (name: string, seen: unknown) =>
      JSON.parse(JSON.stringify(seen).replaceAll(name, 'NAME'), (key, value) =>
        ['id', 'createdAt', 'invitedUntil', 'at', 'requestId'].includes(key) ? key : value,
      );
    /** What the inviter sees of each of the invitations. */
    const alike = async (read: (name: string) => Promise<unknown>) => {
      const seen = [];
      for (const name of names) seen.push(without(name, await read(name)));
      expect(seen[0]).toEqual(seen[1]);
      expect(seen[0]).toEqual(seen[2]);
      return seen[0];
    };
    const about = <T>(rows: readonly T[], name: string) =>
      rows.filter((row) => JSON.stringify(row).includes(name));
    const listed = async (name: string) =>
      about((await client.call('GET /api/tunnel-configs/:id/members', { id })).members, name);
    expect(await alike((name) => inviteByName(client, id, name))).toMatchObject({ status: 201 });
    expect(await alike((name) => inviteByName(client, id, name.toLowerCase()))).toMatchObject({
      status: 409,
    });
    expect(await alike(listed)).toMatchObject([{ username: 'NAME', userId: null, joinedAt: null }]);
    const { id: memberId = 0 } = (await listed(nobody.toUpperCase()))[0] ?? {};
    await until('the audit rows', async () => {
      const rows = await client.call('GET /api/user/audit', {});
      return names.every((name) => about(rows, name).length > 0);
    });
    await alike(async (name) => about(await client.call('GET /api/user/audit', {}), name));
    await alike(async (name) => about(await client.call('GET /api/tunnel-configs/:id/events', { id }), name));
    for (const named of [guest, deleted])
      await until('the notification', async () => (await inboxOf(named.client)).includes('proxy_invitation'));

    // Neither the end of an account nor a new one with its name shows, or gets what was for somebody else.
    await admin.call('DELETE /api/admin/users/:id', { id: deleted.user.id });
    await until('the end of their membership', async () => {
      const { members } = await other.client.call('GET /api/tunnel-configs/:id/members', { id: other.id });
      return members.length === 0;
    });
    const renamed = await newGuest();
    const values = { isAdmin: false, proxyLimit: 3, subscriptionTier: 'basic' } as const;
    await admin.call('PUT /api/admin/users/:id', { id: renamed.user.id, username: nobody, ...values });
    const again = await newUser(system.url, 'basic', deleted.user.username);
    for (const { client: later } of [renamed, again]) {
      expect(await later.call('GET /api/proxy-invitations', {})).toEqual([]);
      expect(await later.try('POST /api/proxy-invitations/:id/acceptance', { id: memberId })).toMatchObject({
        status: 404,
      });
      expect(await inboxOf(later)).not.toContain('proxy_invitation');
    }
    await alike(listed);
    await alike((name) =>
      client.try('POST /api/tunnel-configs/:id/members', { id, username: name, role: 'manage' }),
    );
    // They count alike, and end alike.
    const full = await inviteByName(client, id, `${nobody}-2`);
    expect(full).toMatchObject({ status: 409, body: { code: 'member_limit_reached' } });
    await alike(async (name) => {
      const [one] = await listed(name);
      return client.try('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId: one?.id ?? 0 });
    });
  });

  it('that was accepted already leads to the proxy, by whichever tab it is pressed again', async () => {
    const { client, id } = await newOwner();
    const [guest, other] = [await newGuest(), await newGuest()];
    const invitation = await invite(client, id, guest.client, 'view');
    const press = (one: Client) => one.try('POST /api/proxy-invitations/:id/acceptance', { id: invitation });
    const answers = await Promise.all([press(guest.client), press(guest.client)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await press(guest.client)).toMatchObject({ body: { code: 'already_joined', proxyId: id } });
    expect(await press(other.client)).toMatchObject({ body: { code: 'not_found' } });
  });

  it('can be declined', async () => {
    const { client, id } = await newOwner();
    const guest = await newGuest();
    const invitation = await invite(client, id, guest.client, 'view');
    await guest.client.call('DELETE /api/proxy-invitations/:id', { id: invitation });
    expect(await guest.client.call('GET /api/proxy-invitations', {})).toEqual([]);
    expect(await client.call('GET /api/tunnel-configs/:id/members', { id })).toMatchObject({ members: [] });
    await until('the owner to read who has', async () =>
      (await client.call('GET /api/user/audit', {})).some(
        ({ action, changes }) =>
          action === 'proxy.declineInvitation' && changes.member?.from === guest.user.username,
      ),
    );
  });
});

describe('an invitation by link', () => {
  it('makes one member, however many open it at once, and nobody afterwards', async () => {
    const { client, id } = await newOwner();
    const { token } = await inviteByLink(client, id);
    const guests = await Promise.all(Array.from({ length: 4 }, newGuest));
    const answers = await Promise.all(guests.map((guest) => acceptLink(guest.client, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    const { members } = await client.call('GET /api/tunnel-configs/:id/members', { id });
    expect(members.filter(({ joinedAt }) => joinedAt !== null)).toHaveLength(1);
  });

  it('that was used leads those who have joined to the proxy, and nobody else', async () => {
    const { client, id } = await newOwner();
    const [guest, other, stranger] = [await newGuest(), await newGuest(), await newGuest()];
    const { token } = await inviteByLink(client, id);
    await acceptLink(guest.client, token);
    await makeMember(client, id, other.client, 'view');
    const read = (one: Client) => one.try('POST /api/proxy-invitation-link', { token });
    const known = { status: 409, body: { code: 'already_joined', proxyId: id } };
    for (const one of [guest, other, { client }]) expect(await read(one.client)).toMatchObject(known);
    expect(await acceptLink(guest.client, token)).toMatchObject(known);
    const refused = { status: 403, body: { code: 'invitation_link_invalid' } };
    expect(await read(stranger.client)).toMatchObject(refused);
    expect(await read(new Client(system.url))).toMatchObject(refused);
    await guest.client.call('POST /api/tunnel-configs/:id/leave', { id });
    expect(await read(guest.client)).toMatchObject(refused);
    expect(await acceptLink(stranger.client, token)).toMatchObject(refused);
  });

  it('opens nothing once it is withdrawn, nor to the owner, and shows before what it is for', async () => {
    const { client, id, proxy } = await newOwner();
    const guest = await newGuest();
    const { member, token } = await inviteByLink(client, id, 'manage');
    expect(await guest.client.call('POST /api/proxy-invitation-link', { token })).toMatchObject({
      ...{ proxyName: proxy.serverName, role: 'manage' },
    });
    expect(await acceptLink(client, token)).toMatchObject({ body: { code: 'already_joined', proxyId: id } });
    await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId: member.id });
    expect(await acceptLink(guest.client, token)).toMatchObject({
      body: { code: 'invitation_link_invalid' },
    });
    expect(await shared(guest.client)).toEqual([]);
  });

  it('says what it is for to who is not signed in, and nobody can use it once they decline', async () => {
    const { client, id, proxy } = await newOwner();
    const { token } = await inviteByLink(client, id);
    const stranger = new Client(system.url);
    expect(await stranger.call('POST /api/proxy-invitation-link', { token })).toMatchObject({
      ...{ proxyName: proxy.serverName, role: 'view' },
    });
    await stranger.call('POST /api/proxy-invitation-link/refusal', { token });
    expect(await client.call('GET /api/tunnel-configs/:id/members', { id })).toMatchObject({ members: [] });
    const guest = await newGuest();
    const refused = { body: { code: 'invitation_link_invalid' } };
    expect(await acceptLink(guest.client, token)).toMatchObject(refused);
    expect(await stranger.try('POST /api/proxy-invitation-link/refusal', { token })).toMatchObject(refused);
    await until('the owner to read of it', async () =>
      (await client.call('GET /api/user/audit', {})).some(
        ({ action }) => action === 'proxy.declineInvitation',
      ),
    );
    await until('their notification', async () => (await inboxOf(client)).includes('invitation_declined'));
  });

  it('is in no list and no event', async () => {
    const { client, id } = await newOwner();
    const { token } = await inviteByLink(client, id);
    await until('the invitation in the activity log', async () =>
      (await client.call('GET /api/user/audit', {})).some(({ action }) => action === 'proxy.inviteMember'),
    );
    const seen = [
      await client.send('GET', `/api/tunnel-configs/${id}/members`),
      await client.send('GET', `/api/tunnel-configs/${id}/events`),
      await client.send('GET', '/api/user/audit'),
    ];
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain(token);
  });
});

describe('the members of a proxy', () => {
  it('are never more than the plan allows, open invitations included, however many are invited at once', async () => {
    const { client, id } = await newOwner();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        client.try('POST /api/tunnel-configs/:id/members', { id, role: 'view' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'member_limit_reached',
      message: expect.stringContaining('3'),
    });
  });

  it('may be managed by a member with that role, who grants nothing that outlasts them', async () => {
    const { client, id } = await newOwner();
    const [manager, guest] = [await newGuest(), await newGuest()];
    await makeMember(client, id, manager.client, 'manage', inHours(2));
    const grant = (memberUntil: string | null) =>
      manager.client.try('POST /api/tunnel-configs/:id/members', {
        ...{ id, username: guest.user.username, role: 'manage', memberUntil },
      });
    for (const until of [null, inHours(3)])
      expect(await grant(until)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(await grant(inHours(1))).toMatchObject({ status: 201 });
    const { members } = await client.call('GET /api/tunnel-configs/:id/members', { id });
    const memberId = members.find(({ username }) => username === guest.user.username)?.id ?? 0;
    const longer = { id, memberId, role: 'manage', memberUntil: null } as const;
    expect(await manager.client.try('PUT /api/tunnel-configs/:id/members/:memberId', longer)).toMatchObject({
      status: 400,
    });
  });

  it('cannot be replaced by those whom a former manager has invited', async () => {
    const { client, id } = await newOwner();
    const [removed, lowered, guest] = [await newGuest(), await newGuest(), await newGuest()];
    const ids = [
      await makeMember(client, id, removed.client, 'manage'),
      await makeMember(client, id, lowered.client, 'manage'),
    ];
    const { token } = await inviteByLink(removed.client, id, 'manage');
    await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId: ids[0] ?? 0 });
    const refused = { body: { code: 'invitation_link_invalid' } };
    expect(await acceptLink(guest.client, token)).toMatchObject(refused);
    const second = await inviteByLink(lowered.client, id, 'manage');
    const lower = { id, memberId: ids[1] ?? 0, role: 'view', memberUntil: null } as const;
    await client.call('PUT /api/tunnel-configs/:id/members/:memberId', lower);
    expect(await acceptLink(guest.client, second.token)).toMatchObject(refused);
    const { members } = await client.call('GET /api/tunnel-configs/:id/members', { id });
    expect(members.map(({ userId }) => userId)).toEqual([lowered.user.id]);
  });

  it('change their proxy only by a form that shows its present values', async () => {
    const { client, id } = await newOwner();
    const guest = await newGuest();
    const memberId = await makeMember(client, id, guest.client, 'view');
    const change = (role: MemberRole, before: MemberRole) => ({
      ...{ id, memberId, role, memberUntil: null, expected: { role: before, memberUntil: null } },
    });
    await client.call('PUT /api/tunnel-configs/:id/members/:memberId', change('operate', 'view'));
    const late = await client.try('PUT /api/tunnel-configs/:id/members/:memberId', change('manage', 'view'));
    expect(late).toMatchObject({ status: 409, body: { code: 'edit_conflict' } });
    expect(await guest.client.call('GET /api/tunnel-configs/:id', { id })).toMatchObject({
      membership: { role: 'operate' },
    });
  });

  it('are named to the owner in the audit trail and the proxy’s events when they change something', async () => {
    const { client, id } = await newOwner();
    const guest = await newGuest();
    await makeMember(client, id, guest.client, 'manage');
    const input = { ...proxyInput(), id };
    await guest.client.call('PUT /api/tunnel-configs/:id', input);
    const by = { action: 'proxy.update', by: 'member', byName: guest.user.username };
    await until('the rows', async () => {
      const rows = await client.call('GET /api/user/audit', {});
      const events = await client.call('GET /api/tunnel-configs/:id/events', { id });
      return [rows, events].every((list) =>
        list.some(
          (one) => 'by' in one && one.action === by.action && one.by === by.by && one.byName === by.byName,
        ),
      );
    });
  });

  it('receive the proxy’s changes live, and its end', async () => {
    const { client, id } = await newOwner();
    const guest = await newGuest();
    await makeMember(client, id, guest.client, 'view');
    const live = await readLive(system.url, guest.client.cookie);
    const received = (change: string) =>
      live.messages.some((one) => one.type === 'proxy' && one.scope === 'shared' && one.change === change);
    try {
      await client.call('PUT /api/tunnel-configs/:id', { ...proxyInput(), id });
      await until('the change', () => received('changed'));
      await client.call('DELETE /api/tunnel-configs/:id', { id });
      await until('the end', () => received('deleted'));
      expect(await shared(guest.client)).toEqual([]);
    } finally {
      live.close();
    }
  });

  it('end with the accounts of members and of the owner', async () => {
    const { client, id } = await newOwner();
    const [guest, other] = [await newGuest(), await newGuest()];
    await makeMember(client, id, guest.client, 'view');
    await makeMember(client, id, other.client, 'view');
    const admin = await system.admin();
    await admin.call('DELETE /api/admin/users/:id', { id: guest.user.id });
    await until('one member', async () => {
      const { members } = await client.call('GET /api/tunnel-configs/:id/members', { id });
      return members.length === 1;
    });
    await until('the owner’s notification', async () => (await inboxOf(client)).includes('member_left'));
    const { id: ownerId } = await client.call('GET /api/user', {});
    await admin.call('DELETE /api/admin/users/:id', { id: ownerId });
    await until('nothing shared', async () => (await shared(other.client)).length === 0);
    await until('the notification', async () => (await inboxOf(other.client)).includes('membership_ended'));
  });
});
