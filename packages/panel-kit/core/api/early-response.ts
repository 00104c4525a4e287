/** Requests made before the code that needs them is there, the first by the page itself. */
const page = globalThis as { talpaEarly?: Map<string, Promise<Response>> };
page.talpaEarly ??= new Map();
const early = page.talpaEarly;
/** Later the response may be outdated. */
const validMs = 10_000;
for (const path of early.keys()) keepForAWhile(path);

function keepForAWhile(path: string): void {
  // The code that takes the response handles a failure.
  early.get(path)?.catch(() => {});
  setTimeout(() => early.delete(path), validMs);
}

/** Requests a path with GET ahead of the code that will: `takeEarlyResponse` gets the response, once. */
export function requestEarly(path: string): Promise<Response> {
  const before = early.get(path);
  if (before) return before;
  const response = fetch(path, { credentials: 'include', headers: { accept: 'application/json' } });
  early.set(path, response);
  keepForAWhile(path);
  return response;
}

/** The response of a request that was made early; undefined: none was, or it was taken. */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  const response = early.get(path);
  early.delete(path);
  return response;
}

/** After a change they may be outdated. */
export function dropEarlyResponses(): void {
  early.clear();
}
