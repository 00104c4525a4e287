import { z } from 'zod';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { cursor, longestPage } from '../paging.ts';
import {
  longestLoggedPath,
  requestLogModes,
  requestMethods,
  requestReasons,
  statusClasses,
} from '../request-kinds.ts';
import { loggedRequest, requestLog } from '../request-log.ts';

const ofProxy = z.object({ id: fields.id });

/** Which requests. */
export const requestFilters = {
  method: z.enum(requestMethods).optional(),
  /** The class of the status. */
  status: z.enum(statusClasses).optional(),
  /** Why it was refused; `any`: all that were. */
  reason: z.enum([...requestReasons, 'any']).optional(),
  /** What the path begins with. */
  path: fields
    .trimmed(longestLoggedPath)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .optional()
    .transform((text) => text || undefined),
  /** From this moment on. */
  from: fields.moment.optional(),
  /** Before this moment. */
  to: fields.moment.optional(),
};

/** Which page of them, the newest first. */
export const requestPage = { limit: fields.coerced(z.int().min(1).max(longestPage)).default(100), cursor };

const listed = ofProxy.extend({ ...requestFilters, ...requestPage });

/** What visitors asked of a proxy. */
export const requestLogRoutes = {
  'GET /api/tunnel-configs/:id/request-log': entry({
    summary: 'Get how a proxy’s requests are logged',
    procedure: 'proxies.getRequestLog',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'manage',
    input: ofProxy,
    response: requestLog,
    errors: ['not_signed_in', 'not_found'],
  }),
  'PUT /api/tunnel-configs/:id/request-log': entry({
    summary: 'Change how a proxy’s requests are logged; any mode but `metadata` deletes the stored entries',
    procedure: 'proxies.changeRequestLog',
    access: 'user',
    scope: 'proxies:write',
    audit: 'proxy.changeRequestLog',
    of: 'proxy',
    role: 'manage',
    input: ofProxy.extend({ mode: z.enum(requestLogModes) }),
    response: requestLog,
    errors: ['not_signed_in', 'not_found', 'account_suspended', 'proxy_suspended', 'request_log_unavailable'],
  }),
  'GET /api/tunnel-configs/:id/requests': entry({
    summary: 'List the logged requests of a proxy’s visitors, newest first',
    procedure: 'proxies.listRequests',
    access: 'user',
    scope: 'proxies:read',
    of: 'proxy',
    role: 'manage',
    input: listed,
    response: z.array(loggedRequest),
    effect: 'page',
    errors: ['not_signed_in', 'not_found'],
  }),
  'GET /api/tunnel-configs/:id/requests.csv': entry({
    summary: 'Get the same list as CSV; the first page begins with the names of the columns',
    procedure: 'proxies.exportRequests',
    access: 'user',
    scope: 'proxies:read',
    audit: 'proxy.exportRequests',
    of: 'proxy',
    role: 'manage',
    input: listed,
    response: z.string(),
    media: 'text/csv',
    effect: 'page',
    errors: ['not_signed_in', 'not_found'],
  }),
} as const;
