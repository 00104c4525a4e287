import type { z } from 'zod';
import type { Access } from './access.ts';
import type { Actor, SessionActor } from './actor.ts';
import type { AuditAction } from './audit.ts';
import type { ErrorCode } from './errors.ts';
import { type InternalCalls, internalCalls } from './internal.ts';
import type { ProxyRole } from './roles.ts';
import { type RouteName, type Routes, routes } from './routes.ts';
import type { Scope } from './scopes.ts';
import type { ServiceName } from './service-names.ts';

/** The routes that name a service, by verb. */
type RouteVerbs<S extends ServiceName> = {
  [N in RouteName as Routes[N]['procedure'] extends `${S}.${infer Verb}` ? Verb : never]: Routes[N];
};
/** The internal calls that name a service, by verb. */
type InternalVerbs<S extends ServiceName> = {
  [N in keyof InternalCalls as N extends `${S}.${infer Verb}` ? Verb : never]: InternalCalls[N];
};

/** Who acts, as far as the entry's access promises it; internal calls carry nobody. */
type ActorOf<E> = E extends { access: 'public' }
  ? SessionActor | null
  : E extends { access: string; scope: null }
    ? SessionActor
    : E extends { access: string }
      ? Actor
      : null;

/** One use case: the entry's input in, its response out, knowing neither HTTP nor the bus. */
export type Verb<E extends { input: z.ZodType; response: z.ZodType }, Context> = (
  context: Context & { readonly actor: ActorOf<E> },
  input: z.output<E['input']>,
) => Promise<z.input<E['response']>>;

/** Exactly the verbs a service must implement: a missing one or a wrong shape fails the type check. */
export type Verbs<S extends ServiceName, Context> = {
  readonly [V in keyof RouteVerbs<S>]: RouteVerbs<S>[V] extends infer E extends {
    input: z.ZodType;
    response: z.ZodType;
  }
    ? Verb<E, Context>
    : never;
} & {
  readonly [V in keyof InternalVerbs<S>]: InternalVerbs<S>[V] extends infer E extends {
    input: z.ZodType;
    response: z.ZodType;
  }
    ? Verb<E, Context>
    : never;
};

/** What the bus needs to know of a call, whether a route leads to it or not. */
export interface BusCall {
  readonly subject: `${ServiceName}.${string}`;
  readonly access: Access | 'internal';
  readonly scope: Scope | null;
  readonly from: readonly string[];
  readonly input: z.ZodObject;
  readonly response: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** Needs a recent sign-in or step-up. */
  readonly stepUp: boolean;
  /** Open to users who still have to set up a second factor. */
  readonly withoutFactor: boolean;
  /** Of a call about a proxy or a server: what the actor must at least be to it; null: none is named. */
  readonly role: ProxyRole | null;
  /** What the audit trail calls it; null: it leaves nothing there by itself. */
  readonly audit: AuditAction | null;
  /** ms */
  readonly deadline: number;
}

const defaultDeadline = { route: 5_000, internal: 2_000 };

type Entries = Routes[RouteName];
const isServices = (entry: Entries): entry is Exclude<Entries, { procedure: `gateway.${string}` }> =>
  !entry.procedure.startsWith('gateway.');

/** Every call on the bus, derived from the two tables. */
export const busCalls: readonly BusCall[] = [
  ...Object.values(routes)
    .filter(isServices)
    .map(
      (entry): BusCall => ({
        subject: entry.procedure,
        access: entry.access,
        scope: entry.scope,
        from: ['gateway'],
        input: entry.input,
        response: entry.response,
        role: 'role' in entry ? entry.role : null,
        audit: 'audit' in entry ? entry.audit : null,
        errors: entry.errors,
        stepUp: 'stepUp' in entry && entry.stepUp === true,
        withoutFactor: 'withoutFactor' in entry,
        deadline: 'deadline' in entry ? entry.deadline : defaultDeadline.route,
      }),
    ),
  ...Object.entries(internalCalls).map(
    ([subject, call]): BusCall => ({
      subject: subject as BusCall['subject'],
      access: 'internal',
      scope: null,
      from: call.from,
      input: call.input,
      response: call.response,
      role: null,
      audit: 'audit' in call ? call.audit : null,
      errors: call.errors,
      stepUp: false,
      withoutFactor: false,
      deadline: 'deadline' in call ? call.deadline : defaultDeadline.internal,
    }),
  ),
];

/** What services write into the audit trail that no call of theirs is named: what jobs do, and what a verb finds out. */
const auditedBeside: Partial<Record<ServiceName, readonly AuditAction[]>> = {
  auth: ['session.failStepUp', 'user.replaceAuthenticator'],
  proxies: ['proxy.refuse', 'proxy.verifyDomain', 'proxy.loseDomain'],
};

/** Whether a service writes such rows into the audit trail; no other service may. */
export const writesAction = (service: string, action: AuditAction): boolean =>
  (auditedBeside[service as ServiceName]?.includes(action) ?? false) ||
  busCalls.some(({ subject, audit }) => audit === action && subject.startsWith(`${service}.`));
