import { z } from 'zod';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { loggedMail, mailContent, mailDetails, mailKindNames, mailSetUp, mailStates } from '../mails.ts';
import { paged } from '../paging.ts';

const adminErrors = ['not_signed_in', 'forbidden'] as const;

/** The log of emails, for administrators. */
export const mailRoutes = {
  'GET /api/admin/mails': entry({
    summary: 'List the emails of the last 90 days, newest first; without what they say',
    procedure: 'notifications.listMails',
    access: 'admin',
    scope: 'admin:mails',
    input: z.object({
      ...paged(['createdAt']),
      state: z.enum(mailStates).optional(),
      kind: z.enum(mailKindNames).optional(),
      /** Only to this user. */
      userId: fields.id.optional(),
    }),
    response: z.array(loggedMail),
    effect: 'page',
    errors: adminErrors,
  }),
  'GET /api/admin/mails/:id': entry({
    summary: 'Get an email; with what it says where that is kept and concerns no account’s security',
    procedure: 'notifications.getMail',
    access: 'admin',
    scope: null,
    audit: 'mail.read',
    of: 'mail',
    input: z.object({ id: fields.id }),
    response: mailDetails,
    errors: [...adminErrors, 'not_found'],
  }),
  // It may hold a link that opens an account.
  'POST /api/admin/mails/:id/reading': entry({
    summary: 'Read a kept email, to hand it over; not one to an administrator, nor one that reports a change',
    procedure: 'notifications.readMail',
    access: 'admin',
    scope: null,
    audit: 'mail.handOver',
    of: 'mail',
    input: z.object({ id: fields.id }),
    response: mailContent,
    secret: true,
    stepUp: true,
    errors: [...adminErrors, 'not_found', 'mail_not_kept'],
  }),
  'POST /api/admin/mails/:id/sending': entry({
    summary: 'Send an email again that was not sent',
    procedure: 'notifications.sendAgain',
    access: 'admin',
    scope: 'admin:mails',
    audit: 'mail.sendAgain',
    of: 'mail',
    input: z.object({ id: fields.id }),
    response: loggedMail,
    errors: [...adminErrors, 'not_found', 'mail_on_its_way'],
  }),
  'POST /api/admin/test-mail': entry({
    summary: 'Send a test email to your own address',
    procedure: 'notifications.sendTestMail',
    access: 'admin',
    scope: null,
    audit: 'mail.sendTest',
    input: z.object({}),
    response: loggedMail,
    status: 201,
    errors: [...adminErrors, 'mail_address_missing'],
  }),
  'GET /api/admin/mail-setup': entry({
    summary: 'Get whether emails are sent, and from which address',
    procedure: 'notifications.getMailSetUp',
    access: 'admin',
    scope: 'admin:mails',
    input: z.object({}),
    response: mailSetUp,
    errors: adminErrors,
  }),
} as const;
