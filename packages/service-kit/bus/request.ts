import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import {
  busCalls,
  type InternalCalls,
  type InternalName,
  type Issue,
  isErrorCode,
  languages,
  type TextParams,
} from '@talpa/contracts';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';
import { callMeter } from '../telemetry/calls.ts';
import { currentScope } from '../telemetry/scope.ts';
import { traced } from '../telemetry/tracing.ts';
import { isConnected } from './connect.ts';
import { busHeaders, type CallBody, type CallInfo, callHeaders } from './message.ts';
import { NoResponse, request } from './replies.ts';

const measure = callMeter('caller');
const deadlines = new Map(busCalls.map((call) => [call.subject as string, call.deadline]));

/**
 * Sends a call and waits for the reply as it came: its bytes and headers.
 * @param call `<service>.<verb>`
 * @throws AppError the service's own error; `service_unavailable` when nobody serves the subject or the bus
 * is gone; `deadline_exceeded` when nobody answers in time.
 */
export function ask(
  nc: NatsConnection,
  call: string,
  body: CallBody,
  info: Omit<CallInfo, 'client'>,
): Promise<Msg> {
  const attributes = { 'rpc.system.name': 'nats', 'rpc.method': call };
  return traced(call, { kind: 'client', attributes }, () => askNow(nc, call, body, info));
}

async function askNow(
  nc: NatsConnection,
  call: string,
  body: CallBody,
  info: Omit<CallInfo, 'client'>,
): Promise<Msg> {
  const timeout = info.deadlineAt - Date.now();
  if (timeout <= 0) throw new AppError('deadline_exceeded');
  // A disconnected client would keep the call and send it later, when nobody waits for it any more.
  if (!isConnected(nc)) throw new AppError('service_unavailable');
  const done = measure(call);
  let reply: Msg;
  try {
    reply = await request(nc, call, JSON.stringify(body), { timeout, headers: callHeaders(info) });
  } catch (error) {
    const isLate = error instanceof NoResponse && error.reason === 'timeout';
    const failure = isLate ? 'deadline_exceeded' : 'service_unavailable';
    done(failure);
    throw new AppError(failure, { cause: error });
  }
  const code = reply.headers?.get(busHeaders.error);
  done(code);
  if (!code) return reply;
  const details = reply.json<{ params?: TextParams; issues?: Issue[] }>();
  throw new AppError(isErrorCode(code) ? code : 'internal', details);
}

/** How long a call may take, in ms, as the contract says. */
export function deadlineOf(call: string): number {
  return deadlines.get(call) ?? 2_000;
}

/** What goes with a call that a process makes for itself; in a request's or a job's scope it has that one's id. */
export function systemCall(call: string): Omit<CallInfo, 'client'> {
  const requestId = currentScope()?.requestId ?? randomUUID();
  return { requestId, language: languages[0], deadlineAt: Date.now() + deadlineOf(call) };
}

/** Calls another process. Never waits longer than the one who is waiting for us. */
export async function callInternal<N extends InternalName>(
  nc: NatsConnection,
  call: N,
  input: z.input<InternalCalls[N]['input']>,
  info: Omit<CallInfo, 'client'> & { readonly client?: CallInfo['client'] },
): Promise<z.output<InternalCalls[N]['response']>> {
  const deadlineAt = Math.min(info.deadlineAt, Date.now() + deadlineOf(call));
  const body = { assertion: null, client: info.client ?? { address: '', userAgent: '' }, input };
  const reply = await ask(nc, call, body, { ...info, deadlineAt });
  return reply.json<z.output<InternalCalls[N]['response']>>();
}
