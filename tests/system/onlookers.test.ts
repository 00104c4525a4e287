import { randomUUID } from 'node:crypto';
import type { LiveMessage, MemberRole, ProxyConfig, User } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Onlooker, openPage } from './onlooker.ts';

const system = useSharedTalpa();
const reason = 'Phishing gemeldet';

let admin: Client;
let sql: Sql;
let owner: { client: Client; user: User };
let guest: { client: Client; user: User };
let pages: { owner: Onlooker; guest: Onlooker };
let id: number;
let memberId = 0;

/** What is so, as far as the two may see it. */
const now = {
  name: '' as string | null,
  ownerName: '',
  guestName: '',
  role: 'view' as MemberRole,
  /** What the guest is to the proxy. */
  guest: 'nobody' as 'nobody' | 'invited' | 'member',
  suspended: null as 'proxy' | 'user' | null,
  inboxes: { owner: [] as string[], guest: [] as string[] },
};

const ofProxy = ({ serverName, suspension }: ProxyConfig) => ({
  serverName,
  suspended: suspension?.of ?? null,
});
const asShared = (proxy: ProxyConfig) => ({
  ...ofProxy(proxy),
  ownerName: proxy.ownerName,
  role: proxy.membership?.role,
});
/** What is refused or missing is not seen. */
const seen = <T, S>(response: { status: number; body: unknown }, as: (body: T) => S) =>
  response.status === 200 ? as(response.body as T) : null;
const isOf = (scope: 'own' | 'shared') => (one: LiveMessage) => one.type === 'proxy' && one.scope === scope;
const isSharing = ({ type }: LiveMessage) => type === 'sharing';
const inbox = (client: Client) => ({
  isOutdatedBy: ({ type }: LiveMessage) => type === 'notification',
  read: async () => {
    const rows = await client.call('GET /api/user/notifications', { limit: 100 });
    return rows.map(({ kind }) => kind).toSorted();
  },
});

beforeAll(async () => {
  admin = await system.admin();
  sql = openDatabase(system.talpa.stores.adminUrl, 1);
  owner = await newUser(system.url, 'basic');
  guest = await newUser(system.url);
  const input = proxyInput();
  id = (await owner.client.call('POST /api/tunnel-configs', input)).proxy.id;
  Object.assign(now, {
    name: input.serverName,
    ownerName: owner.user.username,
    guestName: guest.user.username,
  });
  const { client } = owner;
  pages = {
    owner: await openPage(client, {
      list: {
        isOutdatedBy: isOf('own'),
        read: async () => (await client.call('GET /api/tunnel-configs', {})).map(ofProxy),
      },
      members: {
        isOutdatedBy: isOf('own'),
        read: async () =>
          seen(
            await client.try('GET /api/tunnel-configs/:id/members', { id }),
            ({ members }: { members: { username: string; role: string; joinedAt: string | null }[] }) =>
              members.map(({ username, role, joinedAt }) => ({
                username,
                role,
                hasJoined: joinedAt !== null,
              })),
          ),
      },
      inbox: inbox(client),
    }),
    guest: await openPage(guest.client, {
      shared: {
        isOutdatedBy: (message) => isSharing(message) || isOf('shared')(message),
        read: async () => (await guest.client.call('GET /api/shared-proxies', {})).map(asShared),
      },
      proxy: {
        isOutdatedBy: (message) => isSharing(message) || isOf('shared')(message),
        read: async () => seen(await guest.client.try('GET /api/tunnel-configs/:id', { id }), asShared),
      },
      invitations: {
        isOutdatedBy: isSharing,
        read: async () =>
          (await guest.client.call('GET /api/proxy-invitations', {})).map(({ proxyName, role }) => ({
            proxyName,
            role,
          })),
      },
      inbox: inbox(guest.client),
    }),
  };
});
afterAll(async () => {
  for (const page of Object.values(pages)) page.close();
  await sql.end();
});

/** What both have before them when all is as it is now. */
function expected() {
  const { name, ownerName, role, suspended, inboxes } = now;
  const isMember = now.guest === 'member' && name !== null;
  const shared = { serverName: name, suspended, ownerName, role };
  const listed = { username: now.guestName, role, hasJoined: isMember };
  return {
    owner: {
      list: name === null ? [] : [{ serverName: name, suspended }],
      members: name === null ? null : now.guest === 'nobody' ? [] : [listed],
      inbox: inboxes.owner.toSorted(),
    },
    guest: {
      shared: isMember ? [shared] : [],
      proxy: isMember ? shared : null,
      invitations: now.guest === 'invited' && name !== null ? [{ proxyName: name, role }] : [],
      inbox: inboxes.guest.toSorted(),
    },
  };
}

/** Whom the services that keep members believe to be one. */
async function keptMembers() {
  const rows = await sql<{ memberIds: number[] }[]>`
    select member_ids as "memberIds" from stats.owners where id = ${id}
    union all select member_ids from notifications.proxies where proxy_id = ${id}`;
  return rows.map(({ memberIds }) => memberIds);
}

const rename = (server: string) => {
  now.name = server;
  return owner.client.call('PUT /api/tunnel-configs/:id', { ...proxyInput(server), id });
};
const renameUser = ({ id }: User, username: string) => {
  const values = { isAdmin: false, proxyLimit: 3, subscriptionTier: 'basic' } as const;
  return admin.call('PUT /api/admin/users/:id', { id, username, ...values });
};
const invite = async () => {
  const invited = { id, username: now.guestName, role: 'view', memberUntil: null } as const;
  memberId = (await owner.client.call('POST /api/tunnel-configs/:id/members', invited)).member.id;
  Object.assign(now, { guest: 'invited', role: 'view' });
  now.inboxes.guest.push('proxy_invitation');
};
const accept = async () => {
  await guest.client.call('POST /api/proxy-invitations/:id/acceptance', { id: memberId });
  now.guest = 'member';
  now.inboxes.owner.push('member_joined');
};
const grant = async (role: MemberRole, memberUntil: string | null) => {
  const change = { id, memberId, role, memberUntil };
  await owner.client.call('PUT /api/tunnel-configs/:id/members/:memberId', change);
  now.role = role;
};
const suspend = async (of: 'proxy' | 'user') => {
  if (of === 'proxy') await admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id, reason });
  else await admin.call('POST /api/admin/users/:id/suspension', { id: owner.user.id, reason });
  now.suspended = of;
  now.inboxes.owner.push(of === 'proxy' ? 'proxy_suspended' : 'account_suspended');
};
const lift = async (of: 'proxy' | 'user') => {
  if (of === 'proxy') await admin.call('DELETE /api/admin/tunnel-configs/:id/suspension', { id });
  else await admin.call('DELETE /api/admin/users/:id/suspension', { id: owner.user.id });
  now.suspended = null;
  now.inboxes.owner.push(of === 'proxy' ? 'proxy_resumed' : 'account_resumed');
};
const end = async (how: 'expires' | 'is removed' | 'leaves' | 'is withdrawn' | 'is declined') => {
  const { client } = owner;
  if (how === 'expires') await grant(now.role, new Date(Date.now() + 1_500).toISOString());
  else if (how === 'leaves') await guest.client.call('POST /api/tunnel-configs/:id/leave', { id });
  else if (how === 'is declined')
    await guest.client.call('DELETE /api/proxy-invitations/:id', { id: memberId });
  else await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId });
  now.guest = 'nobody';
  if (how === 'expires' || how === 'is removed') now.inboxes.guest.push('membership_ended');
  if (how === 'leaves') now.inboxes.owner.push('member_left');
  if (how === 'is declined') now.inboxes.owner.push('invitation_declined');
};

const deleteProxy = async () => {
  await owner.client.call('DELETE /api/tunnel-configs/:id', { id });
  if (now.guest === 'member') now.inboxes.guest.push('membership_ended');
  Object.assign(now, { name: null, guest: 'nobody' });
};
const shareAnother = async () => {
  const input = proxyInput();
  id = (await owner.client.call('POST /api/tunnel-configs', input)).proxy.id;
  now.name = input.serverName;
  await invite();
};

/** In this order: each begins where the one before has ended. */
const steps: readonly (readonly [name: string, act: () => Promise<unknown>])[] = [
  ['nothing has happened', async () => {}],
  ['the guest is invited', invite],
  ['the invitation is declined', () => end('is declined')],
  ['they are invited again', invite],
  ['that is withdrawn', () => end('is withdrawn')],
  ['they are invited once more', invite],
  ['the proxy is renamed before they answer', () => rename('Vor der Antwort')],
  ['they accept', accept],
  ['the proxy is renamed', () => rename('Mit Mitglied')],
  ['the member gets another role', () => grant('manage', null)],
  [
    'the owner gets another name',
    () => {
      now.ownerName = `o${randomUUID().slice(0, 12)}`;
      return renameUser(owner.user, now.ownerName);
    },
  ],
  [
    'the member gets another name',
    () => {
      now.guestName = `g${randomUUID().slice(0, 12)}`;
      return renameUser(guest.user, now.guestName);
    },
  ],
  ['the proxy is suspended', () => suspend('proxy')],
  ['that is lifted', () => lift('proxy')],
  ['the owner is suspended', () => suspend('user')],
  ['this is lifted', () => lift('user')],
  ['the membership expires', () => end('expires')],
  ['the proxy is renamed when that has ended', () => rename('Ohne Mitglied')],
  ['the guest is invited after that', invite],
  ['the guest accepts', accept],
  ['the member is removed', () => end('is removed')],
  ['the proxy is renamed when they are gone', () => rename('Wieder ohne')],
  ['the guest is invited a last time', invite],
  ['the guest accepts again', accept],
  ['the member leaves', () => end('leaves')],
  ['the guest is invited all the same', invite],
  ['the proxy is deleted before they answer', deleteProxy],
  ['another proxy is shared', shareAnother],
  ['its member answers', accept],
  ['the proxy is deleted with its member', deleteProxy],
];

describe('an owner and a guest who only look see what is so', () => {
  it.each(steps)('when %s', async (when, act) => {
    const { messages } = pages.guest;
    const [before, wasMember] = [messages.length, now.guest === 'member'];
    await act();
    const { owner: owners, guest: guests } = expected();
    await pages.owner.sees(when, owners);
    await pages.guest.sees(when, guests);
    if (now.name === null) return;
    const isMember = now.guest === 'member';
    const kept = isMember ? [guest.user.id] : [];
    await until(`the members that services keep, when ${when}`, async () =>
      (await keptMembers()).every((ids) => JSON.stringify(ids) === JSON.stringify(kept)),
    );
    // Who is no member gets no message about the proxy.
    const about = messages.slice(before).filter((one) => 'id' in one && one.id === id && one.type !== 'user');
    if (!wasMember && !isMember) expect(about).toEqual([]);
  });
});
