import type { EdgeErrorCode } from './edge-errors.ts';

/**
 * What is recorded of visitors’ requests to a proxy. `metadata`: the entries below, stored. `live`: the same, in memory alone, for those
 * who watch. `off`: nothing.
 */
export const requestLogModes = ['off', 'live', 'metadata'] as const;
export type RequestLogMode = (typeof requestLogModes)[number];

/** So many entries of a proxy are stored at most, the newest. */
export const mostLoggedRequests = 10_000;
/** A longer path is cut. */
export const longestLoggedPath = 512;
/** How long, and how many entries of a proxy, the mode `live` holds in memory. */
export const liveRequests = { minutes: 15, entries: 500 } as const;

export const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER'] as const;
export type RequestMethod = (typeof requestMethods)[number];

/** What a visitor’s program calls itself, roughly. */
export const agentFamilies = ['chrome', 'edge', 'firefox', 'safari', 'bot', 'script', 'other'] as const;
export type AgentFamily = (typeof agentFamilies)[number];

/** Why a request was refused: an error of the edge, or the limit that it met. */
export const requestReasons = [
  'suspended',
  'paused',
  'access_denied',
  'ambiguous_path',
  'sign_in_required',
  'no_connector',
  'origin_unreachable',
  'connection_lost',
  'timeout',
  'bad_request',
  'body_too_large',
  'response_head_too_large',
  'limit_visitor',
  'limit_requests',
  'limit_mutations',
  'limit_sign_in',
  'limit_concurrent',
  'limit_long_lived',
  'limit_share',
] as const;
export type RequestReason = (typeof requestReasons)[number];
/** The errors of the edge that are reasons by themselves. */
export type RefusalCode = Extract<EdgeErrorCode, RequestReason>;

export const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];
