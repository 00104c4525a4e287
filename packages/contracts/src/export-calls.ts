import { z } from 'zod';
import { ownAuditRow } from './audit.ts';
import { channel, exportedDelivery } from './channels.ts';
import { exportedMembership, exportedProxy, subscription } from './entities.ts';
import { ownMail } from './mails.ts';
import { notification } from './notifications.ts';
import { exportedRequest } from './request-log.ts';
import { exportedServer } from './servers.ts';

/**
 * How many bytes each list may have in one part of an export, as JSON: together they leave room on the bus for what stands beside
 * them.
 */
export const exportBytes = {
  /** Beside them stand their servers. */
  proxies: 150_000,
  audit: 200_000,
  requests: 150_000,
  mails: 100_000,
  notifications: 100_000,
  deliveries: 100_000,
} as const;

/** A part reads as many rows as fit in it: on a small or busy machine that takes longer than a usual call. */
const deadline = 10_000;

/** The calls by which auth puts a user's export together; part of `internalCalls`. */
export const exportCalls = {
  'billing.exportUser': {
    from: ['auth'],
    input: z.object({ userId: z.int() }),
    response: z.object({ subscription }),
    errors: [],
    deadline,
  },
  'stats.exportUser': {
    from: ['auth'],
    /** From after that row on. */
    input: z.object({ userId: z.int(), after: z.uuid().nullable() }),
    /** A part that fits the bus beside others; `next` is where the following one begins. */
    response: z.object({ audit: z.array(ownAuditRow), next: z.uuid().nullable() }),
    errors: [],
    deadline,
  },
  'notifications.exportInbox': {
    from: ['auth'],
    input: z.object({ userId: z.int(), after: z.int().nullable() }),
    response: z.object({ notifications: z.array(notification), next: z.int().nullable() }),
    errors: [],
    deadline,
  },
  'notifications.exportChannels': {
    from: ['auth'],
    /** `after`: the last delivery of the part before. All channels are in each part. */
    input: z.object({ userId: z.int(), after: z.int().nullable() }),
    response: z.object({
      channels: z.array(channel),
      deliveries: z.array(exportedDelivery),
      next: z.int().nullable(),
    }),
    errors: [],
    deadline,
  },
  'notifications.exportUser': {
    from: ['auth'],
    input: z.object({ userId: z.int(), after: z.int().nullable() }),
    response: z.object({ mails: z.array(ownMail), next: z.int().nullable() }),
    errors: [],
    deadline,
  },
  'proxies.exportUser': {
    from: ['auth'],
    /** As in `stats.exportUser`. */
    input: z.object({ userId: z.int(), after: z.int().nullable() }),
    response: z.object({
      proxies: z.array(exportedProxy),
      /** All of them, in the first part. */
      memberships: z.array(exportedMembership),
      /** Each in the part of its first proxy, empty ones in the first part; left out by the previous version. */
      servers: z.array(exportedServer).default([]),
      next: z.int().nullable(),
    }),
    errors: [],
    deadline,
  },
  'stats.exportRequests': {
    from: ['auth'],
    /** As in `stats.exportUser`. */
    input: z.object({ userId: z.int(), after: z.int().nullable() }),
    response: z.object({ requests: z.array(exportedRequest), next: z.int().nullable() }),
    errors: [],
    deadline,
  },
} as const;
