const address = /^(\d+\.){3}\d+$|^\[/;

/**
 * The host that passkeys belong to (WebAuthn’s RP ID): that of PUBLIC_URL. Null: browsers make no passkeys there, which takes
 * a host name and https, or `localhost`.
 */
export function passkeyHost(publicUrl: string | undefined): string | null {
  if (publicUrl === undefined) return null;
  const { protocol, hostname } = new URL(publicUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !address.test(hostname) ? hostname : null;
}
