/** The shell requests these before the code that needs them is there; one list for both, whichever chunk they are in. */
const page = globalThis as { talpaEarly?: Map<string, Promise<Response>> };
page.talpaEarly ??= new Map();
const early = page.talpaEarly;

/** Later the response may be outdated. */
const validMs = 10_000;

/** Requests a path with GET ahead of the code that will: `takeEarlyResponse` gets the response, once. */
export function requestEarly(path: string): Promise<Response> {
  const response = fetch(path, { credentials: 'include', headers: { accept: 'application/json' } });
  // The code that takes the response handles a failure.
  response.catch(() => {});
  early.set(path, response);
  setTimeout(() => early.delete(path), validMs);
  return response;
}

/** The response of a request that was made early; undefined: none was, or it was taken. */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  const response = early.get(path);
  early.delete(path);
  return response;
}
