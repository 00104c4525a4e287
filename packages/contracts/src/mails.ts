import { z } from 'zod';
import { languages } from './language.ts';
import type { LinkPurpose, MailLink } from './link-paths.ts';
import { notificationContent } from './notifications.ts';
import { personal } from './personal-data.ts';
import { securityEvents } from './security-events.ts';
import { typed } from './typed.ts';

const time = z.iso.datetime();

interface Kind {
  /** Concerns the security of an account: nobody but its reader sees the text, unless it `isHandedOver`. */
  readonly security: boolean;
  /** Where no emails are sent, an administrator hands it over: after a step-up, and only to those who are no administrators. */
  readonly isHandedOver?: true;
  /** The link that works once in it. Its secret is made when the email is sent. */
  readonly link?: MailLink;
  /** Sent only to users who turned notifications by email on; it has an unsubscribe link. */
  readonly isSubscribed?: true;
  /** It is worth nothing later: where no emails are sent, it is dropped and not kept. */
  readonly isBrief?: true;
  /** Its user has requested it: it is sent even to an undeliverable address. */
  readonly isRequested?: true;
  /** What the text needs beside the recipient's name. No secret, and no email address. */
  readonly params: z.ZodObject;
}

/** Every kind of email. Its texts are in `services/notifications/templates`. */
export const mailKinds = {
  test: { security: false, isRequested: true, params: z.object({}) },
  verify_email: {
    security: true,
    isHandedOver: true,
    link: 'verify_email',
    isRequested: true,
    params: z.object({}),
  },
  reset_password: {
    security: true,
    isHandedOver: true,
    link: 'reset_password',
    isRequested: true,
    params: z.object({}),
  },
  /** Goes to the address that a proxy's owner or member has entered; `userId` is theirs. */
  proxy_invitation_link: {
    security: true,
    isHandedOver: true,
    link: 'join',
    params: z.object({
      memberId: z.int().positive(),
      proxy: z.string(),
      inviter: z.string(),
      language: z.enum(languages),
    }),
  },
  /** Goes to an address that the owner of a proxy, who is its `userId`, has listed; proxies knows it by the email's cause. */
  access_code: { security: true, isBrief: true, params: z.object({}) },
  password_changed: { security: true, link: 'not_me', params: securityEvents.password_changed },
  /** Goes to the address that no longer belongs to the account. */
  email_changed: { security: true, link: 'not_me', params: securityEvents.email_changed },
  new_device: { security: true, link: 'not_me', params: securityEvents.new_device },
  /** What has come into the inbox within a minute, the oldest first. */
  notifications: {
    security: false,
    isSubscribed: true,
    params: z.object({ notifications: z.array(notificationContent).min(1) }),
  },
  factor_started: { security: true, link: 'not_me', params: securityEvents.factor_started },
  factor_added: { security: true, link: 'not_me', params: securityEvents.factor_added },
  factor_replaced: { security: true, link: 'not_me', params: securityEvents.factor_replaced },
  factor_removed: { security: true, link: 'not_me', params: securityEvents.factor_removed },
  factor_reset: { security: true, link: 'not_me', params: securityEvents.factor_reset },
  passkey_added: { security: true, link: 'not_me', params: securityEvents.passkey_added },
  passkey_removed: { security: true, link: 'not_me', params: securityEvents.passkey_removed },
  api_key_created: { security: true, link: 'not_me', params: securityEvents.api_key_created },
  identity_linked: { security: true, link: 'not_me', params: securityEvents.identity_linked },
  identity_unlinked: { security: true, link: 'not_me', params: securityEvents.identity_unlinked },
  recovery_codes_replaced: { security: true, link: 'not_me', params: securityEvents.recovery_codes_replaced },
  recovery_code_used: { security: true, link: 'not_me', params: securityEvents.recovery_code_used },
  wrong_codes: { security: true, link: 'not_me', params: securityEvents.wrong_codes },
} as const satisfies Record<string, Kind>;

export type MailKind = keyof typeof mailKinds;
/** The link of a kind; undefined: it has none. */
export const linkOf = (kind: MailKind): MailLink | undefined => (mailKinds[kind] as Kind).link;
/** What auth makes the secret of its link for; undefined: it makes none. */
export const purposeOf = (kind: MailKind): LinkPurpose | undefined => {
  const link = linkOf(kind);
  return link === 'join' ? undefined : link;
};
export const isSubscribed = (kind: MailKind): boolean => (mailKinds[kind] as Kind).isSubscribed ?? false;
interface MailLimit {
  readonly count: number;
  readonly hours: number;
  /** What is beyond it is not sent: its reader may not know who has ordered it. Left out: it waits. */
  readonly isDropped?: true;
}
const ofSecurity: MailLimit = { count: 60, hours: 1 };
const ofLinks: MailLimit = { count: 10, hours: 1, isDropped: true };
/** How many emails of each kind one address gets, from all accounts together. */
export const mailLimits = {
  test: { count: 30, hours: 1 },
  verify_email: ofLinks,
  reset_password: ofLinks,
  proxy_invitation_link: { count: 5, hours: 24, isDropped: true },
  access_code: { count: 20, hours: 1, isDropped: true },
  notifications: { count: 60, hours: 1 },
  password_changed: ofSecurity,
  email_changed: ofSecurity,
  new_device: ofSecurity,
  factor_started: ofSecurity,
  factor_added: ofSecurity,
  factor_replaced: ofSecurity,
  factor_removed: ofSecurity,
  factor_reset: ofSecurity,
  passkey_added: ofSecurity,
  passkey_removed: ofSecurity,
  api_key_created: ofSecurity,
  identity_linked: ofSecurity,
  identity_unlinked: ofSecurity,
  recovery_codes_replaced: ofSecurity,
  recovery_code_used: ofSecurity,
  wrong_codes: ofSecurity,
} as const satisfies Readonly<Record<MailKind, MailLimit>>;
/** The same, for any kind. */
export const limitOf = (kind: MailKind): MailLimit => mailLimits[kind];
/** Whether an email is worth nothing later. */
export const isBrief = (kind: MailKind): boolean => (mailKinds[kind] as Kind).isBrief ?? false;
/** Who reads what an email of this kind says where it is kept: administrators, they after a step-up, or its reader alone. */
export const readingOf = (kind: MailKind): 'open' | 'guarded' | 'none' => {
  const { security, isHandedOver }: Kind = mailKinds[kind];
  if (!security) return 'open';
  return isHandedOver ? 'guarded' : 'none';
};
/** Whether users request emails of this kind themselves. */
export const isRequested = (kind: MailKind): boolean => (mailKinds[kind] as Kind).isRequested ?? false;
export const mailKindNames = Object.keys(mailKinds) as [MailKind, ...MailKind[]];
export type MailParams<K extends MailKind> = z.infer<(typeof mailKinds)[K]['params']>;
/** What an email says, before it is text. */
export type Mail = { [K in MailKind]: { readonly kind: K; readonly params: MailParams<K> } }[MailKind];

export const mail = typed<Mail>(
  z.union(mailKindNames.map((kind) => z.object({ kind: z.literal(kind), params: mailKinds[kind].params }))),
);

/**
 * `queued`: waits for its next attempt. `sent`: the server has accepted it. `refused`: the server never will.
 * `dead_letter`: given up after all attempts. `kept`: there is no server, administrators hand it over (`readingOf`). `no_address`: the user
 * has none that counts and works. `outdated`: what its link is for is done or no longer wanted. `held`: queued when the database
 * was restored.
 */
export const mailStates = [
  'queued',
  'sending',
  'sent',
  'refused',
  'dead_letter',
  'kept',
  'no_address',
  'outdated',
  'held',
] as const;
export type MailState = (typeof mailStates)[number];

/** Emails that somebody may order to be sent again: nothing else will send them. */
export const resendableStates: readonly MailState[] = [
  'refused',
  'dead_letter',
  'kept',
  'no_address',
  'held',
];

const common = {
  kind: z.enum(mailKindNames),
  createdAt: time,
  state: z.enum(mailStates),
  /** Since when. */
  stateAt: time,
};

/** An email in the log. */
export const loggedMail = z
  .object({
    id: z.int().positive(),
    /** The recipient, or whose proxy they are invited to or want to visit: the one who invited, or the owner. */
    userId: z.int().positive(),
    /** Their present name; null while it is not known. */
    username: z.string().nullable(),
    ...common,
    attempts: z.int().min(0),
    /** Attempts whose end nobody knows, because the answer was lost: each may have delivered the email. */
    uncertainAttempts: z.int().min(0),
    /** When it is tried next; null: it is not. */
    nextAttemptAt: time.nullable(),
    /** The server's last words. */
    lastAnswer: z.string().nullable(),
  })
  .meta({ id: 'LoggedMail' });
export type LoggedMail = z.infer<typeof loggedMail>;

export const mailContent = personal(
  z.object({ subject: z.string(), text: z.string(), html: z.string() }).meta({ id: 'MailContent' }),
);
export type MailContent = z.infer<typeof mailContent>;

/** The same, with what it says where that is kept and concerns no account's security. */
export const mailDetails = loggedMail
  .extend({
    content: mailContent.nullable(),
    /** `POST /api/admin/mails/:id/reading` gives what it says. */
    isGuarded: z.boolean(),
  })
  .meta({ id: 'MailDetails' });
export type MailDetails = z.infer<typeof mailDetails>;

/** An email as its recipient sees it in their export. */
export const ownMail = z.object(common).meta({ id: 'OwnMail' });
export type OwnMail = z.infer<typeof ownMail>;

/** Whether emails are sent, and from which address. */
export const mailSetUp = z
  .object({ isSetUp: z.boolean(), from: z.string().nullable() })
  .meta({ id: 'MailSetUp' });
export type MailSetUp = z.infer<typeof mailSetUp>;

/** How a test by the operator has ended. */
export const mailTest = z.object({
  result: z.enum(['sent', 'refused', 'failed', 'not_set_up']),
  /** The server's answer, or what went wrong. */
  answer: z.string(),
  /** What the operator can do, where we know it. */
  advice: z.string().nullable(),
});
export type MailTest = z.infer<typeof mailTest>;
