import type { MemberRole, RouteName } from '@talpa/contracts';
import type { Client } from './client.ts';
import { until } from './wait.ts';

/** Invites a user to a proxy by their name. @returns the invitation's id */
export async function invite(
  owner: Client,
  proxyId: number,
  guest: Client,
  role: MemberRole,
  memberUntil: string | null = null,
): Promise<number> {
  const { username } = await guest.call('GET /api/user', {});
  const input = { id: proxyId, username, role, memberUntil };
  return (await owner.call('POST /api/tunnel-configs/:id/members', input)).member.id;
}

/** Makes a user a member of a proxy. @returns the member's id */
export async function makeMember(...invited: Parameters<typeof invite>): Promise<number> {
  const id = await invite(...invited);
  await invited[2].call('POST /api/proxy-invitations/:id/acceptance', { id });
  return id;
}

type Prepare = (owner: Client, proxyId: number, guest: Client) => Promise<{ id: number } | { token: string }>;

/** The calls that somebody makes about another user's proxy, and what they need: their input is the result. */
export const guestCalls: { readonly [N in RouteName]?: Prepare } = {
  'POST /api/tunnel-configs/:id/leave': async (owner, id, guest) => {
    await makeMember(owner, id, guest, 'view');
    return { id };
  },
  'POST /api/proxy-invitations/:id/acceptance': async (owner, id, guest) => ({
    id: await invite(owner, id, guest, 'view'),
  }),
  'DELETE /api/proxy-invitations/:id': async (owner, id, guest) => ({
    id: await invite(owner, id, guest, 'view'),
  }),
  'POST /api/proxy-invitation-link/acceptance': async (owner, id) => ({
    token: await inviteByLink(owner, id),
  }),
  'POST /api/proxy-invitation-link/refusal': async (owner, id) => ({
    token: await inviteByLink(owner, id),
  }),
};

/** Invites the first who opens a link. @returns the link's secret */
export async function inviteByLink(owner: Client, id: number, role: MemberRole = 'view'): Promise<string> {
  const { link } = await owner.call('POST /api/tunnel-configs/:id/members', { id, role });
  return link?.path.split('#')[1] ?? '';
}

/** Those who could manage a proxy and no longer can, or cannot yet. @param newGuest makes a user */
export async function makeFormerMembers(
  owner: Client,
  proxyId: number,
  newGuest: () => Promise<Client>,
): Promise<readonly Client[]> {
  const [expired, left, onlyInvited] = [await newGuest(), await newGuest(), await newGuest()];
  await makeMember(owner, proxyId, expired, 'manage', new Date(Date.now() + 1_500).toISOString());
  await makeMember(owner, proxyId, left, 'manage');
  await left.call('POST /api/tunnel-configs/:id/leave', { id: proxyId });
  await invite(owner, proxyId, onlyInvited, 'manage');
  const shared = () => expired.call('GET /api/shared-proxies', {});
  await until('the end of a membership', async () => (await shared()).length === 0);
  return [expired, left, onlyInvited];
}
