import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { Language, Origin } from '@talpa/contracts';
import { traceparent } from '../telemetry/tracing.ts';

/** What travels with every call beside its input. */
export interface CallInfo {
  readonly requestId: string;
  readonly language: Language;
  readonly origin: Origin;
  /** When the caller stops waiting, in ms since the epoch. */
  readonly deadlineAt: number;
  /** Names a create, so that it is done once however often it is sent. */
  readonly idempotencyKey?: string | undefined;
}

/** The body of a call. */
export interface CallBody {
  /** What auth has signed about the session of the one who acts (`session/assertion.ts`); null: nobody, or a process. */
  readonly assertion: string | null;
  readonly origin: Origin;
  readonly input: unknown;
}

/** Header names on the bus. Effects are the closed set of HTTP matters a verb may cause. */
export const busHeaders = {
  requestId: 'Request-Id',
  language: 'Language',
  deadlineAt: 'Deadline-At',
  traceparent: 'traceparent',
  idempotencyKey: 'Idempotency-Key',
  error: 'Error-Code',
  session: 'Effect-Session',
  freshUntil: 'Effect-Fresh-Until',
  nextPage: 'Effect-Next-Page',
  total: 'Effect-Total',
} as const;

/** The headers of a message that is told on behalf of a request, if it is. */
export function originHeaders(origin: {
  readonly requestId: string | null;
  readonly traceparent: string | null;
}): MsgHdrs {
  const hdrs = headers();
  if (origin.requestId) hdrs.set(busHeaders.requestId, origin.requestId);
  if (origin.traceparent) hdrs.set(busHeaders.traceparent, origin.traceparent);
  return hdrs;
}

/** The headers of a call. */
export function callHeaders(info: Omit<CallInfo, 'origin'>): MsgHdrs {
  const hdrs = headers();
  hdrs.set(busHeaders.requestId, info.requestId);
  hdrs.set(busHeaders.language, info.language);
  hdrs.set(busHeaders.deadlineAt, String(info.deadlineAt));
  const trace = traceparent();
  if (trace) hdrs.set(busHeaders.traceparent, trace);
  if (info.idempotencyKey !== undefined) hdrs.set(busHeaders.idempotencyKey, info.idempotencyKey);
  return hdrs;
}
