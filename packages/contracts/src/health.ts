import { z } from 'zod';

const time = z.iso.datetime();
const count = z.int().min(0);

/** How the panel behind a tunnel last responded. */
export const originStates = ['ok', 'unreachable', 'unknown'] as const;

/**
 * Why visitors do not get to the panel although something is there: it speaks https and is asked for http, the other way
 * round, its certificate is refused, or it closes what speaks http to it without a response.
 */
export const originProblems = ['speaks_https', 'speaks_http', 'certificate', 'closes'] as const;
export type OriginProblem = (typeof originProblems)[number];

/** A connector that is connected now. */
const connector = z.object({
  version: z.string(),
  arch: z.string(),
  /** Where it runs, as the edge sees it. */
  address: z.string(),
  connectedSince: time,
  /** It holds four; fewer after some have failed. */
  connections: count,
});

/** The connector's side of a tunnel. */
export const connectorSignal = z.object({
  /** Null while none is connected. */
  connectedSince: time.nullable(),
  /** When one was connected last; null: never. */
  lastSeenAt: time.nullable(),
  /** Of all connectors together. */
  connections: count,
  connectors: z.array(connector),
  /** A connector holds fewer connections than it should. */
  degraded: z.boolean(),
});
export type ConnectorSignal = z.infer<typeof connectorSignal>;

/** A tunnel that nobody is, or can be, connected to. */
export const noConnector: ConnectorSignal = {
  connectedSince: null,
  lastSeenAt: null,
  connections: 0,
  connectors: [],
  degraded: false,
};

/** The panel's side of a tunnel, as the edge last saw it. */
export const originSignal = z.object({
  state: z.enum(originStates),
  lastResponseAt: time.nullable(),
  lastStatus: z.int().nullable(),
  lastUnreachableAt: time.nullable(),
  /** What is known of why it does not respond as it should, since its last response. */
  problem: z.enum(originProblems).nullable().default(null),
  /** Requests in the last 24 hours that did not reach it. */
  failures: count,
});
export type OriginSignal = z.infer<typeof originSignal>;

/**
 * Seconds of a span of time in which visitors got to a connector, did not, or neither: it is not known, or no connector
 * had ever been connected.
 */
export const uptimeBar = z.object({
  from: time,
  to: time,
  up: z.number().min(0),
  down: z.number().min(0),
  unknown: z.number().min(0),
});
export type UptimeBar = z.infer<typeof uptimeBar>;

/** `share` is that of `up` in what is known (0–1); null where nothing is. The last bar ends now. */
const uptimeSpan = z.object({ share: z.number().min(0).max(1).nullable(), bars: z.array(uptimeBar) });
export type UptimeSpan = z.infer<typeof uptimeSpan>;

/** By hours, by days, by days: those of the installation's time zone. */
export const uptime = z.object({
  /** Since when uptime is measured: the first connection; null: there was none. */
  firstConnectedAt: time.nullable(),
  last24h: uptimeSpan,
  last7d: uptimeSpan,
  last90d: uptimeSpan,
});
export type Uptime = z.infer<typeof uptime>;

/** What is known of a proxy's tunnel and of the panel behind it. */
export const proxyHealth = z
  .object({
    /** Null: the provider cannot be asked now. */
    connector: connectorSignal.nullable(),
    /** Null: the provider does not report it (Cloudflare). */
    origin: originSignal.nullable(),
    uptime,
  })
  .meta({ id: 'ProxyHealth' });
export type ProxyHealth = z.infer<typeof proxyHealth>;

/** Sums of a span of time. Bytes are those of bodies: from visitors, and to them. */
export const trafficSum = z.object({
  requests: count,
  bytesIn: count,
  bytesOut: count,
  responses: z.object({ '1xx': count, '2xx': count, '3xx': count, '4xx': count, '5xx': count }),
  /** Requests that did not reach the panel behind the tunnel. */
  unreachable: count,
});
export type TrafficSum = z.infer<typeof trafficSum>;

export const trafficFigures = z.object({
  today: trafficSum,
  yesterday: trafficSum,
  dayBeforeYesterday: trafficSum,
  /** Today and the six days before it. */
  last7Days: trafficSum,
  /** The bytes both ways of those seven days, by day, on average. */
  averageBytesADay: count,
  /** The last 30 days, the oldest first, days without traffic too. */
  days: z.array(trafficSum.extend({ date: z.iso.date() })),
});
export type TrafficFigures = z.infer<typeof trafficFigures>;

/** A proxy's traffic; null: the provider does not report it (Cloudflare), which is not the same as none. */
export const proxyTraffic = z.object({ figures: trafficFigures.nullable() }).meta({ id: 'ProxyTraffic' });
export type ProxyTraffic = z.infer<typeof proxyTraffic>;

/** How long measurements are kept, in days. */
export const measuredRetention = { traffic: 35, uptime: 92 } as const;
