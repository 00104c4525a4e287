import { z } from 'zod';
import { accountExport, session } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { cursor } from '../paging.ts';

/** What a signed-in user does about their own account: sessions, password, data, its end. */
export const accountRoutes = {
  'GET /api/user/sessions': entry({
    summary: 'List your sessions',
    procedure: 'auth.listSessions',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(session),
    // It marks the session that asks.
    cached: 'per-session',
    errors: ['not_signed_in'],
  }),
  'DELETE /api/user/sessions': entry({
    summary: 'End all of your sessions except this one',
    procedure: 'auth.endOtherSessions',
    access: 'user',
    scope: null,
    audit: 'session.endOthers',
    input: z.object({}),
    response: z.null(),
    errors: ['not_signed_in'],
  }),
  'DELETE /api/user/sessions/:id': entry({
    summary: 'End one of your sessions',
    procedure: 'auth.endSession',
    access: 'user',
    scope: null,
    audit: 'session.end',
    of: 'session',
    input: z.object({ id: fields.uuid }),
    response: z.null(),
    errors: ['not_signed_in', 'not_found'],
  }),
  'POST /api/user/password': entry({
    summary: 'Change your password, or set the first one, and end your other sessions',
    procedure: 'auth.changePassword',
    access: 'user',
    scope: null,
    audit: 'user.changePassword',
    // For users with a second factor, and for those without a password. For others the current password is enough.
    stepUp: 'sometimes',
    input: z.object({
      /** Left out by users who have none yet. */
      currentPassword: fields.givenPassword.optional(),
      newPassword: fields.newPassword,
    }),
    response: z.null(),
    limit: 'ownPassword',
    errors: ['not_signed_in', 'wrong_password'],
    deadline: 15_000,
  }),
  'GET /api/user/export': entry({
    summary: 'Export all data stored about you; long lists in several responses',
    procedure: 'auth.exportUser',
    access: 'user',
    scope: null,
    audit: 'user.export',
    stepUp: true,
    /** The `next` of the response before. */
    input: z.object({ cursor }),
    response: accountExport,
    errors: ['not_signed_in'],
    deadline: 12_000,
  }),
  // A DELETE has no body, and a password must never be in an address.
  'POST /api/user/deletion': entry({
    summary: 'Delete your account and all of its proxies',
    procedure: 'auth.deleteAccount',
    access: 'user',
    scope: null,
    audit: 'user.delete',
    // For users with a second factor. For others the password is enough.
    stepUp: 'sometimes',
    input: z.object({ password: fields.givenPassword }),
    response: z.null(),
    effect: 'signOut',
    limit: 'ownPassword',
    errors: ['not_signed_in', 'wrong_password', 'password_missing', 'last_administrator'],
    deadline: 15_000,
  }),
} as const;
