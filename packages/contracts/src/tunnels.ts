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
const tunnelState = {
  /** Raised by each recreate; part of the tunnel's name. */
  incarnation: z.int().positive(),
  ...hostnameAndOrigin,
  /** Left out: none. */
  originOptions: originOptions.optional(),
  /** Every visitor is refused; left out: none is. */
  suspended: z.boolean().optional(),
  /** Further names that lead to it, in order; left out: none. */
  domains: z.array(z.string()).optional(),
};

/** What the worker found or made at the provider for one proxy. */
export const appliedTunnel = z.object({ tunnelId: z.string(), dnsRecordId: z.string(), ...tunnelState });
export type AppliedTunnel = z.infer<typeof appliedTunnel>;

/** What should be at the provider for one proxy (`want` null: nothing), and what was last seen there. */
export const desiredTunnel = z.object({
  proxyId: z.uuid(),
  /** Raised by each change of the desired state; a report counts only for the generation it names. */
  generation: z.int().positive(),
  want: z.object(tunnelState).nullable(),
  applied: appliedTunnel.nullable(),
  /** A connector was there when last looked. */
  connected: z.boolean(),
  /** Nothing to do: this generation is applied already. */
  settled: z.boolean(),
});
export type DesiredTunnel = z.infer<typeof desiredTunnel>;

/** How a run of the worker ended. `failing` may still succeed; a `refused` is definitive. */
export const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), applied: appliedTunnel }),
  z.object({ kind: z.literal('removed') }),
  z.object({ kind: z.literal('refused'), reason: z.enum(statusReasons) }),
  z.object({ kind: z.literal('failing'), reason: z.enum(statusReasons) }),
  /** Given up at the usual pace; it may still succeed, later or when an operator asks for it. */
  z.object({ kind: z.literal('dead_letter'), reason: z.enum(statusReasons) }),
]);
export type Outcome = z.infer<typeof outcome>;

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

/** A proxy whose provisioning was given up at the usual pace. */
export const deadLetter = z.object({
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
