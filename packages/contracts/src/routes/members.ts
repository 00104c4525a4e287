import { z } from 'zod';
import { proxy } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { member, members, newMember, proxyInvitation } from '../members.ts';
import { paged, proxySorts } from '../paging.ts';
import { memberRoles } from '../roles.ts';
import { suspendedErrors } from './proxy-errors.ts';

const ofProxy = z.object({ id: fields.id });
const one = ofProxy.extend({ memberId: fields.id });
const grant = {
  role: z.enum(memberRoles),
  /** When the membership ends by itself. */
  memberUntil: fields.time.nullable().default(null),
};
const token = z.object({ token: fields.oneTimeToken });

/** Who may help with a proxy: members, and invitations to become one. People decide about people: API keys only read. */
export const memberRoutes = {
  'GET /api/tunnel-configs/:id/members': entry({
    summary: 'List a proxy’s members and open invitations',
    procedure: 'proxies.listMembers',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'view',
    input: ofProxy,
    response: members,
    errors: ['not_signed_in', 'not_found'],
  }),
  'POST /api/tunnel-configs/:id/members': entry({
    summary:
      'Invite somebody to be a member of a proxy: a user by name, an address by email, or the first who opens a link',
    procedure: 'proxies.inviteMember',
    access: 'user',
    scope: null,
    audit: 'proxy.inviteMember',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({
      /** A user to invite. */
      username: fields.givenUsername.optional(),
      /** Where to send a link, in place of a name; without both the response has the link. */
      email: fields.givenEmail.optional(),
      ...grant,
    }),
    response: newMember,
    status: 201,
    limit: 'inviteMember',
    secret: true,
    errors: ['not_signed_in', 'not_found', ...suspendedErrors, 'member_limit_reached', 'already_member'],
  }),
  'PUT /api/tunnel-configs/:id/members/:memberId': entry({
    summary: 'Change a member’s role and when their membership ends',
    procedure: 'proxies.updateMember',
    access: 'user',
    scope: null,
    audit: 'proxy.updateMember',
    of: 'proxy',
    role: 'manage',
    input: one.extend({
      ...grant,
      /** What the change was made from; if the stored values differ, nothing is saved. */
      expected: z.object(grant).optional(),
    }),
    response: member,
    errors: ['not_signed_in', 'not_found', ...suspendedErrors, 'member_not_found', 'edit_conflict'],
  }),
  'DELETE /api/tunnel-configs/:id/members/:memberId': entry({
    summary: 'Remove a member, or withdraw an invitation',
    procedure: 'proxies.removeMember',
    access: 'user',
    scope: null,
    audit: 'proxy.removeMember',
    of: 'proxy',
    role: 'manage',
    input: one,
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'member_not_found'],
  }),
  'POST /api/tunnel-configs/:id/leave': entry({
    summary: 'End your own membership of a proxy',
    procedure: 'proxies.leaveProxy',
    access: 'user',
    scope: null,
    audit: 'proxy.leave',
    of: 'proxy',
    role: 'view',
    input: ofProxy,
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'member_not_found'],
  }),
  'GET /api/shared-proxies': entry({
    summary: 'List the proxies that you are a member of',
    procedure: 'proxies.listShared',
    access: 'user',
    scope: 'proxies:read',
    input: z.object(paged(proxySorts)),
    response: z.array(proxy),
    effect: 'page',
    errors: ['not_signed_in'],
  }),
  'GET /api/proxy-invitations': entry({
    summary: 'List your open invitations to proxies',
    procedure: 'proxies.listInvitations',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(proxyInvitation),
    errors: ['not_signed_in'],
  }),
  'POST /api/proxy-invitations/:id/acceptance': entry({
    summary: 'Accept an invitation to a proxy',
    procedure: 'proxies.acceptInvitation',
    access: 'user',
    scope: null,
    audit: 'proxy.join',
    of: 'proxyInvitation',
    input: ofProxy,
    response: proxy,
    errors: ['not_signed_in', 'not_found', 'already_joined', 'account_suspended'],
  }),
  'DELETE /api/proxy-invitations/:id': entry({
    summary: 'Decline an invitation to a proxy',
    procedure: 'proxies.declineInvitation',
    access: 'user',
    scope: null,
    audit: 'proxy.declineInvitation',
    of: 'proxyInvitation',
    input: ofProxy,
    response: z.null(),
    errors: ['not_signed_in', 'not_found', 'already_joined'],
  }),
  'POST /api/proxy-invitation-link': entry({
    summary: 'See the invitation that a link is for, also before you sign in',
    procedure: 'proxies.readInvitationLink',
    access: 'public',
    scope: null,
    audit: null,
    input: token,
    response: proxyInvitation,
    limit: 'invitationLink',
    errors: ['invitation_link_invalid', 'already_joined'],
  }),
  'POST /api/proxy-invitation-link/refusal': entry({
    summary: 'Decline the invitation that a link is for; the link is invalid afterwards',
    procedure: 'proxies.declineInvitationLink',
    access: 'public',
    scope: null,
    audit: 'proxy.declineInvitation',
    input: token,
    response: z.null(),
    limit: 'invitationLink',
    errors: ['invitation_link_invalid', 'already_joined'],
  }),
  'POST /api/proxy-invitation-link/acceptance': entry({
    summary: 'Accept the invitation that a link is for',
    procedure: 'proxies.acceptInvitationLink',
    access: 'user',
    scope: null,
    audit: 'proxy.join',
    input: token,
    response: proxy,
    limit: 'invitationLink',
    errors: ['not_signed_in', 'invitation_link_invalid', 'already_joined', 'account_suspended'],
  }),
} as const;
