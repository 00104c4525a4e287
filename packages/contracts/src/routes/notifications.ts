import { z } from 'zod';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { notification, notificationChannels, unreadCount } from '../notifications.ts';

const errors = ['not_signed_in'] as const;

/** The inbox of the signed-in user. */
export const notificationRoutes = {
  'GET /api/user/notifications': entry({
    summary: 'List your notifications of the last 90 days, newest first',
    procedure: 'notifications.listNotifications',
    access: 'user',
    scope: null,
    input: z.object({
      state: z.enum(['unread', 'read']).optional(),
      limit: fields.coerced(z.int().min(1).max(200)).default(50),
      /** The id of the last one of the page before, as in the `Link` header. */
      cursor: fields.id.optional(),
    }),
    response: z.array(notification),
    effect: 'page',
    errors,
  }),
  'GET /api/user/notifications/unread-count': entry({
    summary: 'Count your unread notifications, up to 100',
    procedure: 'notifications.countUnread',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: unreadCount,
    errors,
    cached: 'per-user',
  }),
  'GET /api/user/notifications/channels': entry({
    summary: 'Get whether notifications can be sent by email',
    procedure: 'notifications.getChannels',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: notificationChannels,
    errors,
    cached: 'global',
  }),
  'POST /api/user/notifications/read': entry({
    summary: 'Mark your notifications as read: those named, and all up to one',
    procedure: 'notifications.markRead',
    access: 'user',
    scope: null,
    // What somebody has read is nobody's business.
    audit: null,
    input: z.object({
      ids: z.array(fields.id).max(200).optional(),
      /** The newest that was shown: what came later stays unread. */
      upTo: fields.id.optional(),
    }),
    response: unreadCount,
    errors,
  }),
} as const;
