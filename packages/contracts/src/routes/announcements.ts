import { z } from 'zod';
import { announcement, announcementLevels, announcementStates } from '../announcements.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { notification } from '../notifications.ts';
import { paged } from '../paging.ts';

const adminErrors = ['not_signed_in', 'forbidden'] as const;
const given = z.object({
  level: z.enum(announcementLevels),
  titleDe: fields.announcementTitle,
  textDe: fields.announcementText,
  titleEn: fields.announcementTitle,
  textEn: fields.announcementText,
  startsAt: fields.moment,
  endsAt: fields.moment,
});

/** Announcements of administrators to all users. */
export const announcementRoutes = {
  'GET /api/user/notifications/announcements': entry({
    summary: 'List your unread announcements that have not ended',
    procedure: 'notifications.listOwnAnnouncements',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(notification),
    errors: ['not_signed_in'],
    cached: 'per-user',
  }),
  'GET /api/admin/announcements': entry({
    summary: 'List all announcements of the last year',
    procedure: 'notifications.listAnnouncements',
    access: 'admin',
    scope: 'admin:announcements',
    input: z.object({ ...paged(['createdAt']), state: z.enum(announcementStates).optional() }),
    response: z.array(announcement),
    effect: 'page',
    errors: adminErrors,
  }),
  'GET /api/admin/announcements/:id': entry({
    summary: 'Get an announcement',
    procedure: 'notifications.getAnnouncement',
    access: 'admin',
    scope: 'admin:announcements',
    of: 'announcement',
    input: z.object({ id: fields.id }),
    response: announcement,
    errors: [...adminErrors, 'not_found'],
  }),
  'POST /api/admin/announcements': entry({
    summary: 'Announce something to all users who have not turned announcements off',
    procedure: 'notifications.createAnnouncement',
    access: 'admin',
    scope: 'admin:announcements',
    audit: 'announcement.create',
    input: given,
    response: announcement,
    status: 201,
    errors: adminErrors,
  }),
  'PUT /api/admin/announcements/:id': entry({
    summary: 'Change an announcement that has not ended, in inboxes too',
    procedure: 'notifications.updateAnnouncement',
    access: 'admin',
    scope: 'admin:announcements',
    audit: 'announcement.update',
    of: 'announcement',
    input: given.extend({
      id: fields.id,
      /** The values the change was made from; if the stored ones differ, nothing is saved. */
      expected: given.optional(),
    }),
    response: announcement,
    errors: [...adminErrors, 'not_found', 'edit_conflict', 'announcement_ended'],
  }),
  'POST /api/admin/announcements/:id/end': entry({
    summary: 'End an announcement now; one that has not begun is never shown',
    procedure: 'notifications.endAnnouncement',
    access: 'admin',
    scope: 'admin:announcements',
    audit: 'announcement.end',
    of: 'announcement',
    input: z.object({ id: fields.id }),
    response: announcement,
    errors: [...adminErrors, 'not_found', 'announcement_ended'],
  }),
} as const;
