import type { Client } from '../client.ts';
import { invite, inviteByLink, makeMember } from '../members.ts';

/** Has a proxy shared: with a member, somebody who is invited by name, and a link. @returns the link's secret */
export async function shareProxy(
  owner: Client,
  proxyId: number,
  { member, invited }: { readonly member: Client; readonly invited: Client },
): Promise<string> {
  await makeMember(owner, proxyId, member, 'operate');
  await invite(owner, proxyId, invited, 'manage', '2099-12-31T17:00:00.000Z');
  return inviteByLink(owner, proxyId);
}
