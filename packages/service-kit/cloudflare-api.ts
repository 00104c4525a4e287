import { currentScope } from './telemetry/scope.ts';

/** A call of Cloudflare's API that was no success. */
export class ApiError extends Error {
  /** Undefined: there was no response. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** What the response names as errors, whatever that is. */
  readonly errors: unknown;

  constructor(status?: number, headers = new Headers(), errors?: unknown) {
    super(status === undefined ? 'no response' : `status ${status}`);
    this.status = status;
    this.headers = headers;
    this.errors = errors;
  }
}

/** Of a list: a page, and how long the list is. */
export interface Page<T> {
  readonly result: readonly T[] | null;
  readonly result_info?: { readonly total_count?: number };
}

interface Api {
  readonly url: string;
  readonly token: string;
  /** For one call, its response's body included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Sent = { readonly query?: Readonly<Record<string, string | number | boolean>>; readonly body?: object };

/**
 * Calls Cloudflare's API, each call once. Cloudflare's own SDK loads a thousand modules for the dozen calls that are needed:
 * 21 MB in each process.
 */
export function createApi({ url, token, timeoutMs, signal }: Api) {
  /** @throws ApiError also for a 200 that says it is no success */
  return async <T>(method: Method, path: string, { query = {}, body }: Sent = {}): Promise<T> => {
    const { requestId, span } = currentScope() ?? {};
    const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const asked = new URLSearchParams(texts).toString().replaceAll('+', '%20');
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}${path}${asked ? `?${asked}` : ''}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(requestId ? { 'x-request-id': requestId } : {}),
          ...(span ? { traceparent: span.traceparent } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.any(signals),
      });
      text = await response.text();
    } catch {
      throw new ApiError();
    }
    span?.set({ 'http.request.method': method, 'http.response.status_code': response.status });
    const envelope = objectIn(text);
    if (response.ok && envelope && envelope.success !== false) return envelope as T;
    throw new ApiError(response.ok ? 502 : response.status, response.headers, envelope?.errors);
  };
}

/** A part of a path. */
export const part = (id: string): string => encodeURIComponent(id);

/** Of a response; it need not say that it is a success: that of a DNS record's delete does not. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
