import { z } from 'zod';
import { proxy, statusReasons, subscription, tunnelStatus } from './entities.ts';
import type { ServiceName } from './entry.ts';
import type { ErrorCode } from './errors.ts';
import * as fields from './fields.ts';

interface InternalCall {
  /** Who may call it; everybody else's NATS user cannot even send it. */
  readonly from: readonly (ServiceName | 'gateway' | 'operator')[];
  readonly input: z.ZodObject;
  readonly answer: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** ms; 2 000 when left out. */
  readonly deadline?: number;
}

const hostnameAndOrigin = {
  hostname: z.string(),
  /** The URL the connector fetches from, plain http on the customer's machine. */
  origin: z.string(),
};
const tunnelState = {
  /** Raised by each recreate; part of the tunnel's name. */
  incarnation: z.int().positive(),
  ...hostnameAndOrigin,
  /** Every visitor is refused; left out: none is. */
  suspended: z.boolean().optional(),
};

/** What the worker found or made at the provider for one proxy. */
export const appliedTunnel = z.object({ tunnelId: z.string(), dnsRecordId: z.string(), ...tunnelState });
export type AppliedTunnel = z.infer<typeof appliedTunnel>;

/** What should be at the provider for one proxy (`want` null: nothing), and what was last seen there. */
export const desiredTunnel = z.object({
  proxyId: z.uuid(),
  /** Raised by each change of what is wanted; a report counts only for the generation it names. */
  generation: z.int().positive(),
  want: z.object(tunnelState).nullable(),
  applied: appliedTunnel.nullable(),
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
]);
export type Outcome = z.infer<typeof outcome>;

/** Calls between processes that no HTTP route leads to. */
export const internalCalls = {
  'auth.getSession': {
    from: ['gateway'],
    input: z.object({
      sessionId: z.uuid(),
      /** Whether this counts as use, for the idle limit; the ping does not. */
      use: z.boolean(),
    }),
    answer: z
      .object({
        userId: z.int(),
        isAdmin: z.boolean(),
        sessionId: z.uuid(),
        suspensionReason: z.string().optional(),
      })
      .nullable(),
    errors: [],
  },
  'auth.ensureFirstAdmin': {
    from: ['operator'],
    input: z.object({ username: z.string(), password: z.string() }),
    /** False when an administrator exists already. */
    answer: z.object({ created: z.boolean() }),
    errors: [],
    deadline: 15_000,
  },
  'auth.createAdmin': {
    from: ['operator'],
    input: z.object({ username: fields.username, password: fields.newPassword }),
    answer: z.null(),
    errors: ['username_taken'],
    deadline: 15_000,
  },
  'auth.resetAdmin': {
    from: ['operator'],
    input: z.object({ username: fields.givenUsername, password: fields.newPassword }),
    answer: z.null(),
    errors: ['not_found'],
    deadline: 15_000,
  },
  'billing.exportUser': {
    from: ['auth'],
    input: z.object({ userId: z.int() }),
    answer: z.object({ subscription }),
    errors: [],
  },
  'proxies.exportUser': {
    from: ['auth'],
    input: z.object({ userId: z.int() }),
    answer: z.object({ proxies: z.array(proxy) }),
    errors: [],
  },
  'proxies.getDesired': {
    from: ['worker'],
    input: z.object({ proxyId: z.uuid() }),
    /** Null for a proxy nobody knows (any more). */
    answer: desiredTunnel.nullable(),
    errors: [],
  },
  'proxies.report': {
    from: ['worker'],
    input: z.object({ proxyId: z.uuid(), generation: z.int(), outcome }),
    /** Whether it counted: false when the generation is no longer the wanted one. */
    answer: z.object({ counted: z.boolean() }),
    errors: [],
  },
  'worker.getTunnelToken': {
    from: ['proxies'],
    input: z.object({ tunnelId: z.string() }),
    answer: z.object({ token: z.string() }),
    errors: ['no_tunnel', 'provider_unavailable'],
    deadline: 8_000,
  },
  'worker.getTunnelStatus': {
    from: ['proxies'],
    input: z.object({ tunnelId: z.string() }),
    answer: tunnelStatus,
    errors: ['provider_unavailable'],
    deadline: 8_000,
  },
} as const satisfies Record<`${ServiceName}.${string}`, InternalCall>;

export type InternalCalls = typeof internalCalls;
export type InternalName = keyof InternalCalls;
