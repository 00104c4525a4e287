/**
 * W3C's header that begins a trace with this call. Not sampled, as far as we are concerned: nothing is recorded
 * here, and the gateway decides by itself.
 */
export function newTraceparent(): string {
  const id = [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `00-${id.slice(0, 32)}-${id.slice(32)}-00`;
}
