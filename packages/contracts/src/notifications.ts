import { z } from 'zod';
import { announcementLevels } from './announcements.ts';
import { languages } from './language.ts';
import { tiers } from './plans.ts';
import { providerFaults } from './provider-problems.ts';
import { memberRoles } from './roles.ts';
import { securityEvents } from './security-events.ts';
import { statusReasons } from './status.ts';
import { typed } from './typed.ts';

const time = z.iso.datetime();
const plan = z.enum(tiers);
const inBothLanguages = z.record(z.enum(languages), z.string());
const proxy = { proxyId: z.int().positive(), proxy: z.string() };
const domain = { ...proxy, domain: z.string() };

/** What a notification is about. `security` is always sent, the others follow the user's preferences. */
export const notificationTopics = ['proxies', 'account', 'security', 'announcements'] as const;
export type NotificationTopic = (typeof notificationTopics)[number];
export const notificationLevels = ['info', 'success', 'warning', 'error'] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

interface Kind {
  readonly topic: NotificationTopic;
  readonly level: NotificationLevel;
  /**
   * Whether users who want emails get it by email, too. Not for what the user has just done, nor for kinds with an email
   * of their own.
   */
  readonly isMailed: boolean;
  /** Administrators are notified, no matter who caused it. */
  readonly isForAdministrators?: true;
  /** What its text needs. No secret: it is in the inbox for months. */
  readonly params: z.ZodObject;
}

/**
 * Every kind of notification. Its texts are in `notification-texts.ts`. A kind that is an email, too, has the email's name
 * and parameters: the order of the email puts it into the inbox.
 */
export const notificationKinds = {
  proxy_suspended: {
    topic: 'proxies',
    level: 'error',
    isMailed: true,
    params: z.object({ ...proxy, reason: z.string() }),
  },
  proxy_resumed: { topic: 'proxies', level: 'success', isMailed: true, params: z.object(proxy) },
  proxy_error: {
    topic: 'proxies',
    level: 'error',
    isMailed: true,
    params: z.object({ ...proxy, statusReason: z.enum(statusReasons).nullable() }),
  },
  proxy_recovered: { topic: 'proxies', level: 'success', isMailed: true, params: z.object(proxy) },
  connector_lost: {
    topic: 'proxies',
    level: 'warning',
    isMailed: true,
    params: z.object({ ...proxy, lostAt: time }),
  },
  connectors_lost: {
    topic: 'proxies',
    level: 'warning',
    isMailed: true,
    params: z.object({ names: z.array(z.string()), lostAt: time }),
  },
  connector_back: {
    topic: 'proxies',
    level: 'success',
    isMailed: true,
    params: z.object({ ...proxy, awaySeconds: z.int().min(0) }),
  },
  connectors_back: {
    topic: 'proxies',
    level: 'success',
    isMailed: true,
    params: z.object({ names: z.array(z.string()) }),
  },
  /** The admin panel behind a connected tunnel does not respond; the embedded provider measures it. */
  origin_lost: {
    topic: 'proxies',
    level: 'warning',
    isMailed: true,
    params: z.object({ ...proxy, lostAt: time }),
  },
  origin_back: {
    topic: 'proxies',
    level: 'success',
    isMailed: true,
    params: z.object({ ...proxy, awaySeconds: z.int().min(0) }),
  },
  /** A check has found a custom domain's records, and its owner does not wait for it. */
  domain_verified: { topic: 'proxies', level: 'success', isMailed: true, params: z.object(domain) },
  /** Its records have been missing or wrong in two checks in a row; it is still served. */
  domain_failing: {
    topic: 'proxies',
    level: 'warning',
    isMailed: true,
    params: z.object({ ...domain, endsAt: time }),
  },
  domain_lost: { topic: 'proxies', level: 'error', isMailed: true, params: z.object(domain) },
  /** It was never served, and is checked no more. */
  domain_unverified: { topic: 'proxies', level: 'warning', isMailed: true, params: z.object(domain) },
  /** To a user who is invited by name. */
  proxy_invitation: {
    topic: 'proxies',
    level: 'info',
    isMailed: true,
    params: z.object({ ...proxy, role: z.enum(memberRoles), invitedUntilAt: time }),
  },
  /** To the owner. */
  member_joined: {
    topic: 'proxies',
    level: 'info',
    isMailed: true,
    params: z.object({ ...proxy, member: z.string(), role: z.enum(memberRoles) }),
  },
  /** To the owner. `invited`: by which name or address; null: by a link, whoever had it. */
  invitation_declined: {
    topic: 'proxies',
    level: 'info',
    isMailed: true,
    params: z.object({ ...proxy, invited: z.string().nullable(), role: z.enum(memberRoles) }),
  },
  /** To the owner: the member has ended it, or their account is gone. */
  member_left: {
    topic: 'proxies',
    level: 'info',
    isMailed: true,
    params: z.object({ ...proxy, member: z.string() }),
  },
  /** To the member: somebody has removed them, the time has come, or the proxy is gone. */
  membership_ended: { topic: 'proxies', level: 'info', isMailed: true, params: z.object(proxy) },
  /** To administrators, whose users receive nothing meanwhile. */
  connectors_lost_at_once: {
    topic: 'proxies',
    level: 'error',
    isMailed: true,
    isForAdministrators: true,
    params: z.object({ count: z.int().positive() }),
  },
  /** To administrators: the tunnel provider refuses what the panel needs, until an operator has fixed it. */
  provider_fault: {
    topic: 'proxies',
    level: 'error',
    isMailed: true,
    isForAdministrators: true,
    params: z.object({ fault: z.enum(providerFaults) }),
  },
  provider_recovered: {
    topic: 'proxies',
    level: 'success',
    isMailed: true,
    isForAdministrators: true,
    params: z.object({}),
  },
  limit_reached: {
    topic: 'proxies',
    level: 'info',
    isMailed: false,
    params: z.object({ limit: z.int().positive() }),
  },
  account_suspended: {
    topic: 'account',
    level: 'error',
    isMailed: true,
    params: z.object({ reason: z.string() }),
  },
  account_resumed: { topic: 'account', level: 'success', isMailed: true, params: z.object({}) },
  plan_changed: {
    topic: 'account',
    level: 'info',
    isMailed: true,
    params: z.object({ from: plan.nullable(), plan }),
  },
  plan_removed: { topic: 'account', level: 'warning', isMailed: true, params: z.object({ plan }) },
  plan_renewed: {
    topic: 'account',
    level: 'success',
    isMailed: true,
    params: z.object({ plan, endsAt: time }),
  },
  plan_ending: {
    topic: 'account',
    level: 'warning',
    isMailed: true,
    params: z.object({ plan, endsAt: time }),
  },
  plan_ended: { topic: 'account', level: 'warning', isMailed: true, params: z.object({ plan }) },
  /** Announcements of administrators to all users. */
  announcement: {
    topic: 'announcements',
    level: 'info',
    isMailed: true,
    params: z.object({
      announcementId: z.int().positive(),
      /** In place of the kind's. */
      level: z.enum(announcementLevels),
      title: inBothLanguages,
      text: inBothLanguages,
      startsAt: time,
      endsAt: time,
    }),
  },
  /** The mail server has refused an email to the user's address for good. */
  email_undeliverable: { topic: 'security', level: 'warning', isMailed: false, params: z.object({}) },
  /** A channel was turned off; itself it can no longer say that. */
  channel_gone: {
    topic: 'account',
    level: 'warning',
    isMailed: true,
    params: z.object({ channel: z.string() }),
  },
  channel_failing: {
    topic: 'account',
    level: 'warning',
    isMailed: true,
    params: z.object({ channel: z.string() }),
  },
  /** The same of a channel of the installation. */
  installation_channel_gone: {
    topic: 'account',
    level: 'warning',
    isMailed: true,
    isForAdministrators: true,
    params: z.object({ channel: z.string() }),
  },
  installation_channel_failing: {
    topic: 'account',
    level: 'warning',
    isMailed: true,
    isForAdministrators: true,
    params: z.object({ channel: z.string() }),
  },
  password_changed: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.password_changed,
  },
  email_changed: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.email_changed,
  },
  factor_started: {
    topic: 'security',
    level: 'info',
    isMailed: false,
    params: securityEvents.factor_started,
  },
  factor_added: { topic: 'security', level: 'info', isMailed: false, params: securityEvents.factor_added },
  factor_replaced: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.factor_replaced,
  },
  factor_removed: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.factor_removed,
  },
  factor_reset: { topic: 'security', level: 'warning', isMailed: false, params: securityEvents.factor_reset },
  passkey_added: { topic: 'security', level: 'info', isMailed: false, params: securityEvents.passkey_added },
  passkey_removed: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.passkey_removed,
  },
  api_key_created: {
    topic: 'security',
    level: 'info',
    isMailed: false,
    params: securityEvents.api_key_created,
  },
  identity_linked: {
    topic: 'security',
    level: 'info',
    isMailed: false,
    params: securityEvents.identity_linked,
  },
  identity_unlinked: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.identity_unlinked,
  },
  recovery_codes_replaced: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.recovery_codes_replaced,
  },
  recovery_code_used: {
    topic: 'security',
    level: 'warning',
    isMailed: false,
    params: securityEvents.recovery_code_used,
  },
  wrong_codes: { topic: 'security', level: 'warning', isMailed: false, params: securityEvents.wrong_codes },
  new_device: { topic: 'security', level: 'warning', isMailed: false, params: securityEvents.new_device },
} as const satisfies Record<string, Kind>;

export type NotificationKind = keyof typeof notificationKinds;
/** Whether administrators are notified of it, no matter who caused it. */
export const isForAdministrators = (kind: NotificationKind): boolean =>
  'isForAdministrators' in notificationKinds[kind];
export const notificationKindNames = Object.keys(notificationKinds) as [
  NotificationKind,
  ...NotificationKind[],
];
export type NotificationParams<K extends NotificationKind> = z.infer<(typeof notificationKinds)[K]['params']>;

/** What a notification says, before it is text. */
export type NotificationContent = {
  [K in NotificationKind]: { readonly kind: K; readonly params: NotificationParams<K> };
}[NotificationKind];

export const notificationContent = typed<NotificationContent>(
  z.union(
    notificationKindNames.map((kind) =>
      z.object({ kind: z.literal(kind), params: notificationKinds[kind].params }),
    ),
  ),
);

/** What is said of a custom domain. */
export const domainContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('domain_verified'), params: notificationKinds.domain_verified.params }),
  z.object({ kind: z.literal('domain_failing'), params: notificationKinds.domain_failing.params }),
  z.object({ kind: z.literal('domain_lost'), params: notificationKinds.domain_lost.params }),
  z.object({ kind: z.literal('domain_unverified'), params: notificationKinds.domain_unverified.params }),
]);
export type DomainContent = z.infer<typeof domainContent>;

/** What is said of members of a proxy. */
export const memberContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('proxy_invitation'), params: notificationKinds.proxy_invitation.params }),
  z.object({ kind: z.literal('member_joined'), params: notificationKinds.member_joined.params }),
  z.object({
    kind: z.literal('invitation_declined'),
    params: notificationKinds.invitation_declined.params,
  }),
  z.object({ kind: z.literal('member_left'), params: notificationKinds.member_left.params }),
  z.object({ kind: z.literal('membership_ended'), params: notificationKinds.membership_ended.params }),
]);
export type MemberContent = z.infer<typeof memberContent>;

interface Entry {
  readonly id: number;
  readonly topic: NotificationTopic;
  readonly level: NotificationLevel;
  readonly createdAt: string;
  /** Null while it is unread. */
  readonly readAt: string | null;
}
/** A notification in its user's inbox. */
export type Notification = NotificationContent & Entry;

const entry = {
  id: z.int().positive(),
  topic: z.enum(notificationTopics),
  level: z.enum(notificationLevels),
  createdAt: time,
  readAt: time.nullable(),
};

export const notification = typed<Notification>(
  z
    .union(
      notificationKindNames.map((kind) =>
        z.object({ ...entry, kind: z.literal(kind), params: notificationKinds[kind].params }),
      ),
    )
    .meta({ id: 'Notification' }),
);

/** Unread notifications are counted up to here. */
export const unreadCountedUpTo = 100;

/** How many notifications are unread, up to `unreadCountedUpTo`. */
export const unreadCount = z
  .object({ unread: z.int().min(0).max(unreadCountedUpTo) })
  .meta({ id: 'UnreadCount' });
export type UnreadCount = z.infer<typeof unreadCount>;

/** How notifications can leave the panel. */
export const notificationChannels = z
  .object({
    /** Whether the panel sends emails. */
    email: z.boolean(),
  })
  .meta({ id: 'NotificationChannels' });
