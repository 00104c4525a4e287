import { currentScope } from '@talpa/service-kit/telemetry/scope';

/**
 * A fetch for the SDK that reads the whole body, so that the SDK's timeout covers it, and turns what is
 * no success into a failure: the SDK takes a 200 with `success: false` for an empty result.
 */
export function createFetch(signal?: AbortSignal): typeof fetch {
  return async (input, init) => {
    const signals = [init?.signal, signal].filter((one) => one != null);
    const { requestId, span } = currentScope() ?? {};
    const headers = new Headers(init?.headers);
    if (requestId) headers.set('x-request-id', requestId);
    if (span) headers.set('traceparent', span.traceparent);
    const response = await fetch(input, { ...init, headers, signal: AbortSignal.any(signals) });
    span?.set({ 'http.request.method': init?.method ?? 'GET', 'http.response.status_code': response.status });
    const text = await response.text();
    const { status } = response;
    return new Response(text, {
      status: response.ok && !isSuccess(text) ? 502 : status,
      headers: response.headers,
    });
  };
}

/** A response need not say that it is a success: that of a DNS record's delete does not. */
function isSuccess(text: string): boolean {
  try {
    const envelope: unknown = JSON.parse(text);
    if (typeof envelope !== 'object' || envelope === null) return false;
    return !('success' in envelope) || envelope.success !== false;
  } catch {
    return false;
  }
}
