import { z } from 'zod';
import { accessPolicy, openPolicy } from './access-policy.ts';
import { apiKey } from './api-keys.ts';
import { ownAuditRow } from './audit.ts';
import { channel, exportedDelivery } from './channels.ts';
import { customDomain } from './custom-domains.ts';
import * as fields from './fields.ts';
import { exportedGamePort } from './game-ports.ts';
import { identity } from './identities.ts';
import { ownMail } from './mails.ts';
import { member } from './members.ts';
import { notification } from './notifications.ts';
import { originProtocols, panels } from './panels.ts';
import { passkey } from './passkeys.ts';
import { personal } from './personal-data.ts';
import { tiers } from './plans.ts';
import { exportedRequest } from './request-log.ts';
import { memberRoles } from './roles.ts';
import { secondFactor } from './second-factors.ts';
import { exportedServer } from './servers.ts';
import { serviceToken } from './service-tokens.ts';
import { proxyStatuses, statusReasons, tunnelHealths } from './status.ts';
import { mostListedVisits, visit } from './visits.ts';

const time = z.iso.datetime();
const tier = z.enum(tiers).nullable();

/** That an administrator has suspended a user or a proxy: since when and why, for the owner’s eyes. */
export const suspension = z.object({ reason: z.string(), since: time }).meta({ id: 'Suspension' });
export type Suspension = z.infer<typeof suspension>;

/** A user as they see themselves and as administrators see them. No password, no preferences. */
export const user = z
  .object({
    id: z.int().positive(),
    username: z.string(),
    isAdmin: z.boolean(),
    proxyLimit: z.int().min(0),
    subscriptionTier: tier,
    subscriptionExpiry: time.nullable(),
    suspension: suspension.nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

export const accentColors = ['purple', 'blue', 'green', 'red', 'yellow'] as const;
export const preferences = z
  .object({
    email: fields.email.default(''),
    notifications: z
      .object({
        email: z.boolean().default(false),
        system: z.boolean().default(true),
        maintenance: z.boolean().default(true),
        /** When no emails are sent but those about security, by the clock of a time zone; left out: never. */
        quietHours: z.object({ from: fields.clock, to: fields.clock, timeZone: fields.timeZone }).optional(),
      })
      .prefault({}),
    appearance: z
      .object({
        theme: z.enum(['dark', 'light']).default('dark'),
        accentColor: z.enum(accentColors).default('purple'),
      })
      .prefault({}),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof preferences>;
export type QuietHours = NonNullable<Preferences['notifications']['quietHours']>;

/** What a member of a proxy may do, and when that ends by itself; null: never. */
export const membership = z
  .object({ role: z.enum(memberRoles), until: time.nullable() })
  .meta({ id: 'Membership' });
export type Membership = z.infer<typeof membership>;

/** What a person enters of a proxy. Rows, forms, the audit trail and the model of the tests take their fields from it. */
export const proxyInput = z.object({
  serverName: fields.serverName,
  serverIP: fields.serverIP,
  adminPort: fields.adminPort,
  customUrl: fields.customUrl,
  panel: z.enum(panels).optional(),
  originProtocol: z.enum(originProtocols).optional(),
  /** False: a connector accepts whatever certificate the panel has. */
  verifyCertificate: z.boolean().optional(),
  /** Whose certificate the panel has; null: that of its address. */
  originServerName: fields.originServerName.optional(),
  /** The host the panel is asked for; null: the public address. */
  httpHostHeader: fields.httpHostHeader.optional(),
  http2Origin: z.boolean().optional(),
});
export type ProxyEntry = keyof typeof proxyInput.shape;
export const proxyEntries = Object.keys(proxyInput.shape) as readonly ProxyEntry[];

/** The same as it is stored and shown. */
const shownEntries = {
  serverName: z.string(),
  serverIP: z.string(),
  adminPort: z.int(),
  customUrl: z.string().nullable(),
  panel: z.enum(panels),
  originProtocol: z.enum(originProtocols),
  verifyCertificate: z.boolean(),
  originServerName: z.string().nullable(),
  httpHostHeader: z.string().nullable(),
  http2Origin: z.boolean(),
} satisfies Record<ProxyEntry, z.ZodType>;

/** A proxy configuration. The tunnel's token is never part of it. */
export const proxy = z
  .object({
    id: z.int().positive(),
    userId: z.int().positive(),
    /** The owner's present name; null while it is not known. */
    ownerName: z.string().nullable(),
    ...shownEntries,
    /** The public port of the subdomain. */
    proxyPort: z.int(),
    createdAt: time,
    status: z.enum(proxyStatuses),
    statusReason: z.enum(statusReasons).nullable(),
    /** An edit that the provider has not taken over yet: the old address goes on serving. */
    changePending: z.boolean(),
    /** What the provider said of its tunnel when it last changed; null without a tunnel. */
    tunnelHealth: z.enum(tunnelHealths).nullable(),
    /** Since when it says so: of a tunnel that is `down`, when its connector was seen last. */
    tunnelHealthAt: time.nullable(),
    cfTunnelId: z.string().nullable(),
    cfDnsRecordId: z.string().nullable(),
    /** The full public name. */
    cfDomain: z.string(),
    /** `of` says whether the proxy itself is suspended or its owner. */
    suspension: z.object({ ...suspension.shape, of: z.enum(['user', 'proxy']) }).nullable(),
    /** The server whose tunnel it uses. */
    serverId: z.int().positive(),
    /** Whether the reader may have the token of that tunnel, which answers for all proxies of the server. */
    mayReadToken: z.boolean(),
    /** Of a caller who is a member; null: they are its owner, or an administrator. */
    membership: membership.nullable(),
  })
  .meta({ id: 'Proxy' });
export type ProxyConfig = z.infer<typeof proxy>;
export type ProxyEntries = Pick<ProxyConfig, ProxyEntry>;

/** The provider's own word on a tunnel; `not_found` when it no longer knows it. */
export const tunnelStatus = z
  .object({
    tunnelId: z.string().nullable(),
    status: z.enum([...tunnelHealths, 'not_found']),
  })
  .meta({ id: 'TunnelStatus' });
export type TunnelStatus = z.infer<typeof tunnelStatus>;

/** What a user has now; `expiredTier` names the plan that has run out, if one has. */
export const subscription = z
  .object({ tier, expiry: time.nullable(), proxyLimit: z.int().min(0), expiredTier: tier })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscription>;

/** A link that sets a new password once. It opens the account without the old one. */
export const resetLink = z
  .object({
    /** At the panel's public address (PUBLIC_URL); null where none is set. */
    url: z.url().nullable(),
    /** The same below the panel's address. The token follows `#`, which browsers send to no server. */
    path: z.string(),
    expiresAt: time,
  })
  .meta({ id: 'ResetLink' });
export type ResetLink = z.infer<typeof resetLink>;

/** A user's email addresses. */
export const ownEmail = personal(
  z
    .object({
      /** The one that counts: emails go there, and only there. */
      verified: z.string().nullable(),
      /** The one that was entered last and is not verified yet; until then the other one counts. */
      unverified: z.string().nullable(),
      /** Those to which a mail server has refused emails for good: only links that are asked for are sent there. */
      undeliverable: z.array(z.enum(['verified', 'unverified'])),
    })
    .meta({ id: 'OwnEmail' }),
);
export type OwnEmail = z.infer<typeof ownEmail>;

/** An address as its owner sees it in their export: one that was replaced is kept for some days. */
const exportedEmail = z.object({
  address: z.string(),
  enteredAt: time,
  verifiedAt: time.nullable(),
  /** Since when emails to it are refused. */
  undeliverableSince: time.nullable(),
  endedAt: time.nullable(),
});

/** A place where a user is signed in. Its id is no secret: only the signed cookie opens it. */
export const session = z
  .object({
    id: z.uuid(),
    createdAt: time,
    /** To the minute. */
    lastUsedAt: time,
    address: z.string(),
    userAgent: z.string(),
    /** Whether it is the one that asks. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;

/** A proxy with its custom domains, its game ports, its members, who may visit it, and who does. */
export const exportedProxy = proxy.extend({
  domains: z.array(customDomain).default([]),
  members: z.array(member).default([]),
  access: accessPolicy.default(openPolicy),
  gamePorts: z.array(exportedGamePort).default([]),
  serviceTokens: z.array(serviceToken).default([]),
  /** The newest. */
  visits: z.array(visit).max(mostListedVisits).default([]),
});

/** A membership of a proxy, without what its owner has entered. */
export const exportedMembership = membership.extend({
  proxyId: z.int().positive(),
  serverName: z.string(),
  joinedAt: time,
});

/** Everything that is held about a user, gathered from those who own it. No secrets. */
export const accountExport = z
  .object({
    exportedAt: time,
    user: user
      .extend({ createdAt: time })
      .omit({ subscriptionTier: true, subscriptionExpiry: true, proxyLimit: true }),
    preferences,
    emails: z.array(exportedEmail),
    secondFactor,
    passkeys: z.array(passkey),
    apiKeys: z.array(apiKey),
    identities: z.array(identity),
    subscription,
    servers: z.array(exportedServer),
    proxies: z.array(exportedProxy),
    /** The proxies of others that the user is a member of. */
    memberships: z.array(exportedMembership),
    sessions: z.array(session),
    audit: z.array(ownAuditRow),
    mails: z.array(ownMail),
    notifications: z.array(notification),
    channels: z.array(channel),
    deliveries: z.array(exportedDelivery),
    /** The request logs of the user’s proxies. */
    requests: z.array(exportedRequest),
    /** Where the lists go on, when they do not fit one response: ask again with it as `cursor`. Null: this is the end. */
    next: z.string().nullable(),
  })
  .meta({ id: 'AccountExport' });
export type AccountExport = z.infer<typeof accountExport>;

/** What an export's `next` holds: where the lists of each owner go on; null: that one has ended. */
export const exportPlace = z.object({
  proxies: z.int().nullable(),
  audit: z.uuid().nullable(),
  mails: z.int().nullable(),
  notifications: z.int().nullable(),
  deliveries: z.int().nullable(),
  requests: z.int().nullable(),
});
export type ExportPlace = z.infer<typeof exportPlace>;

/** Figures about the whole system. */
export const totals = z
  .object({
    /** All that are not deleted. */
    totalProxies: z.int().min(0),
    /** Those with a connector. */
    activeProxies: z.int().min(0),
    totalUsers: z.int().min(0),
  })
  .meta({ id: 'Totals' });
export type Totals = z.infer<typeof totals>;
