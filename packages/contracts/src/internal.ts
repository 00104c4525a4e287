import { z } from 'zod';
import type { AuditAction } from './audit.ts';
import { certificate } from './certificates.ts';
import { doctorReport } from './doctor.ts';
import { resetLink, totals, tunnelStatus } from './entities.ts';
import type { ErrorCode } from './errors.ts';
import { events } from './events.ts';
import { exportCalls } from './export-calls.ts';
import * as fields from './fields.ts';
import { connectorSignal, originSignal, trafficFigures, uptime } from './health.ts';
import { languages } from './language.ts';
import { mailKindNames, mailTest } from './mails.ts';
import { proxyEvent } from './proxy-events.ts';
import { loggedRequest, requestLog } from './request-log.ts';
import { requestFilters, requestPage } from './routes/request-log.ts';
import type { ServiceName } from './service-names.ts';
import { tunnelHealths } from './status.ts';
import { setUpStepNames } from './system.ts';
import { deadLetter, desiredServer, desiredTunnel, outcome, resyncReport, serverReport } from './tunnels.ts';

interface CallBetween {
  /** Who may call it; the NATS users of others cannot even send it. */
  readonly from: readonly (ServiceName | 'gateway')[];
  readonly input: z.ZodObject;
  readonly response: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** ms; 2 000 when left out. */
  readonly deadline?: number;
}

/** An operator's order says what the audit trail calls it; null: it changes nothing of anybody's. */
interface OperatorCall extends Omit<CallBetween, 'from'> {
  readonly from: readonly (ServiceName | 'gateway' | 'operator')[];
  readonly audit: AuditAction | null;
}

/** Publishes all rows again, for projections that missed something. */
const republish = {
  from: ['operator'],
  audit: null,
  input: z.object({}),
  /** How many rows. */
  response: z.object({ count: z.int() }),
  errors: [],
  deadline: 10 * 60_000,
} as const satisfies OperatorCall;

/** Publishes one row again, for a copy that has found something else in the place of its last snapshot. */
const republishRow = {
  /** As its events' subject names it. */
  input: z.object({ id: z.string().max(100) }),
  /** False: there has never been such a row. */
  response: z.object({ published: z.boolean() }),
  errors: [],
} as const;

/** Where a page of all rows begins; 0 for the first. `next` is null after the last. */
const afterPlace = z.object({ after: z.int().min(0) });
const next = z.int().nullable();

/** Calls between processes that no HTTP route leads to. */
export const internalCalls = {
  ...exportCalls,
  'auth.getSession': {
    from: ['gateway'],
    input: z.object({
      /** The session cookie's JWT: a session's id alone opens nothing. */
      token: z.string().max(1_024),
      /** Whether this counts as use, for the idle limit; the ping does not. */
      use: z.boolean(),
    }),
    /** What auth signs about the session (`service-kit/session/assertion.ts`), or null when it has ended. */
    response: z.object({ assertion: z.string() }).nullable(),
    errors: [],
  },
  'auth.authenticateApiKey': {
    from: ['gateway'],
    input: z.object({ id: z.int(), secret: z.string().max(128), address: z.string().max(64) }),
    /** What auth signs about the key and its owner. */
    response: z.object({ assertion: z.string() }),
    errors: ['api_key_invalid', 'api_key_address', 'account_suspended'],
  },
  /** A user by the name that somebody has typed; null: there is none. */
  'auth.findUser': {
    from: ['proxies'],
    input: z.object({ username: fields.givenUsername }),
    response: z.object({ id: z.int(), username: z.string() }).nullable(),
    errors: [],
  },
  'auth.ensureFirstAdmin': {
    from: ['operator'],
    audit: 'user.create',
    input: z.object({ username: z.string(), password: z.string() }),
    /** False when an administrator exists already. */
    response: z.object({ created: z.boolean() }),
    errors: [],
    deadline: 15_000,
  },
  'auth.createAdmin': {
    from: ['operator'],
    audit: 'user.create',
    input: z.object({ username: fields.username, password: fields.newPassword }),
    response: z.null(),
    errors: ['username_taken', 'username_similar'],
    deadline: 15_000,
  },
  'auth.resetAdmin': {
    from: ['operator'],
    audit: 'user.reset',
    input: z.object({ username: fields.givenUsername, password: fields.newPassword }),
    response: z.null(),
    errors: ['not_found'],
    deadline: 15_000,
  },
  'auth.createResetLinkByName': {
    from: ['operator'],
    audit: 'user.createResetLink',
    input: z.object({ username: fields.givenUsername }),
    response: resetLink,
    errors: ['not_found'],
  },
  /** Whether anybody but administrators has an account. */
  'auth.hasCustomers': {
    from: ['stats'],
    input: z.object({}),
    response: z.object({ has: z.boolean() }),
    errors: [],
  },
  /** Whether there is a mail server, and which of the first day's steps do not work. */
  'notifications.readSetUp': {
    from: ['stats'],
    input: z.object({}),
    response: z.object({
      hasMail: z.boolean(),
      /** What the doctor's last look found not to work; null: it has not looked yet. */
      failing: z.array(z.enum(setUpStepNames)).nullable(),
    }),
    errors: [],
  },
  /** What notifications finds of the installation, looked at anew. */
  'notifications.readDoctor': {
    from: ['operator'],
    audit: null,
    input: z.object({}),
    response: doctorReport,
    errors: [],
    deadline: 10_000,
  },
  /** When the operator's command last made a backup; null: never. */
  'stats.readLastBackup': {
    from: ['operator', 'notifications'],
    audit: null,
    input: z.object({}),
    response: z.object({ madeAt: z.iso.datetime().nullable() }),
    errors: [],
  },
  'auth.republish': republish,
  'billing.republish': republish,
  'proxies.republish': republish,
  'auth.republishRow': { ...republishRow, from: ['billing', 'proxies', 'stats', 'notifications'] },
  'billing.republishRow': { ...republishRow, from: ['auth', 'proxies', 'stats', 'notifications'] },
  'proxies.republishRow': { ...republishRow, from: ['stats', 'notifications'] },
  'auth.readUsers': {
    from: ['stats', 'proxies'],
    /** `limit`: no more than that; a whole page without it. */
    input: afterPlace.extend({ limit: z.int().positive().optional() }),
    response: z.object({ snapshots: z.array(events.user.schema), next }),
    errors: [],
  },
  'proxies.readProxies': {
    from: ['stats'],
    input: afterPlace,
    response: z.object({ snapshots: z.array(events.proxy.schema), next }),
    errors: [],
  },
  'stats.rebuild': {
    from: ['operator'],
    audit: null,
    input: z.object({}),
    response: totals,
    errors: [],
    deadline: 10 * 60_000,
  },
  'stats.readHealth': {
    from: ['proxies'],
    input: z.object({ proxyId: z.uuid() }),
    response: z.object({ origin: originSignal, uptime }),
    errors: [],
  },
  'stats.readTraffic': {
    from: ['proxies'],
    input: z.object({ proxyId: z.uuid() }),
    response: trafficFigures,
    errors: [],
  },
  /** What a user is entitled to by its owner's word, for a caller that is about to refuse by a projection; null: nothing. */
  'billing.readSubscription': {
    from: ['proxies'],
    input: z.object({ userId: z.int() }),
    response: events.subscription.schema.nullable(),
    errors: [],
  },
  'stats.readRequestLog': {
    from: ['proxies'],
    input: z.object({ proxyId: z.uuid(), days: z.int() }),
    response: requestLog.pick({ entries: true, missed: true }),
    errors: [],
  },
  'stats.readRequests': {
    from: ['proxies'],
    /** `days`: nothing older. */
    input: z.object({
      proxyId: z.uuid(),
      mode: z.enum(['metadata', 'live']),
      days: z.int(),
      ...requestFilters,
      ...requestPage,
    }),
    response: z.object({
      requests: z.array(loggedRequest),
      next: z.string().nullable(),
      total: z.string().nullable(),
    }),
    errors: [],
  },
  'stats.readEvents': {
    from: ['proxies'],
    /** The proxy’s UUID, its id in the API, its server, and whose it is. */
    input: z.object({
      ...{ proxyId: z.uuid(), id: z.int(), userId: z.int(), limit: z.int().positive() },
      /** Left out by the previous version. */
      serverId: z.int().optional(),
    }),
    response: z.array(proxyEvent),
    errors: [],
  },
  'stats.readServerEvents': {
    from: ['proxies'],
    /** A server, whose it is, and its proxies that the reader may see. */
    input: z.object({
      ...{ serverId: z.int(), userId: z.int(), limit: z.int().positive() },
      proxies: z.array(z.object({ proxyId: z.uuid(), id: z.int() })),
    }),
    response: z.array(proxyEvent),
    errors: [],
  },
  /** What an email needs that is stored nowhere else, asked when it is sent; null: there is no such user any more. */
  'auth.prepareMail': {
    from: ['notifications'],
    /** `cause`: the email's, by which auth knows its link. */
    input: z.object({ userId: z.int(), cause: z.uuid(), kind: z.enum(mailKindNames) }),
    response: z
      .object({
        username: z.string(),
        language: z.enum(languages),
        address: z.string().nullable(),
        /** The address's id; null: there is none. */
        addressId: z.int().nullable(),
        /** It was refused for good before. */
        isUndeliverable: z.boolean(),
        /** The secret of its link, or of the one that ends such emails; null: it has none. */
        token: z.string().nullable(),
        /** It has one that no longer counts. */
        isOutdated: z.boolean(),
      })
      .nullable(),
    errors: [],
  },
  /** What a mail server has said about an address: that it takes emails, or never will. */
  'auth.storeDeliverability': {
    from: ['notifications'],
    input: z.object({ addressId: z.int(), isUndeliverable: z.boolean() }),
    /** Since when a present address takes none; null: it takes them, or is gone. */
    response: z.object({ undeliverableSince: z.iso.datetime().nullable() }),
    errors: [],
  },
  /** Sends a test email now. */
  'notifications.testDelivery': {
    from: ['operator'],
    audit: null,
    input: z.object({ address: fields.givenEmail }),
    response: mailTest,
    errors: [],
    deadline: 90_000,
  },
  /** Where the email with an invitation's link goes, and the secret of the link, made anew; null: it is no longer open. */
  'proxies.prepareInvitation': {
    from: ['notifications'],
    input: z.object({ memberId: z.int().positive() }),
    response: z.object({ address: z.string(), token: z.string() }).nullable(),
    errors: [],
  },
  /** Where the email with a code for the wall goes, and the code, made anew; null: it is not to be sent, or no longer. */
  'proxies.prepareAccessCode': {
    from: ['notifications'],
    /** The email's cause. */
    input: z.object({ codeId: z.uuid() }),
    response: z
      .object({ address: z.string(), host: z.string(), code: z.string(), language: z.enum(languages) })
      .nullable(),
    errors: [],
  },
  /** Which of these proxies a user owns or is a member of: for an API key that reaches those alone. */
  'proxies.findReachable': {
    from: ['auth'],
    input: z.object({ userId: z.int(), ids: z.array(fields.id).max(100) }),
    response: z.object({ ids: z.array(z.int()) }),
    errors: [],
  },
  'proxies.getDesiredServer': {
    from: ['tunnel-worker'],
    input: z.object({ serverId: z.uuid() }),
    /** Null for a server nobody knows (any more). */
    response: desiredServer.nullable(),
    errors: [],
  },
  'proxies.reportServer': {
    from: ['tunnel-worker'],
    input: serverReport,
    /** Whether all of it counted: false when a generation is no longer the current one. */
    response: z.object({ counted: z.boolean() }),
    errors: [],
  },
  'proxies.listServers': {
    from: ['tunnel-worker'],
    /** Those whose UUID comes after this one. */
    input: z.object({ after: z.uuid() }),
    response: z.object({
      servers: z.array(
        z.object({
          serverId: z.uuid(),
          tunnelId: z.string().nullable(),
          health: z.enum(tunnelHealths).nullable(),
          /** Nothing is to be done for the tunnel. */
          settled: z.boolean(),
          proxies: z.array(
            z.object({
              proxyId: z.uuid(),
              dnsRecordId: z.string().nullable(),
              /** Further names that lead to it; left out: none. */
              domains: z.array(z.string()).optional(),
              settled: z.boolean(),
            }),
          ),
        }),
      ),
      /** Where the next page begins; null after the last one. */
      next: z.uuid().nullable(),
    }),
    errors: [],
  },
  'proxies.observeServers': {
    from: ['tunnel-worker'],
    input: z.object({
      seen: z
        .array(
          z.object({
            serverId: z.uuid(),
            /** It concerns the server only while this is its tunnel. */
            tunnelId: z.string(),
            health: z.enum([...tunnelHealths, 'missing']),
          }),
        )
        .min(1)
        .max(500),
    }),
    /** How many servers have changed by it. */
    response: z.object({ changed: z.int() }),
    errors: [],
    deadline: 5_000,
  },
  /** What the previous version's worker asks, and says, of servers of one proxy; with the next release it goes. */
  'proxies.getDesired': {
    from: ['tunnel-worker'],
    input: z.object({ proxyId: z.uuid() }),
    response: desiredTunnel.nullable(),
    errors: [],
  },
  'proxies.report': {
    from: ['tunnel-worker'],
    input: z.object({ proxyId: z.uuid(), generation: z.int(), outcome }),
    response: z.object({ counted: z.boolean() }),
    errors: [],
  },
  'proxies.listTunnels': {
    from: ['tunnel-worker'],
    input: z.object({ after: z.uuid() }),
    response: z.object({
      tunnels: z.array(
        z.object({
          proxyId: z.uuid(),
          tunnelId: z.string().nullable(),
          dnsRecordId: z.string().nullable(),
          health: z.enum(tunnelHealths).nullable(),
          domains: z.array(z.string()).optional(),
          settled: z.boolean(),
        }),
      ),
      next: z.uuid().nullable(),
    }),
    errors: [],
  },
  'proxies.observe': {
    from: ['tunnel-worker'],
    input: z.object({
      seen: z
        .array(
          z.object({
            proxyId: z.uuid(),
            tunnelId: z.string(),
            health: z.enum([...tunnelHealths, 'missing']),
          }),
        )
        .min(1)
        .max(500),
    }),
    response: z.object({ changed: z.int() }),
    errors: [],
    deadline: 5_000,
  },
  'proxies.nameProxies': {
    from: ['operator', 'tunnel-worker'],
    audit: null,
    input: z.object({ proxyIds: z.array(z.uuid()).max(1_000) }),
    /** Those that are known, in no order; `id` is a proxy's in the API. */
    response: z.array(
      z.object({
        proxyId: z.uuid(),
        id: z.int(),
        serverName: z.string(),
        hostname: z.string(),
        /** Null while it is not known. */
        ownerName: z.string().nullable(),
        deleted: z.boolean(),
      }),
    ),
    errors: [],
  },
  'tunnel-worker.getTunnelToken': {
    from: ['proxies'],
    input: z.object({ tunnelId: z.string() }),
    response: z.object({ token: z.string() }),
    errors: ['no_tunnel', 'provider_unavailable'],
    deadline: 8_000,
  },
  'tunnel-worker.getTunnelStatus': {
    from: ['proxies'],
    input: z.object({ tunnelId: z.string() }),
    response: tunnelStatus,
    errors: ['provider_unavailable'],
    deadline: 8_000,
  },
  'tunnel-worker.getConnectors': {
    from: ['proxies'],
    input: z.object({ tunnelId: z.string() }),
    /** Up to two seconds old. */
    response: connectorSignal,
    errors: ['provider_unavailable'],
    deadline: 3_000,
  },
  'tunnel-worker.resync': {
    from: ['operator'],
    audit: null,
    input: z.object({
      /** Changes nothing, and returns what it would do. */
      dryRun: z.boolean(),
      /** Removes what is left over, and stores what is gone, although it is much or the database was restored. */
      confirm: z.boolean(),
    }),
    response: resyncReport,
    errors: ['provider_unavailable'],
    deadline: 60_000,
  },
  'tunnel-worker.getResyncReport': {
    from: ['operator'],
    audit: null,
    input: z.object({}),
    /** Null before the first whole pass. */
    response: resyncReport.nullable(),
    errors: [],
  },
  /** The certificates that Talpa orders; null where it orders none. */
  'tunnel-worker.readCertificates': {
    from: ['operator', 'notifications'],
    audit: null,
    input: z.object({}),
    response: z.array(certificate).nullable(),
    errors: ['provider_unavailable'],
  },
  'tunnel-worker.listDeadLetters': {
    from: ['operator', 'notifications'],
    audit: null,
    input: z.object({}),
    response: z.array(deadLetter),
    errors: [],
  },
  'tunnel-worker.retryDeadLetters': {
    from: ['operator'],
    audit: null,
    /** All of them when left out. */
    input: z.object({ proxyId: z.uuid().optional() }),
    response: z.object({ enqueued: z.int() }),
    errors: [],
  },
} as const satisfies Record<`${ServiceName}.${string}`, CallBetween | OperatorCall>;

export type InternalCalls = typeof internalCalls;
export type InternalName = keyof InternalCalls;
