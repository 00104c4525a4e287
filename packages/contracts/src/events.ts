import { z } from 'zod';
import { preferences, suspension } from './entities.ts';
import { mail } from './mails.ts';
import { domainContent, memberContent } from './notifications.ts';
import { tiers } from './plans.ts';
import { providerFaults } from './provider-problems.ts';
import type { ServiceName } from './service-names.ts';
import { proxyStatuses, statusReasons, tunnelHealths } from './status.ts';

const time = z.iso.datetime();
const tier = z.enum(tiers).nullable();
/** Every snapshot: the row's version (+1 with each change) and whether the row is gone. */
const versioned = { version: z.int().positive(), deleted: z.boolean() };

/**
 * Versioned snapshots of the rows others may know. The key is the entity; a snapshot travels on
 * `event.<entity>.<id>`, written by its owner alone. Nothing in here is secret.
 */
export const events = {
  user: {
    owner: 'auth',
    schema: z.object({
      id: z.int(),
      username: z.string(),
      isAdmin: z.boolean(),
      createdAt: time,
      suspension: suspension.nullable(),
      /** Which notifications they want; the defaults in snapshots of a version without them. */
      notifications: preferences.shape.notifications,
      ...versioned,
    }),
  },
  subscription: {
    owner: 'billing',
    schema: z.object({
      /** The user's id. */
      id: z.int(),
      tier,
      proxyLimit: z.int().min(0),
      expiresAt: time.nullable(),
      /** The last administrator's command it contains, by the user's version. */
      commandVersion: z.int().min(0),
      ...versioned,
    }),
  },
  proxy: {
    owner: 'proxies',
    schema: z.object({
      /** The proxy's UUID. */
      id: z.uuid(),
      proxyId: z.int(),
      userId: z.int(),
      /** Its members’ ids; left out by versions without members. */
      memberIds: z.array(z.int()).optional(),
      /** Those whom open invitations name, so that their pages hear of it; left out by versions without it. */
      invitedIds: z.array(z.int()).optional(),
      serverName: z.string(),
      hostname: z.string(),
      status: z.enum(proxyStatuses),
      statusReason: z.enum(statusReasons).nullable(),
      /** The proxy's own, whatever its owner's is; left out by versions without it. */
      suspension: suspension.nullable().optional(),
      /** Its owner lets nobody through for a while; left out by versions without it: it is not. */
      paused: z.boolean().optional(),
      tunnelHealth: z.enum(tunnelHealths).nullable(),
      createdAt: time,
      /** Its tunnel at the provider; null while it has none. */
      tunnelId: z.string().nullable(),
      /** Its server's UUID, and what that is called; left out by versions without servers. */
      server: z.object({ id: z.uuid(), name: z.string() }).optional(),
      /** Since when this version holds. */
      changedAt: time,
      ...versioned,
    }),
  },
} as const satisfies Record<string, { owner: ServiceName; schema: z.ZodObject }>;

export type EventName = keyof typeof events;
export type EventOf<N extends EventName> = z.infer<(typeof events)[N]['schema']>;

/** Orders to another service that must not be lost; applied once, the newest `version` wins. */
export const commands = {
  /** An administrator, or an invitation, gave a user a plan and a limit (auth → billing). */
  'billing.setSubscription': {
    from: 'auth',
    schema: z.object({
      userId: z.int(),
      tier,
      proxyLimit: z.int().min(0),
      /** How long a new plan lasts; left out: without end. */
      months: z.int().positive().optional(),
      /** The user's version: orders the commands. */
      version: z.int().positive(),
      /** When it was given: whether the plan before still held is judged then, however late the order comes. */
      at: time,
    }),
  },
  /** A user is to get an email: why, and nothing that is secret. Whose address it goes to is asked when it is sent. */
  'notifications.sendMail': {
    from: 'auth',
    schema: z.object({
      /** The cause: however often it is ordered, it makes one email. */
      id: z.uuid(),
      userId: z.int(),
      mail,
      at: time,
    }),
  },
  /** An email with a link to somebody who is invited to a proxy (proxies → notifications); as `sendMail`. */
  'notifications.sendInvitation': {
    from: 'proxies',
    schema: z.object({ id: z.uuid(), userId: z.int(), mail, at: time }),
  },
  /** An email with a code for the wall of a proxy, which a visitor has requested (proxies → notifications); as `sendMail`. */
  'notifications.sendAccessCode': {
    from: 'proxies',
    schema: z.object({ id: z.uuid(), userId: z.int(), mail, at: time }),
  },
  /**
   * The admin panel behind a proxy has not responded to visitors for ALERT_AFTER_SECONDS, or responds again: two orders for each outage
   * (stats → notifications).
   */
  'notifications.storeOrigin': {
    from: 'stats',
    schema: z.object({
      /** As the measurement says it: the proxy's id, of the version before its tunnel's. */
      tunnelId: z.uuid(),
      /** That of the measurement. */
      version: z.int().positive(),
      isReachable: z.boolean(),
      since: time,
    }),
  },
  /** A custom domain is served, or no longer, or its records fail (proxies → notifications). */
  'notifications.notifyOfDomain': {
    from: 'proxies',
    schema: z.object({
      domainId: z.int(),
      userId: z.int(),
      /** What its owner is notified of, once for each time at which it began. */
      content: domainContent,
      since: time,
    }),
  },
  /** Somebody is invited to a proxy, has become a member or is none any more (proxies → notifications). */
  'notifications.notifyOfMember': {
    from: 'proxies',
    schema: z.object({
      /** Null: nobody has the name that an invitation is for. */
      userId: z.int().nullable(),
      /** Of the invitation and the membership that follows from it: each kind is reported once for it. */
      memberId: z.int(),
      content: memberContent,
    }),
  },
  /** Sessions of a user have ended: so do the visits for which they signed in with them (auth → proxies). */
  'proxies.endVisits': {
    from: 'auth',
    schema: z.object({
      userId: z.int(),
      /** The session that has ended; null: all of them. */
      sessionId: z.uuid().nullable(),
      /** Of all, the one that goes on; null: none does. */
      except: z.uuid().nullable(),
      at: time,
    }),
  },
  /** All faults at the tunnel provider that an operator has to remove, whenever they have changed (worker → notifications). */
  'notifications.storeProviderFaults': {
    from: 'tunnel-worker',
    schema: z.object({
      faults: z.array(z.object({ fault: z.enum(providerFaults), since: time })),
      /** Of the report. */
      version: z.int().positive(),
    }),
  },
  /** Something about this server may differ from its desired state: re-check it (proxies → worker). */
  'tunnel-worker.enqueue': {
    from: 'proxies',
    schema: z.object({
      /** Left out by the previous version. */
      serverId: z.uuid().optional(),
      /** The same: so the previous version, whose proxies have tunnels of their own, reads and writes it. */
      proxyId: z.uuid(),
      /** Somebody waits for it. */
      urgent: z.boolean(),
    }),
  },
} as const satisfies Record<`${ServiceName}.${string}`, { from: ServiceName; schema: z.ZodObject }>;

export type CommandName = keyof typeof commands;
export type CommandOf<N extends CommandName> = z.infer<(typeof commands)[N]['schema']>;

/** A message between processes of proxies: a proxy's generation has been applied, or refused for a reason. */
export const settledMessage = z.object({ generation: z.int(), refused: z.enum(statusReasons).nullable() });
export type Settled = Readonly<z.infer<typeof settledMessage>>;

/** Which service keeps a projection of which rows: one durable consumer each, named `<service>-<entity>`. */
export const projections = {
  auth: ['subscription'],
  billing: ['user'],
  proxies: ['subscription', 'user'],
  stats: ['user', 'proxy', 'subscription'],
  notifications: ['user', 'proxy', 'subscription'],
  'tunnel-worker': [],
} as const satisfies Record<ServiceName, readonly EventName[]>;
