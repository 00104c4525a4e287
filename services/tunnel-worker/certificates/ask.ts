import { AppError } from '@talpa/service-kit/app-error';
import type { WorkerContext } from '../context.ts';

/** Time to respond to the caller that the provider was too slow, in ms. */
const marginMs = 500;

/**
 * Calls what the embedded provider's API has beside Cloudflare's calls.
 * @returns null for what the API does not know
 * @throws AppError `provider_unavailable`
 */
export async function askEmbedded(
  context: WorkerContext,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> {
  const {
    CLOUDFLARE_BASE_URL: base,
    CLOUDFLARE_ZONE_ID: zone,
    CLOUDFLARE_API_TOKEN: token,
  } = context.settings;
  const left = Math.max(0, context.deadlineAt - Date.now() - marginMs);
  const asked = fetch(`${base}/zones/${zone}${path}`, {
    method,
    signal: AbortSignal.timeout(left),
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const response = await context.whileWaiting(
    asked.catch((cause: unknown) => {
      throw new AppError('provider_unavailable', { cause });
    }),
  );
  if (response.status === 404) return null;
  if (!response.ok) throw new AppError('provider_unavailable');
  const { result } = (await response.json()) as { readonly result: unknown };
  return result;
}
