import type { z } from 'zod';
import { type Access, needsFactor, type Resource } from './access.ts';
import type { AuditAction } from './audit.ts';
import { commonErrors, type ErrorCode } from './errors.ts';
import type { eventStream } from './live.ts';
import type { ProxyRole } from './roles.ts';
import type { Scope } from './scopes.ts';
import type { ServiceName } from './service-names.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** The browser or program that sends a call; known for anonymous callers too. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string;
  /** Of a sign-in, and of an entry that `isBound`: the hash of the secret that the browser keeps to be known again. */
  readonly device?: string;
}

/** Calls that each cost calls of the tunnel provider, which are one budget for all users. */
export type TunnelLimit = 'tunnelToken' | 'tunnelStatus' | 'proxyHealth' | 'recreateTunnel';

/** One call of the HTTP API. The key in `routes` is its method and path; names in the path are params. */
export interface Entry<I extends z.ZodObject = z.ZodObject, A extends z.ZodType = z.ZodType> {
  /** What it does, in one line, for OpenAPI. */
  readonly summary: string;
  /** The bus subject: service and verb; `gateway.…` it serves by itself. */
  readonly procedure: `${ServiceName | 'gateway'}.${string}`;
  readonly access: Access;
  /** What an API key needs to make it; null: no key may, it takes a session. */
  readonly scope: Scope | null;
  /** What the id in the path names; only its owner reaches it, and administrators where `resources` says so. */
  readonly of?: Resource;
  /** Of a call about a proxy or a server: what somebody must at least be to it. */
  readonly role?: ProxyRole;
  /** Names in the path are params, the rest is query (GET, DELETE) or body. Unknown fields are refused: see `straysIn`. */
  readonly input: I;
  /** `z.null()` responds with 204 and no body. */
  readonly response: A;
  /** JSON when left out; `text/event-stream`: a stream of such responses rather than one. */
  readonly media?: typeof eventStream | 'text/csv';
  readonly status?: 201;
  /** The only HTTP matters a verb may cause besides its body. */
  readonly effect?: 'signIn' | 'signOut' | 'page';
  /** The verb is given what identifies this browser, as at each sign-in: what it starts only the same browser may finish. */
  readonly isBound?: true;
  /** How often it may be called beside the limits for all; counted for all gateways together. */
  readonly limit?:
    | 'signIn'
    | 'secondFactor'
    | 'providerSignIn'
    | 'register'
    | 'passwordReset'
    | 'passwordResetRequest'
    | 'intrusionReport'
    | 'emailVerification'
    | 'unsubscription'
    | 'ownPassword'
    | 'subdomainCheck'
    | 'inviteMember'
    | 'invitationLink'
    | 'enrolment'
    | TunnelLimit;
  /**
   * Needs a recent sign-in or step-up, or it responds `step_up_required`. `sometimes`: the verb decides by input and user, as
   * the comment beside it says.
   */
  readonly stepUp?: true | 'sometimes';
  /** Open to users who still have to set up the second factor that SECOND_FACTOR asks of them: what setting it up takes. */
  readonly withoutFactor?: true;
  /** The errors it may respond with beside those that follow from other fields, and the common ones. */
  readonly errors: readonly ErrorCode[];
  /**
   * Who shares the response that the gateway caches: all sessions of the user, one of them, or all users. The service
   * invalidates the user's cache version, or the global one, whenever the response changes.
   */
  readonly cached?: 'per-user' | 'per-session' | 'global';
  /** How long the gateway waits, in ms; 5 000 when left out. */
  readonly deadline?: number;
  /**
   * What the audit trail calls it; every call that changes something says it, or that it leaves nothing there (see `routes`), and reads
   * do that reveal something (`mustBeAudited`).
   */
  readonly audit?: AuditAction | null;
  /** A create or an order that may be sent twice: with the same `Idempotency-Key` it is done once. */
  readonly idempotent?: true;
  /** Responses that hold a secret are never stored by anybody. */
  readonly secret?: true;
}

/** Keeps the exact types of an entry while checking its shape. */
export function entry<const E extends Entry>(definition: E): E {
  return definition;
}

/** What a call with a scope may respond to an API key. */
const keyErrors = ['scope_missing', 'account_suspended'] as const satisfies readonly ErrorCode[];

/** All errors that a call may respond with. */
export const errorsOf = (
  call: Pick<Entry, 'access' | 'scope' | 'role' | 'errors' | 'stepUp' | 'withoutFactor'>,
): readonly ErrorCode[] => [
  ...call.errors,
  ...(call.role && call.role !== 'view' && call.access === 'user' ? (['role_missing'] as const) : []),
  ...(call.stepUp ? (['step_up_required'] as const) : []),
  ...(needsFactor(call) ? (['second_factor_missing'] as const) : []),
  ...(call.scope === null || call.stepUp ? (['session_required'] as const) : []),
  ...(call.scope === null ? [] : keyErrors),
  ...commonErrors,
];

export type InputOf<E extends { input: z.ZodType }> = z.output<E['input']>;
/** What a caller may send: before coercion and defaults. */
export type RequestOf<E extends { input: z.ZodType }> = z.input<E['input']>;
export type ResponseOf<E extends { response: z.ZodType }> = z.output<E['response']>;
