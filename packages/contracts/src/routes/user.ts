import { z } from 'zod';
import { ownEmail, preferences, user } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';

/** The signed-in person: who they are, their session, their preferences. */
export const userRoutes = {
  'GET /api/user': entry({
    summary: 'Get the current user',
    procedure: 'auth.getUser',
    access: 'user',
    // The panel measures the response time with it; the value itself is not looked at.
    input: z.object({ nocache: z.string().max(64).optional() }),
    response: user,
    errors: ['not_signed_in'],
    cached: 'per-user',
  }),
  'POST /api/login': entry({
    summary: 'Sign in',
    procedure: 'auth.login',
    access: 'public',
    audit: 'session.signIn',
    input: z.object({ username: fields.givenUsername, password: fields.givenPassword }),
    response: user,
    effect: 'signIn',
    limit: 'signIn',
    errors: ['invalid_credentials', 'second_factor_required'],
    deadline: 15_000,
  }),
  'POST /api/register': entry({
    summary: 'Create an account and sign in',
    procedure: 'auth.register',
    access: 'public',
    audit: 'user.register',
    input: z.object({
      username: fields.username,
      password: fields.newPassword,
      /** Needed where EMAIL_REQUIRED is on. */
      email: fields.givenEmail.optional(),
      /** Needed where REGISTRATION is `invite`; where it is `open`, for the plan that comes with it. */
      invitation: fields.invitationCode.optional(),
    }),
    response: user,
    status: 201,
    effect: 'signIn',
    limit: 'register',
    errors: [
      'storage_full',
      'username_taken',
      'username_similar',
      'username_reserved',
      'registration_closed',
      'invitation_required',
      'invitation_invalid',
    ],
    deadline: 15_000,
  }),
  'POST /api/password-reset': entry({
    summary: 'Set a new password with a reset link, and end all sessions of its user',
    procedure: 'auth.resetPassword',
    access: 'public',
    audit: 'user.resetPassword',
    input: z.object({ token: fields.oneTimeToken, newPassword: fields.newPassword }),
    response: z.null(),
    // The account of this browser may be another one.
    effect: 'signOut',
    limit: 'passwordReset',
    errors: ['reset_link_invalid', 'reset_link_expired', 'reset_link_used'],
    deadline: 15_000,
  }),
  'POST /api/password-reset-request': entry({
    summary: 'Ask for a reset link by email; the response never tells whether there is such an account',
    procedure: 'auth.requestPasswordReset',
    access: 'public',
    audit: 'user.requestPasswordReset',
    input: z.object({
      /** A user name, or a verified email address. */
      account: fields.givenAccount,
    }),
    response: z.null(),
    limit: 'passwordResetRequest',
    errors: [],
  }),
  'POST /api/intrusion-report': entry({
    summary: 'Say with the link of an email that somebody else was it: ends all sessions and the password',
    procedure: 'auth.reportIntrusion',
    access: 'public',
    audit: 'user.reportIntrusion',
    input: z.object({ token: fields.oneTimeToken }),
    response: z.null(),
    limit: 'intrusionReport',
    errors: ['not_me_link_invalid', 'not_me_link_expired', 'not_me_link_used'],
    deadline: 15_000,
  }),
  'POST /api/email-verification': entry({
    summary: 'Verify an email address with the link that was sent to it and the password of its account',
    procedure: 'auth.verifyEmail',
    access: 'public',
    audit: 'user.verifyEmail',
    input: z.object({ token: fields.oneTimeToken, password: fields.givenPassword }),
    response: z.null(),
    limit: 'emailVerification',
    errors: [
      'verification_link_invalid',
      'verification_link_expired',
      'verification_link_used',
      'wrong_password',
      'email_taken',
    ],
    deadline: 15_000,
  }),
  'POST /api/unsubscription': entry({
    summary: 'Turn off notifications by email with the link of such an email',
    procedure: 'auth.unsubscribe',
    access: 'public',
    audit: 'user.unsubscribe',
    input: z.object({ token: fields.oneTimeToken }),
    response: z.null(),
    limit: 'unsubscription',
    errors: ['unsubscribe_link_invalid'],
  }),
  'POST /api/logout': entry({
    summary: 'Sign out and end this session',
    procedure: 'auth.logout',
    access: 'public',
    audit: 'session.signOut',
    input: z.object({}),
    response: z.null(),
    effect: 'signOut',
    errors: [],
  }),
  'GET /api/user/preferences': entry({
    summary: 'Get your settings',
    procedure: 'auth.getPreferences',
    access: 'user',
    input: z.object({}),
    response: preferences,
    errors: ['not_signed_in'],
    cached: 'per-user',
  }),
  'POST /api/user/preferences': entry({
    summary: 'Save your settings',
    procedure: 'auth.setPreferences',
    access: 'user',
    audit: 'user.changePreferences',
    // For a changed email address.
    stepUp: 'sometimes',
    input: preferences.extend({
      /** Empty removes it; left out it stays. */
      email: fields.email.optional(),
      /** The preferences the change was made from; if the stored ones differ, nothing is saved. */
      expected: preferences.optional(),
    }),
    response: preferences,
    errors: ['not_signed_in', 'edit_conflict'],
  }),
  'GET /api/user/email': entry({
    summary: 'Get your email address, whether it is verified, and whether emails arrive there',
    procedure: 'auth.getOwnEmail',
    access: 'user',
    input: z.object({}),
    response: ownEmail,
    errors: ['not_signed_in'],
  }),
  'POST /api/user/email-verification': entry({
    summary: 'Send the link that verifies your email address again; three times an hour',
    procedure: 'auth.requestEmailVerification',
    access: 'user',
    audit: 'user.requestEmailVerification',
    input: z.object({}),
    response: z.null(),
    errors: ['not_signed_in', 'email_verified'],
  }),
} as const;
