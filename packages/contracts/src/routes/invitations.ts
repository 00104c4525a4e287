import { z } from 'zod';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { invitation, invitedUser, newInvitation } from '../invitations.ts';
import { paged } from '../paging.ts';

const adminErrors = ['not_signed_in', 'forbidden'] as const;

/** What administrators do with invitations. */
export const invitationRoutes = {
  'GET /api/admin/invitations': entry({
    summary: 'List all invitations, without their codes',
    procedure: 'auth.listInvitations',
    access: 'admin',
    scope: 'admin:invitations',
    input: z.object({
      ...paged(['createdAt']),
      /** Those that may still be used, or those that have ended. */
      state: z.enum(['open', 'ended']).optional(),
    }),
    response: z.array(invitation),
    effect: 'page',
    errors: adminErrors,
  }),
  'POST /api/admin/invitations': entry({
    summary: 'Create an invitation; only this response has its code',
    procedure: 'auth.createInvitation',
    access: 'admin',
    scope: 'admin:invitations',
    audit: 'invitation.create',
    input: z.object({
      subscriptionTier: fields.tierOrNone.default(null),
      /** How long the plan lasts; without end when left out. */
      months: fields.invitationMonths.nullable().default(null),
      uses: fields.invitationUses.default(1),
      expiresAt: fields.moment.nullable().default(null),
      note: fields.invitationNote.default(''),
    }),
    response: newInvitation,
    status: 201,
    secret: true,
    errors: ['storage_full', ...adminErrors],
  }),
  'GET /api/admin/invitations/:id/users': entry({
    summary: 'List the users who registered with an invitation, the newest first; at most 1000',
    procedure: 'auth.listInvitedUsers',
    access: 'admin',
    scope: 'admin:invitations',
    of: 'invitation',
    input: z.object({ id: fields.id }),
    response: z.array(invitedUser),
    errors: [...adminErrors, 'not_found'],
  }),
  'DELETE /api/admin/invitations/:id': entry({
    summary: 'Revoke an invitation; who has registered with it stays',
    procedure: 'auth.revokeInvitation',
    access: 'admin',
    scope: 'admin:invitations',
    audit: 'invitation.revoke',
    of: 'invitation',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: [...adminErrors, 'not_found'],
  }),
} as const;
