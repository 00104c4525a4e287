import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import {
  type Actor,
  type BusCall,
  busCalls,
  isClosedToSuspended,
  type Language,
  needsEmail,
  needsStepUp,
  type ServiceName,
  type Verbs,
} from '@talpa/contracts';
import { AppError, refuseAccess } from '../app-error.ts';
import type { CallContext } from '../bus/call-context.ts';
import { busHeaders, type CallBody } from '../bus/message.ts';
import { createSlots, type Slots } from '../bus/slots.ts';
import { replyPrefix, rpcSubjects, senderOf } from '../bus/subjects.ts';
import { isDatabaseUnavailable } from '../database/errors.ts';
import type { Log } from '../log.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import type { VerifyAssertion } from '../session/assertion.ts';
import { callMeter } from '../telemetry/calls.ts';
import { gauge, readOnScrape } from '../telemetry/metrics.ts';
import { inScope } from '../telemetry/scope.ts';
import { traced } from '../telemetry/tracing.ts';

/** The service's own parts, for one call. */
export type PartsFor<Context> = (call: CallContext) => Context;

type AnyVerb = (context: object, input: never) => Promise<unknown>;

const measure = callMeter('service');
const load = gauge('talpa_calls_under_way', 'Calls that are worked on, or wait until they can be');

const concurrentCalls = 32;
/** Beyond this many waiting calls new ones are refused at once: they would only time out. */
const queueLimit = 1_000;
const maximumReplyBytes = 1_000_000;

/**
 * Answers all of a service's calls as one of its queue group, a bounded number at once. Draining stops
 * new calls and lets running ones end.
 */
export function serve<S extends ServiceName, Context extends object>(
  nc: NatsConnection,
  service: S,
  verbs: Verbs<S, Context & CallContext>,
  partsFor: PartsFor<Context>,
  verifyAssertion: VerifyAssertion,
  lifecycle: Lifecycle,
): void {
  const slots = createSlots(concurrentCalls);
  readOnScrape('calls', [load], () => load.set(slots.load));
  const running = new Set<Promise<void>>();
  const subscriptions = busCalls
    .filter((call) => call.subject.startsWith(`${service}.`))
    .map((call) => {
      const verb = (verbs as Readonly<Record<string, AnyVerb>>)[call.subject.slice(service.length + 1)];
      if (!verb) throw new Error(`The service ${service} lacks the verb ${call.subject}`);
      return nc.subscribe(rpcSubjects(call.subject), {
        queue: service,
        callback: (error, message) => {
          if (error)
            return lifecycle.log.error(
              { err: error, call: call.subject },
              'NATS subscription of a call failed',
            );
          if (!isAnswerable(call, service, message)) {
            lifecycle.log.warn(
              { call: message.subject },
              'call dropped: its sender is not allowed to make it',
            );
            return;
          }
          const scope = { requestId: message.headers?.get(busHeaders.requestId), call: call.subject };
          const run = inScope(scope, () =>
            response(call, verb, partsFor, verifyAssertion, message, slots, lifecycle.log),
          );
          running.add(run);
          void run.finally(() => running.delete(run));
        },
      });
    });
  lifecycle.onStop('calls', async () => {
    await Promise.race([
      Promise.allSettled(subscriptions.map((subscription) => subscription.drain())),
      new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
    ]);
    await Promise.all(running);
  });
}

async function response(
  call: BusCall,
  verb: AnyVerb,
  partsFor: PartsFor<object>,
  verifyAssertion: VerifyAssertion,
  message: Msg,
  slots: Slots,
  log: Log,
): Promise<void> {
  const requestId = message.headers?.get(busHeaders.requestId) ?? '';
  const done = measure(call.subject);
  try {
    if (slots.load > queueLimit) throw new AppError('service_unavailable');
    await slots.acquire();
    try {
      const deadlineAt = Number(message.headers?.get(busHeaders.deadlineAt)) || Date.now() + call.deadline;
      // The caller has given up: work nobody waits for would only delay the next one.
      if (Date.now() > deadlineAt) return done('deadline_exceeded');
      const body = message.json<CallBody>();
      const actor = call.access === 'internal' ? null : actorOf(body, verifyAssertion);
      authorize(call, actor);
      const effects = headers();
      const parent = message.headers?.get(busHeaders.traceparent);
      const attributes = { 'rpc.system.name': 'nats', 'rpc.method': call.subject };
      const context: CallContext = {
        requestId,
        deadlineAt,
        log,
        language: (message.headers?.get(busHeaders.language) || 'de') as Language,
        idempotencyKey: message.headers?.get(busHeaders.idempotencyKey) || undefined,
        client: body.client,
        actor,
        caller: senderOf(message.subject),
        role: call.role,
        audit: call.audit,
        setSession: (jwt) => effects.set(busHeaders.session, jwt),
        freshUntil: (time) => {
          if (time !== null) effects.set(busHeaders.freshUntil, time);
        },
        setPage: ({ next, total }) => {
          if (next !== null) effects.set(busHeaders.nextPage, next);
          if (total !== null) effects.set(busHeaders.total, total);
        },
        whileWaiting: async (wait) => {
          slots.release();
          try {
            return await wait;
          } finally {
            await slots.acquire();
          }
        },
      };
      const output = await traced(call.subject, { kind: 'server', parent, attributes }, async () =>
        verb({ ...partsFor(context), ...context }, call.input.parse(body.input) as never),
      );
      const reply = JSON.stringify(call.response.parse(output));
      if (Buffer.byteLength(reply) > maximumReplyBytes) throw new Error('the reply is too large for the bus');
      message.respond(reply, { headers: effects });
      done();
    } finally {
      slots.release();
    }
  } catch (error) {
    done(respondError(message, error, log));
  }
}

/**
 * Whether the contract lets the sender make this call, and the reply goes to the sender's own inbox: otherwise somebody
 * could have us publish where only we may.
 */
function isAnswerable(call: BusCall, service: string, { subject, reply }: Msg): boolean {
  const caller = senderOf(subject);
  return call.from.includes(caller) && (reply?.startsWith(replyPrefix(caller, service)) ?? false);
}

/** Who acts, as auth has signed it. @throws AppError for an assertion that does not count */
function actorOf({ assertion }: CallBody, verify: VerifyAssertion): Actor | null {
  if (assertion === null) return null;
  const actor = verify(assertion);
  if (!actor)
    throw new AppError('service_unavailable', {
      cause: new Error('the assertion about a session is invalid'),
    });
  return actor;
}

/** The service's own check: the gateway's is not trusted alone. */
function authorize(call: BusCall, actor: Actor | null): void {
  const { access, scope, withoutFactor } = call;
  if (access !== 'internal') refuseAccess({ access, scope, withoutFactor }, actor);
  const reason = actor?.suspensionReason;
  if (reason !== undefined && isClosedToSuspended(call.errors))
    throw new AppError('account_suspended', { params: { reason } });
  if (call.stepUp && actor && needsStepUp(actor)) throw new AppError('step_up_required');
  if (actor?.lacksEmail && needsEmail(call.errors)) throw new AppError('email_unverified');
}

/** A store that is away is not our fault and not for ever; anything else is. */
function unexpected(error: unknown): AppError {
  return new AppError(isDatabaseUnavailable(error) ? 'service_unavailable' : 'internal', { cause: error });
}

/** @returns the code of the response */
function respondError(message: Msg, error: unknown, log: Log): string {
  const known = error instanceof AppError ? error : unexpected(error);
  if (known.code === 'internal') log.error({ err: known.cause ?? known }, 'call failed: internal error');
  else if (known.cause || known.status >= 500)
    log.warn({ err: known.cause, code: known.code }, 'call could not be served: see code and err');
  else log.debug({ code: known.code }, 'call refused');
  const hdrs = headers();
  hdrs.set(busHeaders.error, known.code);
  try {
    message.respond(JSON.stringify({ params: known.params, issues: known.issues }), { headers: hdrs });
  } catch (failure) {
    log.warn({ err: failure }, 'error response could not be sent');
  }
  return known.code;
}
