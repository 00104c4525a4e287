import type { CustomFetchOptions } from 'openid-client';

/** Of one request to a provider, in ms. */
const timeLimitMs = 4_000;
const sizeLimit = 256 * 1_024;

/**
 * How providers are asked: each request within a time and a size, without following a redirect. Their addresses come from the operator, so
 * that private ones are allowed.
 */
export async function limitedFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const limit = AbortSignal.timeout(timeLimitMs);
  const response = await fetch(url, {
    ...(options as RequestInit),
    redirect: 'manual',
    signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit,
  });
  const { status, headers } = response;
  const body = await readAll(response);
  return new Response(body.length > 0 ? body : null, { status, headers });
}

async function readAll(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > sizeLimit) throw new Error(`the response is larger than ${sizeLimit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
