import { z } from 'zod';
import { serviceNames } from './service-names.ts';

/** What may be done, as the audit trail calls it: what, then how. Each call that changes something names one. */
export const auditActions = [
  'user.register',
  'user.create',
  'user.update',
  'user.reset',
  'user.suspend',
  'user.liftSuspension',
  'user.delete',
  'user.changePassword',
  'user.createResetLink',
  'user.requestPasswordReset',
  'user.reportIntrusion',
  'user.resetPassword',
  'user.changePreferences',
  'user.unsubscribe',
  'user.startAuthenticator',
  'user.addAuthenticator',
  'user.replaceAuthenticator',
  'user.removeAuthenticator',
  'user.replaceRecoveryCodes',
  'user.removeFactor',
  'user.requestEmailVerification',
  'user.verifyEmail',
  'user.export',
  /** An administrator has looked at their email addresses, API keys or linked identities. */
  'user.readDetails',
  'session.signIn',
  'session.signOut',
  'session.stepUp',
  'session.failStepUp',
  'session.end',
  'session.endOthers',
  'session.endAll',
  'invitation.create',
  'invitation.revoke',
  'announcement.create',
  'announcement.update',
  'announcement.end',
  'subscription.change',
  'proxy.create',
  'proxy.update',
  'proxy.delete',
  'proxy.recreateTunnel',
  'proxy.readToken',
  'proxy.exportRequests',
  'proxy.suspend',
  'proxy.liftSuspension',
  /** The provider refused what a user had ordered: a create is gone again, an edit undone. */
  'proxy.refuse',
  'proxy.move',
  'proxy.addDomain',
  'proxy.verifyDomain',
  /** Its records were missing or wrong for so long that it is no longer served. */
  'proxy.loseDomain',
  'proxy.removeDomain',
  'proxy.inviteMember',
  'proxy.updateMember',
  'proxy.removeMember',
  'proxy.join',
  'proxy.leave',
  'proxy.declineInvitation',
  'proxy.setAccess',
  'proxy.createServiceToken',
  'proxy.revokeServiceToken',
  'proxy.endVisit',
  'proxy.endAllVisits',
  'proxy.changeRequestLog',
  'proxy.addGamePort',
  'proxy.updateGamePort',
  'proxy.removeGamePort',
  'server.create',
  'server.update',
  'server.delete',
  'server.recreate',
  'server.readToken',
  'channel.create',
  'channel.update',
  'channel.delete',
  'channel.test',
  'channel.replaceSecret',
  'channel.sendAgain',
  'passkey.add',
  'passkey.rename',
  'passkey.remove',
  'apiKey.create',
  'apiKey.revoke',
  'enrolmentKey.create',
  'enrolmentKey.revoke',
  'enrolmentKey.use',
  'identity.link',
  'identity.unlink',
  'mail.read',
  'mail.handOver',
  'mail.sendAgain',
  'mail.sendTest',
  'certificate.order',
] as const;
export type AuditAction = (typeof auditActions)[number];

const time = z.iso.datetime();
const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** By field, its value before and after; of what is nobody's business only that it changed. */
const changes = z.record(z.string(), z.object({ from: fieldValue.optional(), to: fieldValue.optional() }));
export type AuditChanges = z.infer<typeof changes>;

export const auditTargets = [
  'user',
  'proxy',
  'server',
  'subscription',
  'session',
  'mail',
  'invitation',
  'announcement',
  'channel',
  'installationChannel',
  'passkey',
  'apiKey',
  'enrolmentKey',
  'identity',
  'certificate',
] as const;
const target = z.object({
  kind: z.enum(auditTargets),
  /** As the API names it; of a user’s subscription or sessions the user’s id. */
  id: z.string(),
  /** What it was called then; null when it has no name, or belonged to a user who is gone. */
  label: z.string().nullable(),
});
export type AuditTarget = z.infer<typeof target>;

/** An API key as it was called then. The name is null when its owner is gone. */
const key = z.object({ id: z.int(), name: z.string().nullable() });
export type AuditKey = z.infer<typeof key>;

const client = z.object({
  /** Null after 90 days. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

const common = { id: z.uuid(), at: time, action: z.enum(auditActions), target, changes };

/** One row as it travels from the service that wrote it. No secrets. */
export const auditMessage = z.object({
  ...common,
  service: z.enum(serviceNames),
  /** Null: the system itself, or an operator at its command line. */
  actor: z
    .object({ userId: z.int(), isAdmin: z.boolean(), sessionId: z.uuid().nullable(), apiKey: key.optional() })
    .nullable(),
  client: client.nullable(),
  /** Whose data it concerns. */
  subjectUserId: z.int().nullable(),
  requestId: z.string(),
});
export type AuditMessage = z.infer<typeof auditMessage>;

/** One row as administrators see it. */
export const auditRow = z
  .object({
    ...auditMessage.omit({ service: true }).shape,
    /** With their present name; null when they are gone. */
    actor: z
      .object({
        userId: z.int(),
        username: z.string().nullable(),
        isAdmin: z.boolean(),
        sessionId: z.uuid().nullable(),
        /** The API key that acted in their name. */
        apiKey: key.nullable(),
      })
      .nullable(),
    /** The present name of the user it concerns; null when they are gone, or it concerns nobody. */
    subjectUsername: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.infer<typeof auditRow>;

/** One row as the user it concerns sees it: of an administrator not who they are, of others not from where. */
export const ownAuditRow = z
  .object({
    ...common,
    by: z.enum(['self', 'member', 'administrator', 'system']),
    /** The present name of a member of the user’s proxy who did it; null: nobody’s business, or they are gone. */
    byName: z.string().nullable(),
    client: client.nullable(),
    apiKey: key.nullable(),
  })
  .meta({ id: 'OwnAuditRow' });
export type OwnAuditRow = z.infer<typeof ownAuditRow>;
