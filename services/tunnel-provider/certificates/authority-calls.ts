import { AsyncLocalStorage } from 'node:async_hooks';
import { axios } from 'acme-client';

/** A problem document of the authority (RFC 8555, 6.7). */
interface AuthorityProblem {
  /** The part of its type behind the last colon: `rateLimited`, say. */
  readonly type: string;
  readonly detail: string;
}

/** What the authority's responses said beside their content. */
export interface LastResponse {
  /** The last response's problem; undefined when it was a success. */
  problem?: AuthorityProblem | undefined;
  status?: number;
  retryAfterMs?: number | undefined;
  /** How far the authority's clock is ahead of ours, in ms. */
  clockAheadMs?: number;
}

const timeoutMs = 20_000;
const tracked = new AsyncLocalStorage<LastResponse>();

/** Makes calls of `acme-client` and tracks what their responses say. */
export const trackingResponses = <T>(last: LastResponse, work: () => Promise<T>): Promise<T> =>
  tracked.run(last, work);

// Its own interceptor repeats what failed, for hours if Retry-After says so, and its errors lose the problem's type.
axios.interceptors.response.clear();
axios.interceptors.response.use(null, (error: FailedCall) => {
  if (!error.response) throw error;
  const last = tracked.getStore();
  if (last) track(last, error.response);
  return error.response;
});
axios.defaults.timeout = timeoutMs;

interface FailedCall {
  readonly response?: Response;
}
interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

function track(last: LastResponse, { status, headers, data }: Response): void {
  const document = (data ?? {}) as { type?: unknown; detail?: unknown; error?: unknown };
  last.status = status;
  last.problem = asProblem(status >= 400 ? document : document.error);
  last.retryAfterMs = retryAfterOf(headers['retry-after']);
  const date = Date.parse(String(headers.date));
  if (!Number.isNaN(date)) last.clockAheadMs = date - Date.now();
}

function asProblem(document: unknown): AuthorityProblem | undefined {
  const { type, detail } = (document ?? {}) as { type?: unknown; detail?: unknown };
  if (typeof type !== 'string') return undefined;
  return { type: type.slice(type.lastIndexOf(':') + 1), detail: String(detail ?? '') };
}

/** Retry-After in ms: seconds or a date, which begins with its weekday; undefined for anything else. */
export function retryAfterOf(value: unknown, now = Date.now()): number | undefined {
  const text = String(value ?? '');
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
