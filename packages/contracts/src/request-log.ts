import { z } from 'zod';
import { mostAccessRules } from './access-limits.ts';
import {
  agentFamilies,
  longestLoggedPath,
  requestLogModes,
  requestMethods,
  requestReasons,
} from './request-kinds.ts';

const time = z.iso.datetime();
const count = z.int().min(0);
const rule = z.int().min(1).max(mostAccessRules);

/** One request of a visitor. It holds no query, no header, no cookie, and of the address only its network. */
export const loggedRequest = z
  .object({
    /** As the visitor sees it on the edge’s error pages. */
    requestId: z.string().max(64),
    /** When it began. */
    at: time,
    method: z.enum(requestMethods),
    /** Without its query; printable ASCII, everything else percent-encoded. */
    path: z.string().max(longestLoggedPath),
    /** Null: the visitor left before there was a response, or got none. */
    status: z.int().min(100).max(999).nullable(),
    /** Until nothing of it was left, in ms. */
    duration: count,
    /** Bytes of bodies: from the visitor, and to them. */
    bytesIn: count,
    bytesOut: count,
    /** The network of the visitor’s address: an IPv4 /24, an IPv6 /48. */
    network: z.string().max(64),
    agent: z.enum(agentFamilies),
    /** Null: it was not refused. */
    reason: z.enum(requestReasons).nullable(),
    /** Of `access_denied` and `ambiguous_path`: the rule that decided, counted from 1; null: none did. */
    rule: rule.nullable(),
  })
  .meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.infer<typeof loggedRequest>;

/** The same in an export, with the id of its proxy. */
export const exportedRequest = loggedRequest.extend({ proxyId: z.int() });

/** Whose a request is. Edges of the version before say its tunnel alone, and statistics of that version read nothing else. */
const whose = { proxyId: z.uuid().optional(), tunnelId: z.string() };

/** Requests on their way from an edge to the statistics, by their proxy. */
export const loggedRequests = z.object({
  /** `at` in ms since 1970: an edge has no time to write dates. */
  entries: z.array(
    // Edges of an earlier version name no rule.
    loggedRequest.extend({ ...whose, at: count, rule: rule.nullable().default(null) }),
  ),
  /** How many more there were that the edge could not record. */
  missed: z.array(z.object({ ...whose, count: z.int().positive() })),
});
export type LoggedRequests = z.infer<typeof loggedRequests>;

/** How a proxy’s requests are recorded. */
export const requestLog = z
  .object({
    mode: z.enum(requestLogModes),
    /** Null: there is a log. `provider`: the tunnel provider has none (Cloudflare). `operator`: REQUEST_LOG_DAYS is 0. */
    unavailable: z.enum(['provider', 'operator']).nullable(),
    /** How long entries are stored. */
    days: count,
    /** How many entries are stored now. */
    entries: count,
    /** Requests of the stored time that were not recorded, because there were too many at once. */
    missed: count,
  })
  .meta({ id: 'RequestLog' });
export type RequestLog = z.infer<typeof requestLog>;
