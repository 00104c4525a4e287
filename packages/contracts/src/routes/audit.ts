import { z } from 'zod';
import { auditActions, auditRow, auditTargets, ownAuditRow } from '../audit.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';

/** The newest rows first; `cursor` is the id of the last row one has, as in the `Link` header. */
const paging = {
  limit: fields.coerced(z.int().min(1).max(200)).default(50),
  cursor: fields.uuid.optional(),
};

/** Who did what to whom, when and from where. */
export const auditRoutes = {
  'GET /api/admin/audit': entry({
    summary: 'List the activity log, newest first',
    procedure: 'stats.listAudit',
    access: 'admin',
    scope: 'admin:audit',
    input: z.object({
      /** The user who did it. */
      actor: fields.id.optional(),
      /** The user it concerns. */
      subject: fields.id.optional(),
      action: z.enum(auditActions).optional(),
      targetKind: z.enum(auditTargets).optional(),
      targetId: fields.targetId.optional(),
      /** From this moment on. */
      from: fields.moment.optional(),
      /** Before this moment. */
      to: fields.moment.optional(),
      ...paging,
    }),
    response: z.array(auditRow),
    effect: 'page',
    errors: ['not_signed_in', 'forbidden'],
  }),
  'GET /api/user/audit': entry({
    summary: 'List your activity log, newest first',
    procedure: 'stats.listOwnAudit',
    access: 'user',
    scope: null,
    input: z.object(paging),
    response: z.array(ownAuditRow),
    effect: 'page',
    errors: ['not_signed_in'],
  }),
} as const;
