import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { ClientInfo, Language } from '@talpa/contracts';
import { traceparent } from '../telemetry/tracing.ts';

/** What travels with every call beside its input. */
export interface CallInfo {
  readonly requestId: string;
  readonly language: Language;
  readonly client: ClientInfo;
  /** When the caller stops waiting, in ms since the epoch. */
  readonly deadlineAt: number;
  /** Names a create, so that it is done once however often it is sent. */
  readonly idempotencyKey?: string | undefined;
}

/** The body of a call. */
export interface CallBody {
  /** What auth has signed about the session of the one who acts (`session/assertion.ts`); null: nobody, or a process. */
  readonly assertion: string | null;
  readonly client: ClientInfo;
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

/** The headers of a message that is published on behalf of a request, if it is. */
export function traceHeaders(trace: {
  readonly requestId: string | null;
  readonly traceparent: string | null;
}): MsgHdrs {
  const hdrs = headers();
  if (trace.requestId) hdrs.set(busHeaders.requestId, trace.requestId);
  if (trace.traceparent) hdrs.set(busHeaders.traceparent, trace.traceparent);
  return hdrs;
}

/** The headers of a call. */
export function callHeaders(info: Omit<CallInfo, 'client'>): MsgHdrs {
  const hdrs = headers();
  hdrs.set(busHeaders.requestId, info.requestId);
  hdrs.set(busHeaders.language, info.language);
  hdrs.set(busHeaders.deadlineAt, String(info.deadlineAt));
  const trace = traceparent();
  if (trace) hdrs.set(busHeaders.traceparent, trace);
  if (info.idempotencyKey !== undefined) hdrs.set(busHeaders.idempotencyKey, info.idempotencyKey);
  return hdrs;
}
