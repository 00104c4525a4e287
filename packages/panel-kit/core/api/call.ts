import type { ErrorBody, InputOf, RequestOf, ResponseOf, RouteName, Routes } from '@talpa/contracts';
import type { Language } from '@talpa/contracts/language';
import { panelConfig } from '../panel-config.ts';
import { currentSession, loseSession, never } from '../session-end.ts';
import { requestStepUp } from '../step-up.ts';
import { currentLanguage } from '../texts/language.ts';
import { ApiError } from './api-error.ts';
import { dropEarlyResponses, takeEarlyResponse } from './early-response.ts';
import { detailOf, statusText } from './status-text.ts';
import { newTraceparent } from './trace.ts';

/** What a caller gives a route: its request, with the checked type where the schema would take anything. */
export type Input<N extends RouteName> = {
  [K in keyof RequestOf<Routes[N]>]: unknown extends RequestOf<Routes[N]>[K]
    ? K extends keyof InputOf<Routes[N]>
      ? InputOf<Routes[N]>[K]
      : never
    : RequestOf<Routes[N]>[K];
};
export type ResponseBody<N extends RouteName> = ResponseOf<Routes[N]>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The language of error texts; the panel's own when left out. */
  readonly language?: Language;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the caller handles `not_signed_in` itself. */
  readonly throwsSignedOut?: boolean;
}

/**
 * Calls a route of the contract. Throws ApiError for every response but success, and when none comes. When nobody is
 * signed in any more it ends the session and never settles: the sign-in page says so, and no screen says it again.
 */
export async function call<N extends RouteName>(
  name: N,
  input: Input<N>,
  options: CallOptions = {},
): Promise<ResponseBody<N>> {
  return (await callWithHeaders(name, input, options)).response;
}

/** As `call`, with the response's headers. When a call needs a step-up, it is repeated after that. */
export async function callWithHeaders<N extends RouteName>(
  name: N,
  input: Input<N>,
  options: CallOptions = {},
): Promise<{ readonly response: ResponseBody<N>; readonly headers: Headers }> {
  try {
    return await callOnce(name, input, options);
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'step_up_required';
    if (isRefused && (await requestStepUp())) return callOnce(name, input, options);
    throw error;
  }
}

async function callOnce<N extends RouteName>(
  name: N,
  input: Input<N>,
  { signal, language = currentLanguage(), headers, throwsSignedOut = false }: CallOptions = {},
): Promise<{ readonly response: ResponseBody<N>; readonly headers: Headers }> {
  const { method, url, body } = requestOf(name, input);
  const askedIn = currentSession();
  if (method !== 'GET') dropEarlyResponses();
  const early = method === 'GET' ? takeEarlyResponse(url) : undefined;
  const response = await (
    early ??
    fetch(url, {
      method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        'accept-language': language,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(panelConfig().tracing ? { traceparent: newTraceparent() } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
  ).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(statusText(0, '', language), { status: 0, cause });
  });
  const raw = await response.text();
  const isText = response.ok && (response.headers.get('content-type')?.startsWith('text/csv') ?? false);
  const json = isText ? raw : parse(raw);
  if (response.ok && (response.status === 204 || json !== undefined))
    return { response: (json ?? null) as ResponseBody<N>, headers: response.headers };
  const { code, issues, challenge, suggestion, proxyId, requestId } = (json ?? {}) as Partial<ErrorBody>;
  if (code === 'not_signed_in') {
    loseSession(askedIn);
    if (!throwsSignedOut) return never();
  }
  const status = response.ok ? 500 : response.status;
  const message = statusText(status, detailOf(json, raw, response.statusText), language);
  throw new ApiError(message, { status, code, issues, challenge, suggestion, proxyId, requestId });
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** The HTTP request for a route: names in the path are filled in, the rest is query (GET, DELETE) or body. */
export function requestOf(
  name: string,
  input: Readonly<Record<string, unknown>>,
): { method: string; url: string; body: string | undefined } {
  const [method = 'GET', path = ''] = name.split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  let url = path.replace(/:(\w+)/g, (_whole, param: string) => {
    const value = rest.get(param);
    rest.delete(param);
    return encodeURIComponent(String(value));
  });
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams([...rest].map(([key, value]) => [key, String(value)]));
    if (rest.size > 0) url += `?${query}`;
    return { method, url, body: undefined };
  }
  return { method, url, body: rest.size > 0 ? JSON.stringify(Object.fromEntries(rest)) : undefined };
}
