import { z } from 'zod';
import { originProblems, trafficSum } from './health.ts';
import { requestLogModes } from './request-kinds.ts';
import { proxyStatuses } from './status.ts';

const time = z.iso.datetime();
const version = z.int().positive();
/**
 * Whose it is: the proxy's id. Edges of the version before count by tunnel and say its id; as long as they run beside newer ones, the
 * field keeps its name and both add to sums of their own.
 */
const tunnelId = z.uuid();

/** All that a proxy carried in a quarter of an hour so far; the highest version is the newest sum. */
const trafficRow = trafficSum.extend({ tunnelId, quarter: time, version });
export type TrafficRow = z.infer<typeof trafficRow>;

/** The last responses of the panel behind a proxy. */
const originRow = z.object({
  tunnelId,
  version,
  lastResponseAt: time.nullable(),
  lastStatus: z.int().nullable(),
  lastUnreachableAt: time.nullable(),
  /** Left out by versions without it: nothing is known. */
  problem: z.enum(originProblems).nullable().optional(),
  problemAt: time.nullable().optional(),
});
export type OriginRow = z.infer<typeof originRow>;

/** What a proxy was from a moment on. Versions without a gap between them say that nothing was missed. */
export const proxyState = z.object({
  /** The proxy's UUID. */
  proxyId: z.uuid(),
  /** Its id in the API, and its owner. */
  id: z.int(),
  userId: z.int(),
  /** Its members; left out by versions without members. */
  memberIds: z.array(z.int()).optional(),
  version,
  at: time,
  status: z.enum(proxyStatuses),
  /** Left out by versions without it: it is not. */
  paused: z.boolean().optional(),
  tunnelId: z.string().nullable(),
  deleted: z.boolean(),
  /** Left out by versions without it: `metadata`. */
  requestLog: z.enum(requestLogModes).optional(),
});
export type ProxyState = z.infer<typeof proxyState>;

/**
 * Measurements on their way to the statistics, on `measured.<who>`. Each is complete, with a
 * version: it may come twice, late, or in any order.
 */
export const measured = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('traffic'), rows: z.array(trafficRow) }),
  z.object({ kind: z.literal('origins'), rows: z.array(originRow) }),
  z.object({ kind: z.literal('state'), state: proxyState }),
]);
export type Measured = z.infer<typeof measured>;

/** Who may send which of them. */
export const measuredBy: Readonly<Record<string, readonly Measured['kind'][]>> = {
  edge: ['traffic', 'origins'],
  proxies: ['state'],
};
