import { z } from 'zod';
import { statusReasons } from './status.ts';

const hostnameAndOrigin = {
  hostname: z.string(),
  /** The URL the connector fetches from. */
  origin: z.string(),
};
/** How the connector speaks to the panel, where that is not as usual. */
const originOptions = z
  .object({
    verifyCertificate: z.literal(false),
    originServerName: z.string(),
    httpHostHeader: z.string(),
    http2Origin: z.literal(true),
  })
  .partial();
export type OriginOptions = z.infer<typeof originOptions>;
const proxyState = {
  ...hostnameAndOrigin,
  /** Left out: none. */
  originOptions: originOptions.optional(),
  /** Every visitor is refused; left out: none is. */
  suspended: z.boolean().optional(),
  /** Every visitor is sent away for a while; left out: none is. */
  paused: z.boolean().optional(),
  /** Further names that lead to it, in order; left out: none. */
  domains: z.array(z.string()).optional(),
};
/** Raised by each recreate; part of the tunnel's name. */
const incarnation = z.int().positive();

/** A server's tunnel at the provider. */
export const appliedTunnel = z.object({ tunnelId: z.string(), incarnation });
export type AppliedTunnel = z.infer<typeof appliedTunnel>;

/** What the worker found or made at the provider for one proxy, and the tunnel that its record leads to. */
export const appliedProxy = z.object({ ...appliedTunnel.shape, dnsRecordId: z.string(), ...proxyState });
export type AppliedProxy = z.infer<typeof appliedProxy>;

const desiredProxy = z.object({
  proxyId: z.uuid(),
  /** Raised by each change of its desired state; what is reported of it counts only for the generation it names. */
  generation: z.int().positive(),
  /** What should be at the provider; null: nothing. */
  want: z.object(proxyState).nullable(),
  applied: appliedProxy.nullable(),
  /** Nothing to do: this generation is applied already, or refused for good. */
  settled: z.boolean(),
  /** It has moved to another server, which alone makes and removes its records; here its rule stays as long as it is wanted. */
  leaves: z.boolean().optional(),
  /** Some of its names may be led elsewhere than was last reported: each is looked at. */
  unsure: z.boolean().optional(),
});
export type DesiredProxy = z.infer<typeof desiredProxy>;
export type WantedProxy = NonNullable<DesiredProxy['want']>;

/** What should be at the provider for one server and its proxies, and what was last seen there. */
export const desiredServer = z.object({
  serverId: z.uuid(),
  tunnel: z.object({
    /** Raised by each change of the tunnel, with those of all proxies. */
    generation: z.int().positive(),
    want: z.object({ incarnation }).nullable(),
    applied: appliedTunnel.nullable(),
    /** A connector was there when last looked. */
    connected: z.boolean(),
    settled: z.boolean(),
  }),
  proxies: z.array(desiredProxy),
});
export type DesiredServer = z.infer<typeof desiredServer>;

const removed = z.object({ kind: z.literal('removed') });
const refused = z.object({ kind: z.literal('refused'), reason: z.enum(statusReasons) });

/** How a run of the worker ended for a proxy. `failing` may still succeed; a `refused` is definitive. */
export const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), applied: appliedProxy }),
  removed,
  refused,
  z.object({ kind: z.literal('failing'), reason: z.enum(statusReasons) }),
  /** Given up at the usual pace; it may still succeed, later or when an operator asks for it. */
  z.object({ kind: z.literal('dead_letter'), reason: z.enum(statusReasons) }),
]);
export type Outcome = z.infer<typeof outcome>;

/** How it ended for a server's tunnel. What is refused concerns all of its proxies. */
export const tunnelOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), applied: appliedTunnel }),
  removed,
  refused,
]);
export type TunnelOutcome = z.infer<typeof tunnelOutcome>;

/** What a run has reached. */
export const serverReport = z.object({
  serverId: z.uuid(),
  /** The tunnel's: with another one nothing of the report counts. */
  generation: z.int(),
  /** Null: nothing is new about it. */
  tunnel: tunnelOutcome.nullable(),
  proxies: z.array(z.object({ proxyId: z.uuid(), generation: z.int(), outcome })),
});
export type ServerReport = z.infer<typeof serverReport>;

/** A server of one proxy as the previous version's worker knows it. It goes with the next release. */
export const desiredTunnel = z.object({
  proxyId: z.uuid(),
  generation: z.int().positive(),
  want: z.object({ incarnation, ...proxyState }).nullable(),
  applied: appliedProxy.nullable(),
  connected: z.boolean(),
  settled: z.boolean(),
});
export type DesiredTunnel = z.infer<typeof desiredTunnel>;

/** What a pass of the resync saw and did. */
export const resyncReport = z.object({
  at: z.iso.datetime(),
  dryRun: z.boolean(),
  /** Tunnels and records of this installation, by their names. */
  tunnels: z.int(),
  records: z.int(),
  /** Proxies whose status has changed. */
  changed: z.int(),
  /** Proxies whose tunnel, or whose record, is gone. A tunnel missed twice is stored as gone, a record made anew. */
  tunnelsGone: z.array(z.uuid()),
  recordsGone: z.array(z.uuid()),
  /** Tunnels and records that no proxy needs, grouped by the proxy in their names. */
  leftovers: z.array(
    z.object({ proxyId: z.uuid(), tunnels: z.array(z.string()), records: z.array(z.string()) }),
  ),
  /** Proxies the controller was enqueued for, to remove or make what the lists above name. */
  enqueued: z.int(),
  /** Why nothing was removed: too much at once, a restored database, or too many tunnels missing; nobody has confirmed. */
  heldBack: z.enum(['brake', 'restored', 'missing']).nullable(),
});
export type ResyncReport = z.infer<typeof resyncReport>;

/** A server whose provisioning was given up at the usual pace. */
export const deadLetter = z.object({
  /** The server's uuid, which is its first proxy's. */
  proxyId: z.uuid(),
  generation: z.int(),
  failures: z.int(),
  reason: z.string(),
  /** What failed, in the provider's words. */
  detail: z.string(),
  deadLetterAt: z.iso.datetime(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** A dead letter, for administrators. */
export const namedDeadLetter = deadLetter
  .pick({ proxyId: true, failures: true, detail: true, deadLetterAt: true })
  .extend({
    /** Null: proxies does not know it any more. */
    proxy: z.object({ id: z.int(), serverName: z.string(), deleted: z.boolean() }).nullable(),
  })
  .meta({ id: 'DeadLetter' });
