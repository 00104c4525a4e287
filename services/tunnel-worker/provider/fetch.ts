/** What happens around each request to the provider. */
export interface CallHooks {
  /** Called before each request; a throw prevents it. */
  readonly beforeCall?: () => void;
  /** Ends running requests. */
  readonly signal?: AbortSignal;
}

/**
 * A fetch for the SDK that reads the whole body, so that the SDK's timeout covers it, and turns what is
 * no success into a failure: the SDK takes a 200 with `success: false` for an empty result.
 */
export function createFetch({ beforeCall, signal }: CallHooks): typeof fetch {
  return async (input, init) => {
    beforeCall?.();
    const signals = [init?.signal, signal].filter((one) => one != null);
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    const text = await response.text();
    const { status, headers } = response;
    return new Response(text, { status: response.ok && !isSuccess(text) ? 502 : status, headers });
  };
}

function isSuccess(text: string): boolean {
  try {
    const envelope: unknown = JSON.parse(text);
    return (
      typeof envelope === 'object' && envelope !== null && 'success' in envelope && envelope.success === true
    );
  } catch {
    return false;
  }
}
