import { z } from 'zod';
import { certificate, certificateName } from '../certificates.ts';
import { doctorReport } from '../doctor.ts';
import { ownEmail, proxy, resetLink, user } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { paged, proxySorts } from '../paging.ts';
import { providerProblem } from '../provider-problems.ts';
import { proxyStatuses } from '../status.ts';
import { storage } from '../storage.ts';
import { systemState } from '../system.ts';
import { namedDeadLetter } from '../tunnels.ts';

const adminErrors = ['not_signed_in', 'forbidden'] as const;

/** What administrators may do. */
const suspensionInput = z.object({
  id: fields.id,
  reason: fields.suspensionReason,
  /** The reason the form started from, null: not suspended; if the stored one differs, nothing is saved. */
  expected: z.object({ reason: fields.suspensionReason.nullable() }).optional(),
});

export const adminRoutes = {
  'GET /api/admin/users': entry({
    summary: 'List all users',
    procedure: 'auth.listUsers',
    access: 'admin',
    scope: 'admin:users',
    input: z.object({
      ...paged(['createdAt', 'username']),
      tier: fields.tierOrNone.optional(),
      role: z.enum(['admin', 'user']).optional(),
      /** Suspended, or not. */
      state: z.enum(['active', 'suspended']).optional(),
    }),
    response: z.array(user),
    effect: 'page',
    errors: adminErrors,
  }),
  'POST /api/admin/users': entry({
    summary: 'Create a user',
    procedure: 'auth.createUser',
    access: 'admin',
    scope: 'admin:users',
    audit: 'user.create',
    // For a new administrator.
    stepUp: 'sometimes',
    input: z.object({
      username: fields.username,
      password: fields.newPassword,
      isAdmin: z.boolean().default(false),
      proxyLimit: fields.proxyLimit.optional(),
      subscriptionTier: fields.tierOrNone.default('free'),
    }),
    response: user,
    status: 201,
    idempotent: true,
    errors: [
      'storage_full',
      ...adminErrors,
      'not_found',
      'username_taken',
      'username_similar',
      'idempotency_key_reused',
    ],
    deadline: 15_000,
  }),
  'GET /api/admin/users/:id': entry({
    summary: 'Get a user',
    procedure: 'auth.readUser',
    access: 'admin',
    scope: 'admin:users',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: user,
    errors: [...adminErrors, 'not_found'],
  }),
  'GET /api/admin/users/:id/email': entry({
    summary: 'Get the email address of a user, whether it is verified, and whether emails arrive there',
    procedure: 'auth.readUserEmail',
    access: 'admin',
    scope: 'admin:users',
    audit: 'user.readDetails',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: ownEmail,
    errors: [...adminErrors, 'not_found'],
  }),
  'PUT /api/admin/users/:id': entry({
    summary: 'Update a user; an empty password keeps the current one',
    procedure: 'auth.updateUser',
    access: 'admin',
    scope: 'admin:users',
    audit: 'user.update',
    // For an administrator, and to make somebody one.
    stepUp: 'sometimes',
    of: 'user',
    input: z.object({
      id: fields.id,
      username: fields.username,
      password: z.union([z.literal(''), fields.newPassword]).optional(),
      isAdmin: z.boolean().default(false),
      proxyLimit: fields.proxyLimit,
      subscriptionTier: fields.tierOrNone,
      /** The values the change was made from; if the stored ones differ, nothing is saved. */
      expected: z
        .object({
          username: fields.username,
          isAdmin: z.boolean(),
          proxyLimit: fields.proxyLimit,
          subscriptionTier: fields.tierOrNone,
        })
        .optional(),
    }),
    response: user,
    errors: [
      ...adminErrors,
      'not_found',
      'username_taken',
      'username_similar',
      'edit_conflict',
      'last_administrator',
    ],
    deadline: 15_000,
  }),
  'DELETE /api/admin/users/:id': entry({
    summary: 'Delete a user and all of their proxies',
    procedure: 'auth.deleteUser',
    access: 'admin',
    scope: 'admin:users',
    audit: 'user.delete',
    // For an administrator.
    stepUp: 'sometimes',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: [...adminErrors, 'not_found', 'last_administrator', 'self_deletion'],
  }),
  'DELETE /api/admin/users/:id/sessions': entry({
    summary: 'End all sessions of a user; of your own, all except this one',
    procedure: 'auth.endUserSessions',
    access: 'admin',
    scope: null,
    audit: 'session.endAll',
    // For another administrator.
    stepUp: 'sometimes',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: [...adminErrors, 'not_found'],
  }),
  'POST /api/admin/users/:id/reset-link': entry({
    summary: 'Create a link with which a user sets a new password; earlier links stop working',
    procedure: 'auth.createResetLink',
    access: 'admin',
    scope: null,
    audit: 'user.createResetLink',
    // For an administrator.
    stepUp: 'sometimes',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: resetLink,
    status: 201,
    secret: true,
    errors: [...adminErrors, 'not_found'],
  }),
  'POST /api/admin/users/:id/suspension': entry({
    summary: 'Suspend a user and all of their proxies, or change the reason',
    procedure: 'auth.suspendUser',
    access: 'admin',
    scope: 'admin:users',
    audit: 'user.suspend',
    // For an administrator.
    stepUp: 'sometimes',
    of: 'user',
    input: suspensionInput,
    response: user,
    errors: [...adminErrors, 'not_found', 'edit_conflict', 'self_suspension', 'last_administrator'],
  }),
  'DELETE /api/admin/users/:id/suspension': entry({
    summary: 'Lift a user’s suspension',
    procedure: 'auth.liftUserSuspension',
    access: 'admin',
    scope: 'admin:users',
    audit: 'user.liftSuspension',
    // For an administrator.
    stepUp: 'sometimes',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: [...adminErrors, 'not_found'],
  }),
  'POST /api/admin/tunnel-configs/:id/suspension': entry({
    summary: 'Suspend a proxy, or change the reason; visitors are refused and the connector is disconnected',
    procedure: 'proxies.suspendProxy',
    access: 'admin',
    scope: 'admin:proxies',
    audit: 'proxy.suspend',
    of: 'proxy',
    role: 'owner',
    input: suspensionInput,
    response: proxy,
    errors: [...adminErrors, 'not_found', 'edit_conflict'],
  }),
  'DELETE /api/admin/tunnel-configs/:id/suspension': entry({
    summary: 'Lift a proxy’s suspension; a suspension of its owner remains',
    procedure: 'proxies.liftProxySuspension',
    access: 'admin',
    scope: 'admin:proxies',
    audit: 'proxy.liftSuspension',
    of: 'proxy',
    role: 'owner',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: [...adminErrors, 'not_found'],
  }),
  'GET /api/admin/tunnel-configs': entry({
    summary: 'List the proxies of all users',
    procedure: 'proxies.listAllProxies',
    access: 'admin',
    scope: 'admin:proxies',
    input: z.object({
      ...paged(proxySorts),
      status: z.enum(proxyStatuses).optional(),
      /** Only this user's. */
      userId: fields.id.optional(),
    }),
    response: z.array(proxy),
    effect: 'page',
    errors: adminErrors,
  }),
  'GET /api/admin/system': entry({
    summary: 'Get how the installation is set up: what is still to do, the last backup, and the totals',
    procedure: 'stats.getSystem',
    access: 'admin',
    scope: 'admin:system',
    input: z.object({}),
    response: systemState,
    errors: adminErrors,
  }),
  'GET /api/admin/system/doctor': entry({
    summary:
      'Check what the installation needs: DNS, ports, certificates, mail, clock, disk, stores, jobs, backup',
    procedure: 'notifications.runDoctor',
    access: 'admin',
    scope: 'admin:system',
    /** `again`: looks anew, unless that was done within five seconds; without it within a minute. */
    input: z.object({ again: z.enum(['true']).optional() }),
    response: doctorReport,
    errors: adminErrors,
    deadline: 10_000,
  }),
  'GET /api/admin/dead-letters': entry({
    summary: 'List proxies whose provisioning keeps failing, oldest first, at most 100',
    procedure: 'tunnel-worker.readDeadLetters',
    access: 'admin',
    scope: 'admin:system',
    input: z.object({}),
    response: z.array(namedDeadLetter),
    errors: adminErrors,
  }),
  'GET /api/admin/storage': entry({
    summary: 'Get the free disk space; null where no disk is watched',
    procedure: 'stats.getStorage',
    access: 'admin',
    scope: 'admin:system',
    input: z.object({}),
    response: storage.nullable(),
    errors: adminErrors,
  }),
  'GET /api/admin/provider-problems': entry({
    summary: 'List what has to be fixed before the tunnel provider works, oldest first',
    procedure: 'tunnel-worker.listProviderProblems',
    access: 'admin',
    scope: 'admin:system',
    input: z.object({}),
    response: z.array(providerProblem),
    errors: adminErrors,
  }),
  'GET /api/admin/certificates': entry({
    summary: 'List the certificates that Talpa orders, the first to expire first; null where it orders none',
    procedure: 'tunnel-worker.listCertificates',
    access: 'admin',
    scope: 'admin:system',
    input: z.object({}),
    response: z.array(certificate).nullable(),
    errors: [...adminErrors, 'provider_unavailable'],
  }),
  'POST /api/admin/certificates/order': entry({
    summary: 'Order a certificate now, whatever it waits for',
    procedure: 'tunnel-worker.orderCertificate',
    access: 'admin',
    scope: null,
    audit: 'certificate.order',
    input: z.object({ name: certificateName }),
    /** False: no certificate of that name is ordered here. */
    response: z.object({ ordered: z.boolean() }),
    errors: [...adminErrors, 'provider_unavailable'],
  }),
} as const;
