/** Headers are constant objects, made once: a header library costs more than the rest of a request. */
export type Headers = Readonly<Record<string, string>>;

/** On every response. `secure`: browsers reach the panel by https only. */
export function securityHeaders(secure: boolean): Headers {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
}

/** On every response of the API: nobody between us and the browser, nor the browser, keeps it. */
export const apiHeaders: Headers = { 'cache-control': 'private, no-store' };

/** What the API answers with. */
export const jsonType = 'application/json; charset=utf-8';

/** What the panel's page may load: its own files, and inline what carries this response's nonce. */
export function panelPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "manifest-src 'self'",
  ].join('; ');
}
