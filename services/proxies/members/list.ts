import { includesRole, type Routes, type Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findMembership, findProxy } from '../proxy/find.ts';
import { readMemberLimit } from '../users/limits.ts';
import { type MemberRow, membersOf, publicMember } from './sql.ts';

/** A proxy's members, then its open invitations, each as they came. */
export const listMembers: Verb<Routes['GET /api/tunnel-configs/:id/members'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { reads } = context;
  const proxy = await findProxy(reads, id, context);
  const [rows, limit] = await Promise.all([membersOf(reads, [proxy]), readMemberLimit(reads, proxy.userId)]);
  // Addresses are for those who invite.
  const membership = await findMembership(reads, proxy, context.actor);
  const mayManage = !membership || includesRole(membership.role, 'manage');
  const shown = (row: MemberRow) => publicMember(mayManage ? row : { ...row, email: null });
  return { members: rows.map(shown), limit };
};
